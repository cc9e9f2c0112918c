// How many notifications of one site headquarters takes, whoever holds its key.
import { expect, test } from 'vitest';
import type { HandedResult } from '../../common/uplink/notification.ts';
import type { Handed, SiteNotificationPort } from '../../hq/notification/port.ts';
import { HandedNotifications, SITE_RATE } from '../../hq/notification/service.ts';

/** A store in memory, and what stands of the alarm. */
function opened() {
  let time = 0;
  const kept = new Map<string, HandedResult>();
  const standing = new Set<string>();
  const port: Pick<SiteNotificationPort, 'heard' | 'underWay' | 'take' | 'results'> = {
    heard: () => Promise.resolve(),
    underWay: () => Promise.resolve(0),
    take: (instance, _owned, handed: readonly Handed[]) => {
      for (const { item } of handed)
        kept.set(item.id, { id: item.id, state: 'taken', reason: null, channels: [], at: null });
      return Promise.resolve();
    },
    results: (_owned, ids) => Promise.resolve(new Map([...kept].filter(([id]) => ids.includes(id)))),
  };
  const handed = new HandedNotifications({
    port: port as SiteNotificationPort,
    events: { byKeys: () => Promise.resolve(new Map()) },
    alarms: {
      raise: (_severity, site, { code }) => Promise.resolve(void standing.add(`${code}:${site}`)),
      clear: (code, site) => Promise.resolve(void standing.delete(`${code}:${site}`)),
    },
    clock: { now: () => 0, monotonic: () => time, newId: () => 'id' },
  });
  let count = 0;
  const send = async (instance: string, many: number, from = (count += many) - many): Promise<string[]> => {
    const items = Array.from({ length: many }, (_, n) => ({
      id: `m${from + n}`,
      tenant_code: 'acme',
      event_key: null,
      kind: 'task',
      channel: 'chat',
      rule_name: null,
      severity: 'high',
      message: 'words of the site',
      is_test: false,
      created_at: 0,
    }));
    const call = { protocol: 1, version: '0', instance, epoch: 'e', backlog: many, items, asked: [] };
    const caller = { instance, owned: [instance], tenants: new Set(['acme']) };
    return (await handed.take(caller, call)).map(({ state }) => state);
  };
  return { send, standing, handed, pass: (ms: number) => (time += ms) };
}

const count = (states: readonly string[], state: string): number =>
  states.filter((one) => one === state).length;

test('more than a burst waits at the site and is told, what is known is answered, others are not held', async () => {
  const { send, standing, handed, pass } = opened();
  const burst = await send('site-1', SITE_RATE.minute);
  expect(count(burst, 'taken')).toBe(SITE_RATE.minute);
  expect(standing.size).toBe(0);
  expect(count(await send('site-1', 50), 'later')).toBe(50);
  expect([...standing]).toEqual(['site_messages_many:site-1']);
  expect(count(await send('site-1', 50, 0), 'taken')).toBe(50);
  expect(count(await send('site-2', 50), 'taken')).toBe(50);
  expect(handed.held).toBe(50);
  pass(60_000);
  expect(count(await send('site-1', 50), 'taken')).toBe(50);
  expect(standing.size).toBe(0);
});

test('an hour has its bound too', async () => {
  const { send, pass } = opened();
  let taken = 0;
  for (let minute = 0; minute < 30; minute += 1) {
    taken += count(await send('site-1', SITE_RATE.minute), 'taken');
    pass(60_000);
  }
  expect(taken).toBe(SITE_RATE.hour);
  pass(31 * 60_000);
  expect(count(await send('site-1', 10), 'taken')).toBe(10);
});
