// What becomes of a connection whose request was answered before it had come whole: too large, without room,
// to a wrong place. Closing it at once resets it under a caller who is still sending, and one who sends all
// before he reads never sees why he was refused.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { freePart } from './body.ts';

/** The rest of a request is read and dropped for so long, ms, and up to so many bytes. */
export const LINGER_MS = 5_000;
const LINGER_BYTES = 32 * 1024 * 1024;
/** Of so many connections at a time: of a flood the others are closed. */
const LINGER_AT_ONCE = 16;
/** After each part, ms: what is read only to be dropped takes room and time from others. */
const PAUSE_MS = 4;

const lingering = new WeakSet<object>();
let now = 0;

/** Whether the request that a connection is still bringing has its answer. */
export const isAnswered = (socket: object): boolean => lingering.has(socket);

/** As much of an answer as is needed here. */
type Response = Pick<ServerResponse, 'end' | 'write' | 'flushHeaders'>;

/** Lets an answer go out at once, and its connection be closed only when the rest of the request has come. */
export function lingerAfterAnswer(request: IncomingMessage, response: Response): void {
  const end = response.end.bind(response);
  const endLater = (content?: string | Buffer): unknown => {
    if (now >= LINGER_AT_ONCE) return end(content);
    now += 1;
    lingering.add(request.socket);
    if (content === undefined) response.flushHeaders();
    else response.write(content);
    void restOf(request).then(() => {
      now -= 1;
      end();
    });
    return response;
  };
  response.end = endLater as Response['end'];
}

function restOf(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(late);
      resolve();
    };
    const late = setTimeout(done, LINGER_MS);
    if (request.complete || request.destroyed) return done();
    let bytes = 0;
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      freePart(part);
      if (bytes > LINGER_BYTES) return done();
      request.pause();
      setTimeout(() => request.resume(), PAUSE_MS);
    });
    for (const event of ['end', 'error', 'close']) request.once(event, done);
    request.resume();
  });
}
