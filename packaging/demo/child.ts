import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { programEnvironment } from './config.ts';

const FOLLOW = new URL('./follow.ts', import.meta.url).href;

/** A program of the demonstration: its output goes to a file, its end is watched. */
export class Child {
  readonly name: string;
  readonly logFile: string;
  /** Settles when it ends although nobody asked it to. */
  readonly died: Promise<Error>;
  #process: ChildProcess;
  #ended: Promise<unknown>;
  #stopping = false;

  constructor(
    name: string,
    argv: string[],
    options: { env: Record<string, string>; logFile: string; cwd: string },
  ) {
    this.name = name;
    this.logFile = options.logFile;
    const log = openSync(options.logFile, 'a');
    // A group of its own: Ctrl-C reaches only the parent, which stops all in order. The channel tells it when
    // the parent is gone.
    this.#process = spawn(process.execPath, ['--import', FOLLOW, ...argv], {
      cwd: options.cwd,
      env: programEnvironment(options.env),
      stdio: ['ignore', log, log, 'ipc'],
      detached: true,
    });
    closeSync(log);
    this.#ended = once(this.#process, 'exit');
    this.died = new Promise((resolve) => {
      this.#process.once('error', (error) => resolve(error));
      this.#process.once('exit', (code, signal) => {
        if (!this.#stopping)
          resolve(
            new Error(
              `${name} ended by itself (${signal ?? `exit code ${code}`}); its log ends ` +
                `with:\n${this.lastLines()}`,
            ),
          );
      });
    });
  }

  lastLines(): string {
    return readFileSync(this.logFile, 'utf8').trimEnd().split('\n').slice(-8).join('\n');
  }

  /** Asks it to end, and after `patienceMs` makes it. */
  async stop(patienceMs: number): Promise<void> {
    this.#stopping = true;
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill('SIGTERM');
    const force = setTimeout(() => this.#process.kill('SIGKILL'), patienceMs);
    await this.#ended;
    clearTimeout(force);
  }
}
