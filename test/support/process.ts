// The programs as real processes: started, killed and started again on the same port and the same data.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { NODE_ENV } from './command.ts';
import { programsBuilt, startOf } from './programs.ts';
import { adminCall, type Answer, request, until } from './request.ts';

/** Text of standard error that is kept for a failure, characters. */
const KEPT = 8_000;
const STOP_WITHIN_MS = 60_000;

export interface ProgramOptions {
  main:
    | 'site/main.ts'
    | 'hq/main.ts'
    | 'test/support/evidence-killed-site.ts'
    | 'test/support/delivery-killed-hub.ts'
    | 'test/support/agent-killed-site.ts';
  dataDir: string;
  port: number;
  env?: Record<string, string>;
}

/** A program that runs, whoever has started it. */
export class Reachable {
  readonly url: string;
  readonly options: ProgramOptions;
  env: Record<string, string>;

  constructor(options: ProgramOptions) {
    this.options = options;
    this.env = { ...options.env };
    this.url = `http://127.0.0.1:${options.port}`;
  }

  get adminKey(): string {
    return readFileSync(path.join(this.options.dataDir, 'secrets', 'admin-key'), 'utf8').trim();
  }

  api(method: string, target: string, body?: unknown): Promise<Answer> {
    return adminCall(this.url, this.adminKey, method, target, body);
  }
}

/** One program, which may live several lives. */
export class Program extends Reachable {
  /** How often it was started. */
  lives = 0;
  #child: ChildProcess | null = null;
  #stderr = '';

  /** Resolves when the program says that it can store. @throws with its last words when it ends instead */
  async start(): Promise<void> {
    await programsBuilt();
    this.spawn();
    await this.ready();
  }

  /** Starts the process and does not wait for it. Another was started before, or `programsBuilt`. */
  spawn(): void {
    if (this.#child) throw new Error(`${this.options.main} runs already`);
    const { main, dataDir, port } = this.options;
    const child = spawn(process.execPath, [startOf(main), 'run'], {
      cwd: dataDir,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        CORE_LISTEN: `127.0.0.1:${port}`,
        CORE_DATA_DIR: dataDir,
        CORE_LOG_LEVEL: 'warn',
        ...NODE_ENV,
        AGENT_ENABLED: 'false',
        CORE_FEEDBACK_NETWORKS: '127.0.0.0/8',
        ...this.env,
      },
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-KEPT);
    });
    child.once('exit', () => {
      if (this.#child === child) this.#child = null;
    });
    this.#child = child;
    this.lives += 1;
  }

  async ready(): Promise<void> {
    await until(`${this.options.main} is ready`, async () => {
      if (!this.#child) throw new Error(`${this.options.main} ended: ${this.#stderr}`);
      const answer = await request({ url: this.url, method: 'GET', path: '/readyz', timeoutMs: 5_000 }).catch(
        () => null,
      );
      return answer?.status === 200;
    });
  }

  /** The orderly end. @throws when it does not come */
  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** The end without warning. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Of the process that runs. */
  get pid(): number {
    const { pid } = this.#child ?? {};
    if (pid === undefined) throw new Error(`${this.options.main} does not run`);
    return pid;
  }

  get running(): boolean {
    return this.#child !== null;
  }

  get stderr(): string {
    return this.#stderr;
  }

  async #end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    const [, endedBy] = (await exited) as [number | null, string | null];
    clearTimeout(late);
    this.#child = null;
    if (signal === 'SIGTERM' && endedBy === 'SIGKILL')
      throw new Error(`${this.options.main} did not stop within ${STOP_WITHIN_MS} ms: ${this.#stderr}`);
  }
}

/** What one test made, taken down in reverse order. */
export class Scene {
  readonly dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-fault-'));
  #steps: (() => Promise<unknown> | unknown)[] = [];

  onClose(step: () => Promise<unknown> | unknown): void {
    this.#steps.push(step);
  }

  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.#steps.reverse()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    rmSync(this.dir, { recursive: true, force: true });
    if (failures.length > 0) throw new AggregateError(failures, 'the scene did not come down cleanly');
  }
}

// Below the ports that Linux gives to whoever names none (ip_local_port_range, from 32768): between two lives
// of a program nobody gets its port.
const [LOWEST_PORT, ABOVE_PORTS] = [20_000, 32_768];

/**
 * A port that nobody listens on now, and that neither another test nor the kernel gives out while this
 * process lives.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST_PORT, ABOVE_PORTS);
    // An abstract socket is had by one process only, and is gone with it.
    const claim = await listening({ path: `\0fieldline-test-port-${port}` });
    const probe = claim && (await listening({ port, host: '127.0.0.1' }));
    if (!probe) {
      claim?.close();
      continue;
    }
    claim.unref();
    probe.close();
    await once(probe, 'close');
    return port;
  }
}

/** @returns null when somebody has it */
async function listening(at: net.ListenOptions): Promise<net.Server | null> {
  const server = net.createServer();
  server.listen(at);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    if ((error as { code?: string }).code === 'EADDRINUSE') return null;
    throw error;
  }
}
