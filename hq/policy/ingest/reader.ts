import { Worker } from 'node:worker_threads';
import type { Original, Reading } from './read.ts';

export type ReadAnswer = Reading | { unreadable: string };

const ENTRY = new URL(import.meta.url.endsWith('.ts') ? './reader-worker.ts' : './ingest-reader.mjs', import.meta.url);
const WITHIN_MS = 120_000;
const MEMORY_MB = 1_024;

/** Reads an original in a thread of its own, bounded in time and memory. Never fails: what cannot be read says why. */
export function readApart(original: Original, withinMs = WITHIN_MS): Promise<ReadAnswer> {
  const worker = new Worker(ENTRY, { workerData: original, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB }, stdout: true, stderr: true });
  return new Promise<ReadAnswer>((resolve) => {
    const timer = setTimeout(() => resolve({ unreadable: `reading it took more than ${withinMs / 1000} s` }), withinMs);
    worker.on('message', (answer: ReadAnswer) => resolve(answer));
    worker.on('error', () => resolve({ unreadable: 'it broke the program that reads it' }));
    worker.on('exit', () => {
      clearTimeout(timer);
      resolve({ unreadable: 'it broke the program that reads it' });
    });
  }).finally(() => worker.terminate());
}
