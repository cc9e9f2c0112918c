// The thread that reads one original: what a hostile document does to it, it does to nobody else.
import { parentPort, workerData } from 'node:worker_threads';
import { readOriginal, type Original } from './read.ts';
import type { ReadAnswer } from './reader.ts';
import { Unreadable } from './unreadable.ts';

const { bytes, ...rest } = workerData as Original;
const answer = (value: ReadAnswer): void => parentPort?.postMessage(value);

readOriginal({ ...rest, bytes: Buffer.from(bytes) }).then(
  answer,
  (error: unknown) => answer({ unreadable: error instanceof Unreadable ? error.message : 'it broke the program that reads it' }),
);
