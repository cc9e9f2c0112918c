// The contract of SessionPort.
import { describe, expect, test } from 'vitest';
import { ABSOLUTE_MS, IDLE_MS } from '../../common/core/session/decide.ts';
import type { SessionRecord } from '../../common/core/session/record.ts';
import { HOUR, TEST_START } from '../support/clock.ts';
import { type Bench, type MakeHarness, useStores } from './harness.ts';
import { range } from './samples.ts';

const session = (id: string, over: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  tokenHash: `hash-${id}`,
  userName: 'li',
  role: 'operator',
  tenantCode: null,
  permissions: null,
  createdAt: TEST_START,
  lastSeenAt: TEST_START,
  expiresAt: TEST_START + ABSOLUTE_MS,
  ip: '10.0.0.7',
  userAgent: null,
  ...over,
});

const trail = async (bench: Bench, action: string) =>
  (await bench.stores.audit.list({ tenantCode: null, action }, null, 100)).map(
    ({ id: _id, ...entry }) => entry,
  );
const listed = async (bench: Bench, userName: string | null, now = TEST_START, limit = 10) =>
  (await bench.stores.sessions.list(userName, now, limit)).map((one) => one.id);

export function sessionContract(make: MakeHarness): void {
  describe('sessions', () => standing(make));
  describe('sessions: end', () => ending(make));
  describe('sessions: time', () => passing(make));
}

function standing(make: MakeHarness): void {
  const bench = useStores(make);

  test('keeps every member, and is found by its token only', async () => {
    const all = session('s', {
      role: 'customer',
      tenantCode: 'acme',
      permissions: ['events.view', 'audit.view'],
      userAgent: 'a browser',
    });
    await bench.stores.sessions.create(all, 'user:li');
    expect(await bench.stores.sessions.find('hash-s')).toEqual(all);
    expect(await bench.stores.sessions.find('HASH-S')).toBeNull();
    expect(await bench.stores.sessions.find('s')).toBeNull();
    expect(await bench.stores.sessions.list('li', TEST_START, 10)).toEqual([all]);
  });

  test('its beginning is audited, without the token', async () => {
    await bench.stores.sessions.create(
      session('s', { userName: 'chen', tenantCode: 'acme' }),
      'user:chen from 10.0.0.7',
    );
    const entries = await trail(bench, 'session.started');
    expect(entries).toMatchObject([
      { at: TEST_START, actor: 'user:chen from 10.0.0.7', subject: 'user:chen', tenantCode: 'acme' },
    ]);
    expect(JSON.stringify(entries)).not.toContain('hash-s');
  });

  test('a token that is taken is refused', async () => {
    await bench.stores.sessions.create(session('s'), 'a');
    await expect(
      bench.stores.sessions.create(session('t', { tokenHash: 'hash-s', userName: 'wu' }), 'a'),
    ).rejects.toThrow();
    expect(await bench.stores.sessions.find('hash-s')).toEqual(session('s'));
    expect(await trail(bench, 'session.started')).toHaveLength(1);
  });

  test('lists last used first, then by id, of one user or of all, up to the limit', async () => {
    for (const id of ['b', 'a', 'c']) await bench.stores.sessions.create(session(id), 'a');
    await bench.stores.sessions.create(session('w', { userName: 'wu', lastSeenAt: TEST_START + 5 }), 'a');
    await bench.stores.sessions.touch('c', TEST_START + 9);
    expect(await listed(bench, null)).toEqual(['c', 'w', 'a', 'b']);
    expect(await listed(bench, 'li')).toEqual(['c', 'a', 'b']);
    expect(await listed(bench, 'li', TEST_START, 2)).toEqual(['c', 'a']);
    expect(await listed(bench, 'nobody')).toEqual([]);
  });

  test('outlives a restart', async () => {
    await bench.stores.sessions.create(session('s', { permissions: [] }), 'a');
    await bench.restart();
    expect(await bench.stores.sessions.find('hash-s')).toEqual(session('s', { permissions: [] }));
  });
}

function ending(make: MakeHarness): void {
  const bench = useStores(make);

  test('ends once, and is gone', async () => {
    await bench.stores.sessions.create(session('s', { tenantCode: 'acme' }), 'a');
    expect(await bench.stores.sessions.end('s', null, TEST_START + 1, 'admin')).toBe(true);
    expect(await bench.stores.sessions.end('s', null, TEST_START + 2, 'admin')).toBe(false);
    expect(await bench.stores.sessions.find('hash-s')).toBeNull();
    expect(await trail(bench, 'session.ended')).toMatchObject([
      { at: TEST_START + 1, actor: 'admin', subject: 'user:li', tenantCode: 'acme' },
    ]);
  });

  test('a user ends only sessions of its own', async () => {
    await bench.stores.sessions.create(session('s'), 'a');
    expect(await bench.stores.sessions.end('s', 'wu', TEST_START, 'user:wu')).toBe(false);
    expect(await bench.stores.sessions.find('hash-s')).not.toBeNull();
    expect(await bench.stores.sessions.end('s', 'li', TEST_START, 'user:li')).toBe(true);
  });

  test('all sessions of a user end but the one that is kept', async () => {
    for (const id of ['a', 'b', 'c']) await bench.stores.sessions.create(session(id), 'a');
    await bench.stores.sessions.create(session('w', { userName: 'wu' }), 'a');
    expect(await bench.stores.sessions.endAllOf('li', 'b', TEST_START + 1, 'admin')).toBe(2);
    expect(await listed(bench, null)).toEqual(['b', 'w']);
    expect(await trail(bench, 'session.ended')).toHaveLength(2);
    expect(await bench.stores.sessions.endAllOf('li', null, TEST_START + 1, 'admin')).toBe(1);
    expect(await bench.stores.sessions.endAllOf('li', null, TEST_START + 1, 'admin')).toBe(0);
  });

  test('of twenty that end one session, one does', async () => {
    await bench.stores.sessions.create(session('s'), 'a');
    const ended = await Promise.all(
      range(20, () => bench.stores.sessions.end('s', null, TEST_START, 'admin')),
    );
    expect(ended.filter(Boolean)).toHaveLength(1);
    expect(await trail(bench, 'session.ended')).toHaveLength(1);
  });
}

function passing(make: MakeHarness): void {
  const bench = useStores(make);

  test('a use is noted, never backwards, and brings no ended session back', async () => {
    await bench.stores.sessions.create(session('s'), 'a');
    await bench.stores.sessions.touch('s', TEST_START + 9);
    await bench.stores.sessions.touch('s', TEST_START + 4);
    expect(await bench.stores.sessions.find('hash-s')).toEqual(session('s', { lastSeenAt: TEST_START + 9 }));
    await bench.stores.sessions.end('s', null, TEST_START, 'a');
    await bench.stores.sessions.touch('s', TEST_START + 20);
    expect(await bench.stores.sessions.find('hash-s')).toBeNull();
  });

  test('what is past its time is not listed and is swept, what is not stays', async () => {
    await bench.stores.sessions.create(session('idle'), 'a');
    await bench.stores.sessions.create(session('used', { lastSeenAt: TEST_START + 1 }), 'a');
    await bench.stores.sessions.create(
      session('over', { lastSeenAt: TEST_START + HOUR, expiresAt: TEST_START + IDLE_MS }),
      'a',
    );
    const now = TEST_START + IDLE_MS;
    expect(await listed(bench, null, now - 1)).toEqual(['over', 'used', 'idle']);
    expect(await listed(bench, null, now)).toEqual(['used']);
    expect(await bench.stores.sessions.sweep(now - 1)).toBe(0);
    expect(await bench.stores.sessions.sweep(now)).toBe(2);
    expect(await bench.stores.sessions.sweep(now)).toBe(0);
    expect(await bench.stores.sessions.find('hash-idle')).toBeNull();
    expect(await bench.stores.sessions.find('hash-used')).not.toBeNull();
  });
}
