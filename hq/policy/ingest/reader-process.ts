// The process that reads one original: what a hostile document does to it, it does to nobody else. The file
// comes on standard input after a line that says what it is, the answer goes to standard output.
import { type Original, readOriginal } from './read.ts';
import type { ProcessAnswer } from './reader.ts';
import { Unreadable } from './unreadable.ts';

const LINE_END = 0x0a;
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
  return { unreadable: error instanceof Unreadable ? error.message : 'it broke the program that reads it' };
}

const answer: ProcessAnswer = await takeIn().then(readOriginal).catch(answerOf);
process.stdout.write(JSON.stringify(answer));
