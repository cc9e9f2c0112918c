// One of two hubs behind a balancer is frozen: it takes connections, and never answers.
import net, { type AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type HttpClient, TransportError } from '../../../common/http/outbound/client.ts';
import { MAX_HOLD_MS } from '../../../common/uplink/inbox.ts';
import { createHttpClient } from '../../../site/http-client.ts';
import { Patience } from '../../../site/uplink/patience.ts';
import { SECOND } from '../../support/clock.ts';
import { HubDouble } from './hub-double.ts';
import { openRig } from './rig.ts';

const closing: (() => Promise<unknown> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const portOf = (server: net.Server): number => (server.address() as AddressInfo).port;

async function listening(take: (socket: net.Socket) => void): Promise<{ url: string; taken: net.Socket[] }> {
  const taken: net.Socket[] = [];
  const server = net.createServer((socket) => {
    taken.push(socket);
    socket.on('error', () => socket.destroy());
    take(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of taken) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${portOf(server)}`, taken };
}

const clientOf = (): HttpClient => {
  const client = createHttpClient();
  closing.push(() => client.close());
  return client;
};

const ask = (url: string) => ({ method: 'GET', url, timeoutMs: 60_000, silentMs: 300 }) as const;
const codeOf = (error: unknown): string => (error instanceof TransportError ? error.code : String(error));

test('the client gives up a peer that is silent, before its answer and within it', async () => {
  const mute = await listening((socket) => void socket.resume());
  expect(await clientOf().send(ask(mute.url)).catch(codeOf)).toBe('silent');
  const stuck = await listening((socket) =>
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[')),
  );
  expect(await clientOf().send(ask(stuck.url)).catch(codeOf)).toBe('silent');
});

test('it waits for as long as something comes, and keeps no other connection to a silent peer', async () => {
  let answering = true;
  const beats: NodeJS.Timeout[] = [];
  const peer = await listening((socket) =>
    socket.on('data', () => {
      if (!answering) return;
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\n');
      const rest = [' ', ' ', ' ', ' ', '[', ']'];
      const beat = setInterval(() => {
        const next = rest.shift();
        if (next === undefined) clearInterval(beat);
        else socket.write(next);
      }, 100);
      beats.push(beat);
    }),
  );
  closing.push(() => beats.forEach((beat) => clearInterval(beat)));
  const client = clientOf();
  const both = await Promise.all([client.send(ask(peer.url)), client.send(ask(peer.url))]);
  expect(both.map(({ body }) => JSON.parse(body.toString('utf8')) as unknown)).toEqual([[], []]);
  answering = false;
  const [first, second] = peer.taken as [net.Socket, net.Socket];
  const ended = Promise.all(
    [first, second].map((socket) => new Promise((gone) => socket.once('close', gone))),
  );
  expect(await client.send(ask(peer.url)).catch(codeOf)).toBe('silent');
  await ended;
});

test('the other hub has what was sent with the next try, without a connection for nothing between', async () => {
  const idle = new HubDouble();
  await idle.open();
  closing.push(() => idle.close());
  const target = Number(new URL(idle.url).port);
  const balancer = await listening((socket) => {
    // Every first of two connections is of the hub that is frozen.
    if (balancer.taken.length % 2 === 1) return void socket.resume();
    const onward = net.connect(target, '127.0.0.1');
    onward.on('error', () => socket.destroy());
    socket.pipe(onward).pipe(socket);
    socket.on('close', () => onward.destroy());
  });
  const rig = await openRig({ url: balancer.url, holdMs: MAX_HOLD_MS });
  closing.push(() => rig.close());
  await rig.events(1);
  await rig.round();
  expect(rig.sender.link.state).toBe('never');
  expect(idle.kept.events).toEqual([]);
  rig.clock.advance(10 * SECOND);
  await rig.drain();
  expect(idle.kept.events).toEqual([1]);
  expect(rig.sender.link.state).toBe('up');
  expect(balancer.taken).toHaveLength(2);
});

test('a hub that is alive and slow is given more time with each try, and less once it is quick again', () => {
  const patience = new Patience();
  const first = patience.forBody(0);
  expect(first).toBeLessThan(10_000);
  // What is handed to the system may still be on a slow line.
  expect(patience.forBody(1024 * 1024)).toBeGreaterThan(first + 30_000);
  patience.failed();
  expect(patience.forBody(0)).toBe(2 * first);
  for (let more = 0; more < 5; more += 1) patience.failed();
  expect(patience.forBody(0)).toBe(60_000);
  patience.answered(15_000);
  expect(patience.forBody(0)).toBe(30_000);
  patience.answered(200);
  expect(patience.forBody(0)).toBe(first);
});
