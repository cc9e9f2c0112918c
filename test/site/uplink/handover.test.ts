// Notifications whose answer was lost: what is said of them is what is known.
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import type { HandedResult, NotificationsRequest } from '../../../common/uplink/notification.ts';
import { createHttpClient } from '../../../site/http-client.ts';
import { NotificationHandover } from '../../../site/uplink/notification/sender.ts';
import { SECOND } from '../../support/clock.ts';
import { HttpPeer } from '../../support/http-peer.ts';
import { openRig, type Rig } from './rig.ts';

const HOUR = 3_600 * SECOND;
let rig: Rig;
let hub: HttpPeer;
let handover: NotificationHandover;

beforeEach(async () => {
  rig = await openRig();
  hub = await new HttpPeer().open();
  handover = new NotificationHandover({
    handover: rig.store.handover,
    envelope: () => ({ version: '0', instance: 'site-1', epoch: 'e' }),
    alarms: rig.store.alarms,
    self: 'site-1',
    client: createHttpClient(),
    key: () => ({ keyId: 'k', secret: 's' }),
    url: hub.url,
    clock: rig.clock,
    log: silentLogger(),
  });
  handover.answered();
});
afterEach(async () => {
  await hub.close();
  await rig.close();
});

const round = async (): Promise<void> => {
  rig.clock.advance(200 * SECOND);
  await handover.round(new AbortController().signal);
};
const asked = (): NotificationsRequest[] =>
  hub.heard.map(({ body }) => JSON.parse(body.toString()) as NotificationsRequest);
const answer = (state: HandedResult['state']): void => {
  hub.respond = ({ body }) => {
    const { items, asked: ids } = JSON.parse(body.toString()) as NotificationsRequest;
    const all = [...items.map(({ id }) => id), ...ids];
    const results = all.map((id) => ({ id, state, channels: ['duty'], reason: null, at: 1 }));
    return { body: JSON.stringify({ results }) };
  };
};
const row = async () =>
  (await rig.store.notifications.list({ tenantCode: 'acme', includeTest: true }, null, 10))[0];
const alarm = async () => (await rig.alarm('notification_failed:acme:chat'))?.message ?? null;

/** A message that headquarters was told of, whose answer was lost, and which is too late by now. */
async function lost(): Promise<void> {
  const db = new Database(path.join(rig.dir, 'site.db'));
  db.prepare(
    `INSERT INTO notifications (id, seq, tenant_code, kind, channel, handover, severity, message, is_test, state,
       attempts, next_at, created_at)
     VALUES ('n1', 1, 'acme', 'task', 'chat', 'waiting', 'high', 'hello', 0, 'pending', 0, 0, ?)`,
  ).run(rig.clock.now());
  db.close();
  hub.respond = () => ({ status: 500 });
  await round();
  expect(asked()[0]?.items).toHaveLength(1);
  rig.clock.advance(5 * HOUR);
}

test('it is not said to have failed, and headquarters is asked by its id when it answers again', async () => {
  await lost();
  await round();
  expect(await row()).toMatchObject({ state: 'pending', handover: 'late' });
  expect(await alarm()).toContain('not known');
  answer('sent');
  rig.clock.advance(200 * SECOND);
  await round();
  expect(asked().at(-1)).toMatchObject({ items: [], asked: [expect.any(String) as string] });
  expect(await row()).toMatchObject({ state: 'sent', deliveredBy: 'duty' });
  expect((await rig.alarm('notification_failed:acme:chat'))?.clearedAt).not.toBeNull();
  expect(handover.counts).toMatchObject({ delivered: 1, failed: 0 });
});

test('what headquarters does not have has failed, and is not handed up so late', async () => {
  await lost();
  answer('unknown');
  await round();
  await round();
  expect(asked().at(-1)?.items).toEqual([]);
  expect(await row()).toMatchObject({ state: 'failed' });
  expect((await row())?.lastError).toContain('does not have it');
});
