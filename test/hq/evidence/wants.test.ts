// What headquarters counts of wanted files, while one comes to be kept.
import pg from 'pg';
import { expect, test } from 'vitest';
import { room } from '../../support/evidence-room.ts';
import { until } from '../../support/request.ts';
import { hubStores, T0, testClock } from '../store/hub.ts';

const hub = hubStores();

test('what is waited for and what was received are counted as of one moment', async () => {
  const { url } = await hub.database();
  const store = await hub.open(url, testClock());
  const wants = store.evidenceWants;
  await wants.heard('site-1', { mode: 'on_demand', backlogFiles: 0, backlogBytes: 0 }, T0);
  const want = await wants.ask(
    {
      ...{ id: 'w1', tenantCode: 'acme', instance: 'site-1', eventId: 1, eventKey: 'a', name: 'a.jpg' },
      ...{ kind: 'keep', size: 10, sha256: 'x', askedBy: 'chen' },
    },
    T0,
  );
  const counted = async () => {
    const { sites, counts } = await wants.overview();
    return [counts.get('site-1')?.files ?? 0, sites.get('site-1')?.receivedFiles];
  };
  expect(await counted()).toEqual([1, 0]);

  // Another statement holds the wants while they are to be counted, and ends with the file received.
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('begin');
  await holder.query('lock table evidence_wants in access exclusive mode');
  const during = counted();
  await until('the count waits', async () => {
    const { rows } = await holder.query<{ waits: boolean }>(
      `select exists (select 1 from pg_locks where relation = 'evidence_wants'::regclass and not granted) as waits`,
    );
    return rows[0]?.waits === true;
  });
  await holder.query('delete from evidence_wants where id = $1', [want.id]);
  await holder.query("update evidence_sites set received_files = 1 where instance = 'site-1'");
  await holder.query('commit');
  await holder.end();
  expect(await during).toEqual([1, 0]);
  expect(await counted()).toEqual([0, 1]);
});

test('a file that has come is not wanted again by whoever looked for it before', async () => {
  const { url } = await hub.database();
  const clock = testClock();
  const store = await hub.open(url, clock);
  const file = { tenantCode: 'acme', eventId: 1, name: 'a.jpg', size: 10, sha256: 'x' };
  const stamp = { now: T0, newId: () => clock.newId() };
  expect(await store.evidence.store({ ...file, storedAt: T0 }, room(100), 'site:site-1', stamp)).toBe(
    'stored',
  );
  await store.evidenceWants.ask(
    { ...file, id: 'w1', instance: 'site-1', eventKey: 'a', kind: 'keep', askedBy: 'chen' },
    T0,
  );
  expect(await store.evidenceWants.find('w1')).toBeNull();
  expect(await store.evidenceWants.ofEvent('acme', 1)).toEqual([]);
});
