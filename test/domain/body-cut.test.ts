// A body whose sender breaks off when what came of it was used already, and its memory given back.
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { discard, type Reading, readWhole } from '../../common/http/body/body.ts';
import { BodyBudget, SITE_BODIES } from '../../common/http/body/budget.ts';
import { readWhatComes } from '../../common/http/body/partial.ts';

const MAX = 256 * 1024;
const MOST = 1024 * 1024;

/** What came is used and discarded at once, and the connection broken off afterwards. */
async function brokenOffAfterUse(
  read: (request: http.IncomingMessage, reading: Reading) => Promise<Buffer>,
): Promise<{ bytes: number; faults: string[] }> {
  const hold = new BodyBudget(SITE_BODIES).open('proven', '127.0.0.1', MAX);
  const faults: string[] = [];
  let bytes = 0;
  const server = http.createServer((request, response) => {
    request.prependListener('error', () => undefined);
    void read(request, { max: MAX, hold, signed: false, kept: true })
      .catch((error: Error) => {
        faults.push(error.message);
        return Buffer.alloc(0);
      })
      .then((raw) => {
        bytes = raw.length;
        discard(raw, hold);
        response.flushHeaders();
        response.write('read');
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as net.AddressInfo;
  const asked = once(server, 'request') as Promise<[http.IncomingMessage]>;
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
  const part = Buffer.alloc(64 * 1024, 'a');
  for (let sent = 0; sent <= MOST; sent += part.length)
    socket.write(Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')]));
  const [request] = await asked;
  await once(socket, 'data');
  socket.resetAndDestroy();
  // Not by `once`, which the error of the connection would end.
  await new Promise((resolve) => void request.once('close', resolve));
  return { bytes, faults };
}

test('what is kept of a long one is handed over once', async () => {
  const read = async (request: http.IncomingMessage, reading: Reading) =>
    (await readWhatComes(request, reading, MOST)).raw;
  expect(await brokenOffAfterUse(read)).toEqual({ bytes: MAX, faults: [] });
});

test('one that was refused is refused once', async () => {
  const read = async (request: http.IncomingMessage, reading: Reading) =>
    (await readWhole(request, reading)).raw;
  const { bytes, faults } = await brokenOffAfterUse(read);
  expect([bytes, faults.length]).toEqual([0, 1]);
});

test('one that has come whole stays whole for who works on it', async () => {
  const hold = new BodyBudget(SITE_BODIES).open('proven', '127.0.0.1', MAX);
  let work: (raw: Buffer) => void = () => undefined;
  const working = new Promise<Buffer>((resolve) => (work = resolve));
  const server = http.createServer((request) => {
    void readWhole(request, { max: MAX, hold, signed: false, kept: true }).then(({ raw }) => work(raw));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const asked = once(server, 'request') as Promise<[http.IncomingMessage]>;
  const { port } = server.address() as net.AddressInfo;
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${MAX}\r\n\r\n`);
  socket.write(Buffer.alloc(MAX, 'a'));
  const [request] = await asked;
  const raw = await working;
  const closed = new Promise((resolve) => void request.socket.once('close', resolve));
  socket.resetAndDestroy();
  await closed;
  expect([raw.length, raw[0], raw.at(-1)]).toEqual([MAX, 97, 97]);
});
