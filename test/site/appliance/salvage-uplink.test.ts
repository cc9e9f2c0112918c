// What travels beside the channels of events and verdicts, after a store was salvaged: nothing of it is lost,
// and nothing happens twice.
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import { writeMarker } from '../../../site/store/health/marker.ts';
import type { SiteStore } from '../../../site/store/open.ts';
import type { SiteWant } from '../../../site/uplink/evidence/port.ts';
import { room } from '../../support/evidence-room.ts';
import { anEvent, aVerdict, newDir, openStore, testClock } from '../store/support.ts';

const clock = testClock();
const WANT: SiteWant = {
  id: 'want-1',
  kind: 'put',
  tenantCode: 'north',
  eventId: 1,
  eventKey: 'k1',
  name: 'a.jpg',
  offered: false,
  askedAt: 1,
  state: 'open',
  reason: null,
  at: null,
  told: null,
};
const JOB = {
  id: WANT.id,
  tenantCode: 'north',
  eventId: 1,
  name: 'a.jpg',
  consumer: 'hq:desk',
  putUrl: 'https://files.example/a',
  access: 'sealed',
  state: 'pending',
  lastError: null,
} as const;

/** Moves the store aside as damaged, which has the next start salvage it. */
function setAside(dir: string): void {
  writeMarker(dir, { state: 'damaged', reason: 'a test says so', aside: 'site-damaged-test.db' });
  for (const suffix of ['', '-wal']) {
    const file = path.join(dir, `site.db${suffix}`);
    if (fs.existsSync(file)) fs.renameSync(file, path.join(dir, `site-damaged-test.db${suffix}`));
  }
}

async function salvaged(store: SiteStore, dir: string, change?: string): Promise<SiteStore> {
  await store.close();
  if (change !== undefined) {
    const db = new Database(path.join(dir, 'site.db'));
    db.exec(change);
    db.close();
  }
  setAside(dir);
  return openStore({ dir, offerEvidenceFrom: 'high' });
}

async function storeFile(store: SiteStore, eventId: number, name: string): Promise<void> {
  const record = { tenantCode: 'north', eventId, name, size: 10, sha256: 'a'.repeat(64), storedAt: 1 };
  await store.evidence.store(record, room(1e9), 'cam', stampOf(clock));
}

const offered = (store: SiteStore): string[] =>
  store.evidenceWants.offers(1_000_000, 100).map(({ eventKey, name }) => `${eventKey}/${name}`);

test('files that go up by themselves are offered once more, and one that is kept is not told as gone', async () => {
  const dir = newDir();
  const store = await openStore({ dir, offerEvidenceFrom: 'high' });
  await store.events.ingest([anEvent('k1'), anEvent('k2', { severity: 'low' }), anEvent('k3')], 1);
  for (const id of [1, 2, 3]) await storeFile(store, id, 'a.jpg');
  await store.evidenceWants.told([], store.evidenceWants.offers(1, 100), []);
  expect(offered(store)).toEqual(['k3/a.jpg']);

  const again = await salvaged(
    store,
    dir,
    "INSERT INTO evidence_gone VALUES (3, 'a.jpg', 5, 0), (3, 'b.jpg', 6, 0), (9, 'a.jpg', 7, 0)",
  );
  expect(offered(again)).toEqual(['k1/a.jpg', 'k3/a.jpg']);
  expect(again.evidenceWants.goneUntold(1_000_000, 100)).toMatchObject([
    { eventId: 3, name: 'b.jpg', at: 6 },
  ]);

  await again.evidenceWants.told([], again.evidenceWants.offers(1_000_000, 100), []);
  await again.close();
  expect(offered(await openStore({ dir, offerEvidenceFrom: 'high' }))).toEqual([]);
});

test('an order that was carried out stays so when headquarters tells it again; one whose job is lost is taken up', async () => {
  const dir = newDir();
  const store = await openStore({ dir });
  await store.events.ingest([anEvent('k1')], 1);
  await storeFile(store, 1, 'a.jpg');
  const lost = { want: { ...WANT, id: 'want-2' }, job: { ...JOB, id: 'want-2' } };
  await store.evidenceWants.take([{ want: WANT, job: JOB }, lost]);
  await store.evidenceJobs.done(WANT.id, 5);

  const again = await salvaged(store, dir, "DELETE FROM evidence_jobs WHERE id = 'want-2'");
  expect(again.evidenceWants.untold(10)).toEqual([]);
  await again.evidenceWants.take([{ want: WANT, job: JOB }, lost]);
  expect(again.evidenceWants.untold(10)).toMatchObject([
    { id: 'want-1', state: 'done' },
    { id: 'want-2', state: 'taken' },
  ]);
  expect(await again.evidenceJobs.get('want-2')).toMatchObject({ state: 'pending' });
});

test('tasks, groups, answers to orders and messages to cameras all go up once more', async () => {
  const dir = newDir();
  const store = await openStore({ dir });
  const stamp = stampOf(clock);
  const doc = JSON.stringify({ feedbackUrl: 'http://10.0.0.9/x' });
  await store.events.ingest([anEvent('k1', { doc })], stamp.now);
  await store.verdicts.write(aVerdict(1), stamp);
  const named = { tenantCode: 'north', by: 'li', actor: 'li' };
  const task = { type: 'disposal', eventId: 1, title: 't', severity: 'high', body: {}, suppressed: false };
  await store.tasks.create({ ...named, ...task, assigneeOrg: null, dueAt: null } as never, stamp);
  const group = { sourceKey: 'g', layer: 'L1', siteRef: 's', pointRef: null, title: null, eventIds: [1] };
  await store.incidents.upsert({ ...named, ...group, facts: null } as never, stamp);

  const again = await salvaged(
    store,
    dir,
    `INSERT INTO uplink_orders (order_id, tenant_code, kind, task_id, state, at)
       VALUES ('order-1', 'north', 'create', 1, 'done', 7);
     UPDATE tasks SET order_id = 'order-1'`,
  );
  const sent = { hubEpoch: 'hub', cursor: 1, cursorAt: null, accepted: 1, duplicates: 0, parked: [] };
  await again.uplink.advance({ channel: 'events', ...sent }, 0);
  const items = again.changes
    .read(0, 100, { eventsThrough: 1_000_000, maxBytes: 1_000_000 })
    .map(({ text }) => JSON.parse(text) as Record<string, unknown>);
  expect(items).toHaveLength(5);
  expect(items).toContainEqual(
    expect.objectContaining({
      kind: 'feedback',
      event: { key: 'k1', id: 1 },
      messages: [expect.objectContaining({ kind: 'verdict', state: 'pending' })],
    }),
  );
  expect(items).toContainEqual(expect.objectContaining({ kind: 'task', order_id: 'order-1' }));
  expect(items).toContainEqual(expect.objectContaining({ kind: 'group', id: 1 }));
  expect(items).toContainEqual(
    expect.objectContaining({ kind: 'order', order_id: 'order-1', state: 'done' }),
  );
});
