import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PictureShrinker } from '../../../common/core/evidence/port.ts';
import { AppError } from '../../../common/http/error.ts';
import type { Logger } from '../../../common/log.ts';

/** To the process. */
export interface ShrinkOrder {
  file: string;
}

/** From the process; `ready` once, when it has loaded what it needs. */
export type ShrinkAnswer =
  { kind: 'ready' } | { kind: 'made'; jpeg: Uint8Array } | { kind: 'unreadable'; reason: string };

const FILE = import.meta.url.endsWith('.ts') ? './process.ts' : './picture-process.mjs';
const ENTRY = fileURLToPath(new URL(FILE, import.meta.url));
/** Bytes of a picture of which a small one is made. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Callers that wait; one picture is made at a time. */
const MOST_WAITING = 64;
/** Bounds on one picture, with the start of the process, ms, and on what the process may hold, MB. */
const WITHIN_MS = 20_000;
const MEMORY_MB = 1_024;
/** Without work for so long the process ends, ms. */
const IDLE_MS = 60_000;

/**
 * Makes small pictures, each anew when it is asked for, in a process of its own that is started at the first
 * one and has neither the program's memory nor its environment. One at a time.
 */
export class SmallPictures implements PictureShrinker {
  #log: Logger;
  #child: ChildProcess | null = null;
  #idle: NodeJS.Timeout | undefined;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  async shrink(file: string, size: number): Promise<Buffer> {
    if (size > MOST_BYTES) throw noSmallPicture(`it has more than ${MOST_BYTES / 1024 / 1024} MiB`);
    if (this.#waiting >= MOST_WAITING) throw unavailable('Too many small pictures are asked for at once.');
    this.#waiting += 1;
    const made = this.#last.then(() => this.#make(file));
    this.#last = made.then(
      () => undefined,
      () => undefined, // whoever asked for that one is told
    );
    try {
      return await made;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #make(file: string): Promise<Buffer> {
    if (this.#stopped) throw unavailable('The program is stopping.');
    clearTimeout(this.#idle);
    const answer = await this.#ask(file);
    if (this.#stopped) throw unavailable('The program is stopping.');
    this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    if (answer.kind === 'made') return Buffer.from(answer.jpeg);
    if (answer.kind === 'unreadable') throw noSmallPicture(answer.reason);
    throw unavailable('What makes small pictures does not start here; the log says why.');
  }

  /** @returns `ready` where the process ended before it could work */
  #ask(file: string): Promise<ShrinkAnswer> {
    const fresh = this.#child === null;
    const child = (this.#child ??= this.#start());
    const order: ShrinkOrder = { file };
    return new Promise((resolve) => {
      let ready = !fresh;
      const late = setTimeout(() => {
        finish({ kind: 'unreadable', reason: `reading it took more than ${WITHIN_MS / 1000} s` });
        this.#end();
      }, WITHIN_MS);
      const finish = (answer: ShrinkAnswer): void => {
        clearTimeout(late);
        child.off('message', heard).off('close', ended);
        resolve(answer);
      };
      const heard = (answer: ShrinkAnswer): void => {
        if (answer.kind !== 'ready') return finish(answer);
        ready = true;
        child.send(order);
      };
      const ended = (): void =>
        finish(
          ready ? { kind: 'unreadable', reason: 'it broke the program that reads it' } : { kind: 'ready' },
        );
      child.on('message', heard).once('close', ended);
      if (ready) child.send(order);
    });
  }

  #start(): ChildProcess {
    const child = spawn(
      '/bin/sh',
      [
        '-c',
        'ulimit -c 0 && ulimit -d "$1" && shift && exec "$@"',
        'sh',
        String(MEMORY_MB * 1024),
        process.execPath,
        ENTRY,
      ],
      { env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced' },
    );
    let said = '';
    child.stderr?.on('data', (part: Buffer) => (said = (said + part.toString()).slice(-4_000)));
    child.on('error', (error) => (said += error.message));
    child.once('close', (code, signal) => {
      if (this.#child === child) this.#child = null;
      if (signal !== 'SIGKILL' || said !== '')
        this.#log.warn({ code, signal, said }, 'the process that makes small pictures has ended');
    });
    return child;
  }

  #end(): void {
    clearTimeout(this.#idle);
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }

  stop(): void {
    this.#stopped = true;
    this.#end();
  }
}

const noSmallPicture = (why: string): AppError =>
  new AppError(
    422,
    'no_small_picture',
    `There is no small picture of this file: ${why}. Read the file itself.`,
  );

const unavailable = (what: string): AppError =>
  new AppError(503, 'small_pictures_unavailable', `${what} Read the file itself, or try again later.`, {
    retryAfterSeconds: 5,
  });
