// A listener that closes answers what runs, and a connection that is kept alive does not hold it up; a slow
// sender is cut off.
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { expect, test, vi } from 'vitest';
import { awaitWhileItComes } from '../../common/http/body/arrival.ts';
import { ConnectionCounts } from '../../common/http/connections.ts';
import { listen } from '../../common/http/listen.ts';
import { rawExchange } from '../support/raw.ts';

test('a request that runs when the listener closes is answered, and its kept connection is dropped', async () => {
  let arrived!: () => void;
  let release!: () => void;
  const inside = new Promise<void>((resolve) => (arrived = resolve));
  const held = new Promise<void>((resolve) => (release = resolve));
  const handle: http.RequestListener = (_request, response) => {
    arrived();
    void held.then(() => response.end('whole answer'));
  };
  const listening = await listen(handle, { at: { host: '127.0.0.1', port: 0 } });
  const agent = new http.Agent({ keepAlive: true });
  const request = http.get({ host: '127.0.0.1', port: listening.port, agent });
  await inside;
  const closed = listening.close();
  release();
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
  let text = '';
  for await (const part of answer) text += String(part);
  expect(text).toBe('whole answer');
  await closed;
  const [refused] = (await once(http.get({ host: '127.0.0.1', port: listening.port }), 'error')) as [
    NodeJS.ErrnoException,
  ];
  expect(refused.code).toBe('ECONNREFUSED');
  agent.destroy();
  // An idle connection is kept for 75 s: a close that waits for it runs out of this time.
}, 60_000);

test('half a body and then silence is cut off, and the handler never has the whole of it', async () => {
  let incoming: http.IncomingMessage | undefined;
  const listening = await listen((request) => void (incoming = request.resume()), {
    at: { host: '127.0.0.1', port: 0 },
    requestMs: 200,
  });
  const answer = await rawExchange(
    `http://127.0.0.1:${listening.port}`,
    'POST /api/core/events HTTP/1.1\r\nhost: site\r\ncontent-length: 1000\r\n\r\n{"half":',
    false,
  );
  // What came whole of a device's message is stored, so that nothing may be claimed.
  const message = 'The request took too long to arrive whole.';
  expect(answer).toMatchObject({ status: 408, body: { error: 'request_timeout', message } });
  await listening.close();
  expect(incoming?.complete ?? false).toBe(false);
});

test('a large file of a known caller may take longer than others, as long as it keeps coming', async () => {
  const LENGTH = 80_000;
  const part = Buffer.alloc(2_000);
  const listening = await listen(
    (request, response) => {
      awaitWhileItComes(request);
      request.resume().on('end', () => response.end('whole'));
    },
    { at: { host: '127.0.0.1', port: 0 }, requestMs: 500 },
  );
  const send = (parts: number): Promise<string> =>
    new Promise((resolve) => {
      const socket = net.connect({ port: listening.port, host: '127.0.0.1' });
      let text = '';
      socket.on('data', (answer) => (text += String(answer)));
      socket.on('close', () => resolve(text));
      socket.write(`PUT / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: ${LENGTH}\r\n\r\n`);
      let sent = 0;
      const next = setInterval(() => {
        if (sent === parts) return clearInterval(next);
        sent += 1;
        socket.write(part);
      }, 20);
    });
  expect(await Promise.all([send(LENGTH / part.length), send(6)])).toEqual([
    expect.stringMatching(/^HTTP\/1\.1 200 .*whole/s),
    expect.stringMatching(/^HTTP\/1\.1 408 /),
  ]);
  await listening.close();
});

test('who sends what is no request, and goes on, is told so once and cut off', async () => {
  const listening = await listen(() => null, { at: { host: '127.0.0.1', port: 0 }, requestMs: 200 });
  const socket = net.connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => null);
  const again = setInterval(() => socket.write('nonsense\r\n\r\n'), 10);
  let text = '';
  socket.on('data', (part) => (text += String(part)));
  await new Promise((resolve) => socket.once('close', resolve));
  clearInterval(again);
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 400']);
  await listening.close();
});

test('of all connections taken one that does nothing makes room; one address has half of them', async () => {
  const counts = new ConnectionCounts();
  const listening = await listen((_request, response) => response.end('here'), {
    at: { host: '127.0.0.1', port: 0 },
    connections: 4,
    counts,
  });
  const connect = (from: string): net.Socket =>
    net.connect({ host: '127.0.0.1', port: listening.port, localAddress: from });
  const ask = (from: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(from).on('error', () => socket.destroy());
      let text = '';
      socket.on('data', (part) => (text += String(part)));
      socket.on('close', () => resolve(text.includes('here') ? 'answered' : 'closed'));
      socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    });
  const idle = ['127.0.0.1', '127.0.0.1'].map(connect);
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  expect([await ask('127.0.0.1'), await ask('127.0.0.2')]).toEqual(['closed', 'answered']);
  const others = ['127.0.0.2', '127.0.0.2'].map(connect);
  await Promise.all(others.map((socket) => once(socket, 'connect')));
  const ended = Promise.race(idle.map((socket) => once(socket, 'close')));
  expect(await ask('127.0.0.3')).toBe('answered');
  await ended;
  expect(counts).toMatchObject({ refused: 1, evicted: 1 });
  for (const socket of [...idle, ...others]) socket.destroy();
  await vi.waitFor(() => expect(counts.open).toBe(0));
  await listening.close();
});
