// What the datasets of a tenant may take, against sources that never come to an end.
import { afterEach, expect, test } from 'vitest';
import { cursorOf } from '../../../common/dataset/position.ts';
import { silentLogger } from '../../../common/log.ts';
import type { LandedShare, Source } from '../../../hq/dataset/record.ts';
import { DatasetRoomAlarms } from '../../../hq/dataset/room.ts';
import { viewSource } from '../../../hq/dataset/view.ts';
import { type DatasetSource, rowTime } from '../../support/dataset-source.ts';
import { BY, openPullRig, type PullRig } from './rig.ts';

let rig: PullRig;
afterEach(() => rig.close());

const ROWS = { rows: { size: 'integer', text: 'string' } } as const;
const PAGE = 100;
const AMPLE: LandedShare = { rows: 1_000_000, bytes: 1_000_000_000 };

/** A page of rows that were never there, and more to come, whenever it is asked; so up to the page `last`. */
function endless(source: DatasetSource, { text = 'x', last = 200 } = {}): void {
  source.answering = (response, _body, call) => {
    const items = Array.from({ length: PAGE }, (_, index) => {
      const at = call * PAGE + index;
      return { pk: String(at), updated_at: rowTime(at), deleted: false, size: at, text };
    });
    const { pk, updated_at: updatedAt } = items.at(-1) ?? { pk: '', updated_at: '' };
    response.end(
      JSON.stringify({
        items,
        hasMore: call < last,
        schemaVersion: source.version,
        asOf: rowTime(3_600_000_000),
        nextCursor: cursorOf({ updatedAt, pk }),
      }),
    );
  };
}

async function opened(most: LandedShare): Promise<{ source: DatasetSource; look: () => Promise<void> }> {
  rig = await openPullRig({ most });
  const source = await rig.source({ ...ROWS });
  const { store, clock } = rig;
  const room = new DatasetRoomAlarms({
    sources: store.datasetSources,
    alarms: store.alarms,
    most,
    self: 'hq',
    clock,
    log: silentLogger(),
  });
  return { source, look: () => room.look() };
}

const shown = (source: Source) => viewSource(source, rig.clock.now()).datasets[0];
const standing = async () =>
  (await rig.store.alarms.list({ tenantCode: null, includeCleared: false }, 100))
    .map(({ key, severity }) => `${key.split(':')[0]} ${severity}`)
    .sort();

test('a source that never ends stops at the rows of its tenant, and nothing that has landed is lost', async () => {
  const { source, look } = await opened({ ...AMPLE, rows: 1_000 });
  endless(source);
  const joined = await rig.join(source, { pageRows: PAGE });
  const pulled = await rig.pull(joined);
  expect(shown(pulled)).toMatchObject({ rowsKept: 1_000, rowsTotal: 1_000, failures: 1, mode: 'landing' });
  expect(shown(pulled)?.lastError).toContain('1000 of 1000 rows');
  expect(shown(pulled)?.lastErrorZh).toContain('1000 行中的 1000 行');
  expect(rig.puller.counts).toMatchObject({ full: 1, failed: 0, refused: 0, rows: 1_000 });
  expect(await rig.landed(joined, 'rows')).toHaveLength(1_000);
  await look();
  expect(await standing()).toEqual(['dataset_full critical', 'dataset_room warning']);
  expect((await rig.alarms()).join(' ')).toContain('100 %');
  expect((await rig.alarms()).join(' ')).toContain('the largest is rows of source');
  // The next try goes out from the page that was not taken.
  const { targets } = source;
  const tried = targets.length;
  await rig.pull(joined);
  expect(targets[tried]).toBe(targets[10]);
  expect(await rig.landed(joined, 'rows')).toHaveLength(1_000);
});

test('it is told before the room is full, while the pull goes on', async () => {
  const { source, look } = await opened({ ...AMPLE, rows: 1_000 });
  const before: string[][] = [];
  endless(source);
  const { answering } = source;
  source.answering = (response, body, call) => {
    // The page before is being stored while this one is asked for.
    void (call === 7 || call === 10 ? look().then(standing) : Promise.resolve(null)).then((alarms) => {
      if (alarms) before.push(alarms);
      answering(response, body, call);
    });
  };
  await rig.pull(await rig.join(source, { pageRows: PAGE }));
  expect(before).toEqual([[], ['dataset_room warning']]);
});

test('bytes are bounded as rows are, of long rows and of ones that grow', async () => {
  const { source } = await opened({ ...AMPLE, bytes: 2_000_000 });
  endless(source, { text: 'x'.repeat(3_000) });
  const joined = await rig.join(source, { pageRows: PAGE });
  const pulled = await rig.pull(joined);
  const [{ bytes } = { bytes: 0 }] = await rig.query<{ bytes: number }>(
    'select sum(octet_length(fields) + octet_length(pk) + 200)::int as bytes from dataset_rows',
  );
  expect(shown(pulled)).toMatchObject({ rowsKept: 600, bytesKept: bytes });
  expect(shown(pulled)?.lastError).toContain(`${bytes} of 2000000 bytes`);
});

test('what makes nothing larger is taken by a tenant without room, and what others have is theirs', async () => {
  const { source } = await opened({ ...AMPLE, rows: 50 });
  for (let pk = 1; pk <= 50; pk += 1) source.put('rows', pk, { size: 1, text: 'before' });
  const joined = await rig.join(source);
  await rig.pull(joined);
  source.put('rows', 7, { size: 2, text: 'after' });
  source.delete('rows', 8);
  expect((await rig.pull(joined)).lastError).toBeNull();
  expect(await rig.landed(joined, 'rows')).toHaveLength(49);
  source.put('rows', 51, { size: 1, text: '' });
  expect((await rig.pull(joined)).lastError).toContain('50 of 50 rows');

  const other = await rig.source({ ...ROWS });
  for (let pk = 1; pk <= 50; pk += 1) other.put('rows', pk, { size: 1, text: '' });
  const theirs = await rig.join(other, { tenant: 'other', name: 'theirs' });
  expect((await rig.pull(theirs)).lastError).toBeNull();
  expect(await rig.landed(theirs, 'rows')).toHaveLength(50);
});

test('once there is room the pull goes on where it stood, and the alarms are over', async () => {
  const { source, look } = await opened({ ...AMPLE, rows: 1_000 });
  const big = await rig.source({ other: ROWS.rows });
  for (let pk = 1; pk <= 500; pk += 1) big.put('other', pk, { size: 1, text: '' });
  const taking = await rig.join(big, { name: 'taking' });
  await rig.pull(taking);
  endless(source, { last: 8 });
  const joined = await rig.join(source, { pageRows: PAGE });
  await rig.pull(joined);
  await look();
  expect(await standing()).toEqual(['dataset_full critical', 'dataset_room warning']);
  await rig.store.datasetSources.remove(taking.id, null, BY(rig.clock));
  const next = source.calls;
  endless(source, { last: next + 3 });
  expect((await rig.pull(joined)).lastError).toBeNull();
  await look();
  expect(await standing()).toEqual(['dataset_room warning']);
  expect(await rig.state(joined, 'rows')).toMatchObject({ rowsKept: 800, mode: 'increment' });
});

test('a recompute counts what is there once, and what is gone gives its bytes back', async () => {
  const { source } = await opened(AMPLE);
  for (let pk = 1; pk <= 20; pk += 1) source.put('rows', pk, { size: 1, text: 'x'.repeat(500) });
  const joined = await rig.join(source, { pageRows: 7 });
  await rig.pull(joined);
  const { bytesKept: before } = await rig.state(joined, 'rows');
  for (let pk = 1; pk <= 5; pk += 1) source.rows.get('rows')?.delete(String(pk));
  await rig.store.datasetSources.request(joined.id, null, { recompute: ['rows'] }, BY(rig.clock));
  await rig.pull(joined);
  const [kept] = await rig.query<{ rows: number; bytes: number }>(
    'select count(*)::int as rows, sum(octet_length(fields) + octet_length(pk) + 200)::int as bytes from ' +
      'dataset_rows',
  );
  const { rowsKept, bytesKept } = await rig.state(joined, 'rows');
  expect({ rows: rowsKept, bytes: bytesKept }).toEqual(kept);
  expect(bytesKept).toBeLessThan(before);
});
