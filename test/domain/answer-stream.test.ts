// An answer that is a stream: a warning when it broke off, and none for a client that hangs up with all of
// it.
import { once } from 'node:events';
import net from 'node:net';
import { Readable } from 'node:stream';
import pino from 'pino';
import { expect, test } from 'vitest';
import { openRoute, startApp } from '../support/http-app.ts';

/**
 * The client hangs up after so many bytes of the body, of which the stream has given `ready` by then.
 * @returns what was logged
 */
async function logged(hangUpAfter: number, ready: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  // Bytes that are all there, of a stream that has not said yet that it is at its end.
  const body = new Readable({ read: () => undefined });
  for (const part of ready) body.push(part);
  const gone = new Promise<void>((resolve) => body.once('close', () => setImmediate(resolve)));
  const app = await startApp(
    [
      openRoute('GET', '/', () => ({
        body,
        contentType: 'text/plain',
        headers: { 'Content-Length': '10' },
      })),
    ],
    log,
  );
  const socket = net.connect({ host: '127.0.0.1', port: app.port });
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  let text = '';
  while ((text.split('\r\n\r\n')[1] ?? '').length < hangUpAfter)
    text += String((await once(socket, 'data'))[0]);
  socket.destroy();
  await gone;
  await app.close();
  return lines;
}

test('a client that has all the bytes that were announced may hang up', async () => {
  expect(await logged(10, ['01234', '56789'])).toEqual([]);
});

test('a client that hangs up before the end of the answer is logged', async () => {
  expect(await logged(5, ['01234'])).toEqual([expect.stringContaining('an answer broke off')]);
});
