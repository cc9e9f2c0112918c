import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { BOUNDED } from './bounded-tool.ts';
import type { UnreadableReason } from './ingest-messages.ts';
import type { Original, PageTold, Reading } from './read.ts';

export type ReadAnswer = Reading | { unreadable: UnreadableReason };

/** What the process answers; `tooLarge` where it got no more memory. */
export type ProcessAnswer = ReadAnswer | { tooLarge: true };

export interface ReadLimits {
  /** ms. */
  withinMs: number;
  /** All that the process may hold in memory, in whatever kind, MB. */
  memoryMb: number;
  /** What it may take beyond that between two measurements, MB; the operating system refuses more. */
  aheadMb: number;
  lookMs: number;
}

const FILE = import.meta.url.endsWith('.ts') ? './reader-process.ts' : './ingest-reader.mjs';
const ENTRY = fileURLToPath(new URL(FILE, import.meta.url));
const BROKEN: ReadAnswer = { unreadable: { code: 'reader_broken', params: {} } };
const LIMITS: ReadLimits = { withinMs: 120_000, memoryMb: 1_024, aheadMb: 512, lookMs: 50 };
/** All clauses that a reading may have, MAX_TEXT of read.ts, with what stands around them. Bytes. */
const MAX_ANSWER = 128 * 1024 * 1024;
const MAX_LINE = 32;

export interface Watch {
  /** Ends the reading, which then fails with its reason. */
  signal?: AbortSignal | undefined;
  told?: PageTold | undefined;
}

/**
 * Reads an original in a process of its own, bounded in time and in memory: what it holds is looked at all
 * the while, and the system gives it no more than a little beyond. What cannot be read says why.
 * @throws the reason of a signal that was given
 */
export async function readApart(
  original: Original,
  limits: Partial<ReadLimits> = {},
  { signal, told }: Watch = {},
): Promise<ReadAnswer> {
  signal?.throwIfAborted();
  const { withinMs, memoryMb, aheadMb, lookMs } = { ...LIMITS, ...limits };
  const tooLarge: ReadAnswer = { unreadable: { code: 'too_much_memory', params: { mb: memoryMb } } };
  // No environment: the process has no business with what stands in it. The limit counts all writable memory,
  // unlike that of the heap.
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      BOUNDED,
      'sh',
      String((memoryMb + aheadMb) * 1024),
      process.execPath,
      `--max-old-space-size=${memoryMb}`,
      ENTRY,
    ],
    { env: {}, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] },
  );
  let ended: ReadAnswer | null = null;
  const end = (why: ReadAnswer): void => {
    ended ??= why;
    child.kill('SIGKILL');
  };
  const late = setTimeout(
    () => end({ unreadable: { code: 'too_late', params: { seconds: withinMs / 1000 } } }),
    withinMs,
  );
  const looking = setInterval(
    () => void residentMb(child).then((held) => held > memoryMb && end(tooLarge)),
    lookMs,
  );
  const leave = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', leave);
  // Read in any case: the process would otherwise stand before a full channel.
  tellPages(child, told ?? (() => undefined));
  try {
    const { text, said } = await exchange(child, original, () => end(tooLarge));
    signal?.throwIfAborted();
    if (ended) return ended;
    const answer = parsed(text);
    if (answer === null) return /out of memory|allocation failed|bad_alloc/i.test(said) ? tooLarge : BROKEN;
    return 'tooLarge' in answer ? tooLarge : answer;
  } finally {
    clearTimeout(late);
    clearInterval(looking);
    signal?.removeEventListener('abort', leave);
  }
}

/** Hands the original over and takes what is answered, until the process has ended. */
async function exchange(
  child: ChildProcess,
  { bytes, ...what }: Original,
  tooMuch: () => void,
): Promise<{ text: string; said: string }> {
  const answer: Buffer[] = [];
  const errors: Buffer[] = [];
  let size = 0;
  child.stdout?.on('data', (part: Buffer) => {
    size += part.length;
    if (size > MAX_ANSWER) tooMuch();
    else answer.push(part);
  });
  child.stderr?.on('data', (part: Buffer) => errors.length < 64 && errors.push(part));
  // A process that ends before it has read everything closes its end.
  child.stdin?.on('error', () => undefined);
  child.stdin?.write(`${JSON.stringify(what)}\n`);
  child.stdin?.end(bytes);
  await new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
  return { text: Buffer.concat(answer).toString('utf8'), said: Buffer.concat(errors).toString('utf8') };
}

/** The process writes on its fourth channel which page it is at, `page pages` on a line. */
function tellPages(child: ChildProcess, told: PageTold): void {
  let rest = '';
  (child.stdio[3] as Readable | null)?.on('data', (part: Buffer) => {
    const lines = (rest + part.toString('latin1')).split('\n');
    rest = (lines.pop() ?? '').slice(-MAX_LINE);
    const [, page, pages] = /^(\d{1,7}) (\d{1,7})$/.exec(lines.at(-1) ?? '') ?? [];
    if (page !== undefined && pages !== undefined) told(Number(page), Number(pages));
  });
}

function parsed(text: string): ProcessAnswer | null {
  try {
    return JSON.parse(text) as ProcessAnswer;
  } catch {
    return null;
  }
}

/** 0 for a process that has ended. */
async function residentMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}
