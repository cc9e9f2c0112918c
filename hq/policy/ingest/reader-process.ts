// The process that reads one original: what a hostile document does to it, it does to nobody else. The file
// comes on standard input after a line that says what it is, the answer goes to standard output.
import { writeSync } from 'node:fs';
import { type Original, readOriginal } from './read.ts';
import type { ProcessAnswer } from './reader.ts';
import { Unreadable } from './unreadable.ts';

const LINE_END = 0x0a;
/** The channel on which it says at which page it is. */
const PAGES = 3;
const TELL_EVERY_MS = 250;
const OUT_OF_MEMORY = /allocation failed|out of memory|Invalid (?:array buffer|typed array|string) length/i;

async function takeIn(): Promise<Original> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin as AsyncIterable<Buffer>) parts.push(part);
  const all = Buffer.concat(parts);
  const head = all.indexOf(LINE_END);
  const what = JSON.parse(all.toString('utf8', 0, head)) as Omit<Original, 'bytes'>;
  return { ...what, bytes: all.subarray(head + 1) };
}

function answerOf(error: unknown): ProcessAnswer {
  // A reader says that a document is damaged also where it got no memory for it.
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (OUT_OF_MEMORY.test(cause.message)) return { tooLarge: true };
  }
  return { unreadable: error instanceof Unreadable ? error.reason : { code: 'reader_broken', params: {} } };
}

let toldAt = -Infinity;
/** Not of every page: whoever reads the channel may be slower, and a full one would hold the reading up. */
function tell(page: number, pages: number): void {
  const now = performance.now();
  if (now - toldAt < TELL_EVERY_MS) return;
  toldAt = now;
  writeSync(PAGES, `${page} ${pages}\n`);
}

const answer: ProcessAnswer = await takeIn()
  .then((original) => readOriginal(original, tell))
  .catch(answerOf);
process.stdout.write(JSON.stringify(answer));
