import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError } from '../../../http/error.ts';
import type { Logger } from '../../../log.ts';
import type { PictureShrinker } from '../port.ts';

/** To the process. */
export interface ShrinkOrder {
  file: string;
  /** Longest side, pixels. */
  side: number;
  /** Pixels of what is read; `progressive` and interlaced pictures take several bytes for each. */
  most: { pixels: number; progressive: number };
  /** Of what is made; null: as many as it takes. */
  bytes: number | null;
}

/** From the process; `ready` once, when it has loaded what it needs. */
export type ShrinkAnswer =
  { kind: 'ready' } | { kind: 'made'; jpeg: Uint8Array } | { kind: 'unreadable'; reason: string };

const FILE = import.meta.url.endsWith('.ts') ? './process.ts' : './picture-process.mjs';
const ENTRY = fileURLToPath(new URL(FILE, import.meta.url));
/** Where memory is short, it is to end before the program does; then the bounds, and no file of its end. */
const SHELL =
  'echo 1000 2>/dev/null >/proc/self/oom_score_adj; ulimit -c 0 && ulimit -d "$1" && shift && exec "$@"';
/** The pictures lie outside of this heap. */
const HEAP = ['--max-old-space-size=32', '--max-semi-space-size=1'];
/** Callers that wait; one picture is made at a time. */
const MOST_WAITING = 64;

/** What is made, and what making it may take. */
export interface SmallPictureBounds extends Omit<ShrinkOrder, 'file'> {
  /** Bytes of a picture of which a small one is made. */
  fileBytes: number;
  /** On one picture, with the start of the process, ms, and on what the process may hold, MB. */
  withinMs: number;
  memoryMb: number;
  /** Without work for so long the process ends, ms. */
  idleMs: number;
}

/**
 * Makes small pictures, each anew when it is asked for, in a process of its own that is started at the first
 * one and has neither the program's memory nor its environment. One at a time. Where the kernel is short of
 * memory, it ends this process before any other.
 */
export class SmallPictures implements PictureShrinker {
  #log: Logger;
  #bounds: SmallPictureBounds;
  #child: ChildProcess | null = null;
  #idle: NodeJS.Timeout | undefined;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(bounds: SmallPictureBounds, log: Logger) {
    this.#bounds = bounds;
    this.#log = log;
  }

  async shrink(file: string, size: number): Promise<Buffer> {
    const { fileBytes } = this.#bounds;
    if (size > fileBytes) throw noSmallPicture(`it has more than ${fileBytes / 1024 / 1024} MiB`);
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
    this.#idle = setTimeout(() => this.#end(), this.#bounds.idleMs).unref();
    if (answer.kind === 'made') return Buffer.from(answer.jpeg);
    if (answer.kind === 'unreadable') throw noSmallPicture(answer.reason);
    throw unavailable('What makes small pictures does not start here; the log says why.');
  }

  /** @returns `ready` where the process ended before it could work */
  #ask(file: string): Promise<ShrinkAnswer> {
    const fresh = this.#child === null;
    const child = (this.#child ??= this.#start());
    const { side, most, bytes, withinMs } = this.#bounds;
    const order: ShrinkOrder = { file, side, most, bytes };
    return new Promise((resolve) => {
      let ready = !fresh;
      const late = setTimeout(() => {
        finish({ kind: 'unreadable', reason: `reading it took more than ${withinMs / 1000} s` });
        this.#end();
      }, withinMs);
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
      ['-c', SHELL, 'sh', String(this.#bounds.memoryMb * 1024), process.execPath, ...HEAP, ENTRY],
      {
        env: { MALLOC_ARENA_MAX: '1' },
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        serialization: 'advanced',
      },
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
