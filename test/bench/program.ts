// The product as it is installed: a bundle in a process of its own, watched through /proc.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, request } from 'undici';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const ADMIN_KEY = 'fla_bench_admin_key_of_sufficient_length_0123456789';
export const ADMIN = { 'x-admin-key': ADMIN_KEY };
const READY_WITHIN_MS = 20_000;
const STOP_WITHIN_MS = 15_000;

/** Makes both bundles anew, so that what is measured is what is in the tree. */
export function buildBundles(): void {
  execFileSync(process.execPath, [path.join(ROOT, 'packaging/build.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

export interface ProgramOptions {
  program: 'site' | 'hq';
  port: number;
  dir: string;
  env?: Record<string, string>;
  /** Another entry than the bundle's. */
  entry?: string;
  /** Flags of Node's own, such as a profiler's. */
  nodeFlags?: readonly string[];
  /** Runs it in a control group: the file that takes its process id. */
  group?: string;
}

export interface DiskUse {
  /** Bytes that the disk under the program's folder took, from whichever process. */
  device: number;
  /**
   * Bytes of the pages that this process made dirty (write_bytes). A file system with large folios may count
   * a whole folio for 4 KiB.
   */
  dirtied: number;
  /** Bytes handed to write calls, sockets among them (wchar). */
  handed: number;
}

const SECTOR_BYTES = 512;

/**
 * Bytes written to the disk that holds `dir` since the machine started; NaN when the system does not tell.
 */
function deviceBytes(dir: string): number {
  const { dev } = statSync(dir);
  const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)];
  const line = readFileSync('/proc/diskstats', 'utf8')
    .split('\n')
    .map((text) => text.trim().split(/\s+/))
    .find((fields) => Number(fields[0]) === major && Number(fields[1]) === minor);
  return Number(line?.[9]) * SECTOR_BYTES;
}

export class Program {
  readonly port: number;
  /** From spawn to the first 200 of /readyz, milliseconds. */
  readyMs = Number.NaN;
  #child: ChildProcess;
  #dir: string;
  #said = '';

  private constructor(child: ChildProcess, { port, dir }: ProgramOptions) {
    this.#child = child;
    this.#dir = dir;
    this.port = port;
    child.stderr?.on(
      'data',
      (text: Buffer) => void (this.#said = (this.#said + text.toString()).slice(-4000)),
    );
  }

  /** Spawns without waiting for it. */
  static spawn(options: ProgramOptions): Program {
    const entry = options.entry ?? path.join(ROOT, 'dist', options.program, 'main.mjs');
    const argv = [process.execPath, ...(options.nodeFlags ?? []), entry, 'run'];
    // Into the group before it has any memory.
    const inGroup =
      options.group === undefined ? [] : ['/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', options.group];
    const [file = '', ...rest] = [...inGroup, ...argv];
    const child = spawn(file, rest, {
      cwd: options.dir,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        CORE_LISTEN: `127.0.0.1:${options.port}`,
        CORE_DATA_DIR: options.dir,
        CORE_ADMIN_KEY_REF: 'env:BENCH_ADMIN_KEY',
        BENCH_ADMIN_KEY: ADMIN_KEY,
        AGENT_ENABLED: 'false',
        CORE_LOG_LEVEL: 'warn',
        ...options.env,
      },
    });
    return new Program(child, options);
  }

  static async start(options: ProgramOptions): Promise<Program> {
    const started = performance.now();
    const program = Program.spawn(options);
    await program.ready();
    program.readyMs = performance.now() - started;
    return program;
  }

  async ready(): Promise<void> {
    const deadline = performance.now() + READY_WITHIN_MS;
    while ((await this.#status('/readyz')) !== 200) {
      if (this.#ended()) throw new Error(`the program ended at once: ${this.#said}`);
      if (performance.now() > deadline) throw new Error(`the program did not get ready: ${this.#said}`);
      await sleep(2);
    }
  }

  /** Status of a GET, 0 when nobody answers. */
  async #status(target: string): Promise<number> {
    try {
      const { statusCode, body } = await request(`http://127.0.0.1:${this.port}${target}`, { reset: true });
      await body.dump();
      return statusCode;
    } catch {
      return 0; // it does not listen yet
    }
  }

  /** A call with the admin key. @throws Error for an answer outside 2xx */
  async call<T>(method: string, target: string, body?: object): Promise<T> {
    const answer = await request(`http://127.0.0.1:${this.port}${target}`, {
      method: method as Dispatcher.HttpMethod,
      headers: { ...ADMIN, 'content-type': 'application/json' },
      body: body ? JSON.stringify(body) : null,
      reset: true,
    });
    const text = await answer.body.text();
    if (answer.statusCode > 299)
      throw new Error(`${method} ${target} was answered ${answer.statusCode}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as T;
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('the program could not be started');
    return this.#child.pid;
  }

  /** Resident memory, MiB; `peak` since the start or the last `resetPeak`. */
  memory(): { now: number; peak: number } {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8');
    const of = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
    return { now: of('VmRSS'), peak: of('VmHWM') };
  }

  disk(): DiskUse {
    const io = readFileSync(`/proc/${this.pid}/io`, 'utf8');
    const of = (name: string): number => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(io)?.[1]);
    return { device: deviceBytes(this.#dir), dirtied: of('write_bytes'), handed: of('wchar') };
  }

  /** Processor time so far, all threads, milliseconds. */
  cpuMs(): number {
    const fields = readFileSync(`/proc/${this.pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  }

  /** What it wrote to its log last, for a failure's message. */
  get said(): string {
    return this.#said;
  }

  #ended(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    if (this.#ended()) return;
    const exit = once(this.#child, 'exit');
    const late = setTimeout(() => this.#child.kill('SIGKILL'), STOP_WITHIN_MS);
    this.#child.kill(signal);
    await exit;
    clearTimeout(late);
  }
}
