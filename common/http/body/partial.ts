import type { IncomingMessage } from 'node:http';
import type { AppError } from '../error.ts';
import { announcedBytes, Arriving, bodyBrokenOff, bodyTooLarge, type Reading } from './body.ts';

/** What came of a body, and why that is not all of it; null: it is whole. */
export interface Came {
  raw: Buffer;
  cut: AppError | null;
}

/**
 * As `readWhole`, for a sender who does not send again: what came is kept when the rest does not come or has
 * no room. What is more than `max` is let pass up to `most` bytes, so that the sender hears the answer.
 * @throws AppError 413 for a body that is announced with more than `most` bytes
 */
export function readWhatComes(request: IncomingMessage, reading: Reading, most: number): Promise<Came> {
  if (announcedBytes(request) > most) return Promise.reject(bodyTooLarge(reading.max));
  const body = new Arriving(Math.min(announcedBytes(request), reading.max), reading);
  return new Promise((resolve) => {
    let passed = 0;
    let cut: AppError | null = null;
    let ended = false;
    const end = (why: AppError | null): void => {
      // What was handed over may be gone when the connection ends.
      if (ended) return;
      ended = true;
      cut ??= why;
      request.removeAllListeners('data');
      resolve({ raw: body.received().raw, cut });
    };
    request.on('data', (part: Buffer) => {
      passed += part.length;
      if (passed > most) return end(bodyTooLarge(reading.max));
      if (cut !== null) return;
      cut = body.takeWhatFits(part);
    });
    request.on('end', () => end(null));
    request.on('error', (cause) => end(bodyBrokenOff(cause)));
    request.on('close', () => {
      if (!request.complete) end(bodyBrokenOff());
    });
  });
}
