// Connections without number, that say nothing, half a head or half a body, from many addresses at once: a
// camera's post, and headquarters' answer to whoever asks for its health, get through, and people are told.
import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../common/clock.ts';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { firstOf } from '../support/campaign.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { longTest } from '../support/long.ts';
import { Scene } from '../support/process.ts';
import { expectStatus, jsonOf, request, signedCall, until } from '../support/request.ts';

/** What each connection sends and then leaves. */
const KINDS: Record<string, string> = {
  'nothing at all': '',
  'half a head': 'POST /api/core/events HTTP/1.1\r\nhost: x\r\nx-pad: ',
  'half a body':
    'POST /api/core/session/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
    'content-length: 1000\r\n\r\n{"name":"',
};
const ADDRESSES = 100;
/** The camera has an address of its own, as in the field. */
const CAMERA = '127.0.0.1';

interface Side {
  url: string;
  call: Call;
  /** Connections of the flood; more than the program has. */
  connections: number;
  key: SigningKey;
}

const scene = new Scene();
const sides = {} as Record<'site' | 'hub', Side>;
beforeAll(async () => {
  const here = await startSiteHere(scene);
  sides.site = { url: here.site.url, call: here.call, connections: 1_500, key: await here.node('gate') };
  const { hub, call } = await startHubHere(scene, systemClock);
  const made = await call('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'gate' });
  // The hub takes ten thousand: the flood is what one process may open in a test.
  sides.hub = { url: hub.url, call, connections: 3_000, key: jsonOf(expectStatus(made, 201)) };
});
afterAll(() => scene.close());

/** Keeps so many connections open, and opens each that is closed once more. @returns what ends it */
async function flood({ url, connections }: Side, bytes: string): Promise<() => void> {
  const { port, hostname } = new URL(url);
  const sockets = new Set<net.Socket>();
  let over = false;
  let opened = 0;
  const open = (nth: number): void => {
    const socket = net.connect({
      ...{ port: Number(port), host: hostname, localAddress: `127.0.1.${1 + (nth % ADDRESSES)}` },
    });
    sockets.add(socket);
    socket.on('connect', () => {
      opened += 1;
      socket.write(bytes);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      if (!over) setTimeout(() => !over && open(nth), 200);
    });
  };
  for (let nth = 0; nth < connections; nth += 1) open(nth);
  await until('the flood is there', async () => opened >= connections);
  return () => {
    over = true;
    for (const socket of sockets) socket.destroy();
  };
}

const figure = async ({ call }: Side, name: string): Promise<number> => {
  const { text } = await call('GET', '/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
};

describe.each(['site', 'hub'] as const)('at a %s', (which) => {
  test.each(firstOf(Object.keys(KINDS)))(
    'under connections that send %s a camera and a probe get through',
    async (kind) => {
      const side = sides[which];
      const end = await flood(side, KINDS[kind] ?? '');
      try {
        for (let nth = 0; nth < 20; nth += 1) {
          const body = JSON.stringify({ idempotency_key: `${kind}-${nth}`, type: 'vehicle.intrusion' });
          const posted = await signedCall({
            url: side.url,
            key: side.key,
            method: 'POST',
            path: '/api/core/events',
            body,
          });
          expectStatus(posted, 201);
          expectStatus(await request({ url: side.url, method: 'GET', path: '/healthz' }), 200);
        }
      } finally {
        end();
      }
    },
  );
});

test('what made room at a site is counted, and an alarm tells of it', async () => {
  const side = sides.site;
  expect(await figure(side, 'fieldline_connections_closed_total{why="evicted"}')).toBeGreaterThan(100);
  const alarm = await until('the alarm', async () => {
    const { items } = jsonOf<{ items: { key: string; message: string; messageZh: string }[] }>(
      await side.call('GET', '/api/core/alarms'),
    );
    return items.find(({ key }) => key === 'connections_full');
  });
  expect(alarm.message).toContain('More connections were asked for than there are');
  expect(alarm.messageZh).toContain('连接数已满');
});

longTest('a head that never ends is cut off after its time, one letter at a time or not', async () => {
  const { port, hostname } = new URL(sides.site.url);
  const socket = net.connect({ port: Number(port), host: hostname, localAddress: CAMERA });
  await once(socket, 'connect');
  socket.write('GET /healthz HTTP/1.1\r\nx: ');
  const dripping = setInterval(() => socket.write('y'), 200);
  socket.on('error', () => undefined);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  clearInterval(dripping);
  expect(answer.toString()).toContain('408 Request Timeout');
  socket.destroy();
});
