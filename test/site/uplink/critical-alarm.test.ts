// A critical alarm of a site is at headquarters at once: it breaks into the call that is held.
import { afterEach, expect, test } from 'vitest';
import { formatTime } from '../../../common/time.ts';
import { MAX_HOLD_MS } from '../../../common/uplink/inbox.ts';
import { createHttpClient } from '../../../site/http-client.ts';
import type { ReportOrder } from '../../../site/uplink/report.ts';
import { alarm } from '../../contract/samples.ts';
import { SECOND } from '../../support/clock.ts';
import { openPair, type Pair } from './pair.ts';
import type { Rig } from './rig.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const STANDING = { tenantCode: null, includeCleared: false };

/** As a site reports, of which only the alarms matter here. */
async function reportOf(rig: Rig, order: ReportOrder): Promise<string> {
  const alarms = await rig.store.alarms.list(STANDING, 50);
  return JSON.stringify({
    order,
    at: formatTime(rig.clock.now()),
    state: 'bad',
    storing: true,
    disk: { level: 'ok', room_bytes: 1, used_bytes: 1, refused: 0 },
    shed: { events: 0, evidence: 0, evidence_bytes: 0, observations: 0 },
    clock_suspect: false,
    life_used_percent: null,
    silent_cameras: 0,
    alarms: alarms.map(({ key, severity, message, raisedAt }) => ({
      ...{ key, severity, message, code: key, message_zh: null },
      raised_at: formatTime(raisedAt),
    })),
  });
}

/** `reports`: all that were made. `instead`: what is sent in place of the next ones. */
type Reporting = Pair & {
  reports: string[];
  instead?: string | undefined;
  /** Happens between the making of the next report and its way up. */
  meanwhile?: (() => Promise<unknown>) | undefined;
};

async function pairOf(held: boolean): Promise<Reporting> {
  const pollClient = createHttpClient(null, { maxSockets: 1 });
  const reports: string[] = [];
  const pair: Reporting = Object.assign(
    await openPair(['acme'], {
      ...(held ? { pollClient, holdMs: MAX_HOLD_MS } : {}),
      report: async (order) => {
        const made = pair.instead ?? (await reportOf(pair.rig, order));
        reports.push(made);
        const { meanwhile } = pair;
        pair.meanwhile = undefined;
        await meanwhile?.();
        return made;
      },
    }),
    { reports },
  );
  closing.push(async () => {
    pollClient.close();
    await pair.close();
  });
  await pair.drain();
  return pair;
}

const atHeadquarters = async (pair: Pair): Promise<Record<string, unknown>[]> =>
  (await pair.call('GET', '/api/core/alarms')).body['items'] as Record<string, unknown>[];

async function until(pair: Pair, fits: (alarms: Record<string, unknown>[]) => boolean): Promise<void> {
  while (!fits(await atHeadquarters(pair)));
}

/** Lets the loop of the held call run until its first call is held. */
async function holding(pair: Pair): Promise<void> {
  const { poll, link } = pair.rig.sender;
  poll.loop.start();
  while (!link.held) {
    await pair.call('POST', '/api/core/events/1/verdict', { verdict: 'confirmed', by: 'duty' });
    await pair.call('GET', '/api/core/uplink/states');
  }
}

test('raising and clearing break into the held call, no channel needed, with the time of the site', async () => {
  const pair = await pairOf(true);
  const { rig } = pair;
  await rig.events(1);
  await pair.drain();
  await holding(pair);
  pair.clock.advance(45 * SECOND);
  const since = rig.clock.now();
  await rig.store.alarms.raise(alarm('disk_full', { severity: 'critical' }), since);
  await until(pair, (alarms) => alarms.length > 0);
  expect(await atHeadquarters(pair)).toMatchObject([
    { key: 'disk_full', instance: 'site-1', severity: 'critical', raisedAt: formatTime(since) },
  ]);
  await rig.store.alarms.clear('disk_full', 'site-1', rig.clock.now());
  await until(pair, (alarms) => alarms.length === 0);
});

test('where no call is held, the next one of a channel tells it, and is due at once', async () => {
  const pair = await pairOf(false);
  const { rig } = pair;
  await rig.store.alarms.raise(alarm('disk_full', { severity: 'critical' }), rig.clock.now());
  await rig.drain();
  expect(await atHeadquarters(pair)).toMatchObject([{ key: 'disk_full' }]);
  await rig.store.alarms.raise(alarm('disk_short'), rig.clock.now());
  await rig.store.alarms.clear('disk_full', 'site-1', rig.clock.now());
  await rig.drain();
  expect((await atHeadquarters(pair)).map(({ key }) => key)).toEqual(['disk_short']);
});

test('an alarm that begins while a call is under way is told by another one at once', async () => {
  const pair = await pairOf(false);
  const { rig } = pair;
  pair.meanwhile = () =>
    rig.store.alarms.raise(alarm('disk_full', { severity: 'critical' }), rig.clock.now());
  rig.clock.advance(61 * SECOND);
  await rig.drain();
  expect(pair.meanwhile).toBeUndefined();
  rig.clock.advance(SECOND);
  await rig.drain();
  expect(await atHeadquarters(pair)).toMatchObject([{ key: 'disk_full' }]);
});

test('a report that was made before, and comes after, brings no alarm back', async () => {
  const pair = await pairOf(true);
  const { rig, reports } = pair;
  await rig.events(1);
  await pair.drain();
  await holding(pair);
  await rig.store.alarms.raise(alarm('disk_full', { severity: 'critical' }), rig.clock.now());
  await until(pair, (alarms) => alarms.length > 0);
  const standing = reports.at(-1);
  await rig.store.alarms.clear('disk_full', 'site-1', rig.clock.now());
  await until(pair, (alarms) => alarms.length === 0);
  // As from a batch that took its time on a slow link.
  pair.instead = standing;
  rig.clock.advance(61 * SECOND);
  const before = reports.length;
  await rig.drain();
  expect(reports.slice(before)).toEqual([standing]);
  expect(await atHeadquarters(pair)).toEqual([]);
});
