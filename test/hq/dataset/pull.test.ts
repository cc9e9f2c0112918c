import { afterEach, describe, expect, test } from 'vitest';
import { viewSource } from '../../../hq/dataset/view.ts';
import type { DatasetSource } from '../../support/dataset-source.ts';
import { longTest } from '../../support/long.ts';
import { until } from '../../support/request.ts';
import { BY, openPullRig, type PullRig } from './rig.ts';

let rig: PullRig;
afterEach(() => rig.close());

const ROWS = { rows: { size: 'integer' } } as const;
const sorted = (source: DatasetSource, dataset = 'rows') =>
  source.live(dataset).sort((a, b) => Number(a.pk) - Number(b.pk));

async function filled(count: number, options: { pageRows?: number; overlapMs?: number } = {}) {
  rig = await openPullRig();
  const source = await rig.source({ ...ROWS });
  for (let pk = 1; pk <= count; pk += 1) source.put('rows', pk, { size: pk });
  return { source, joined: await rig.join(source, options) };
}

/** Rows of one update time, as one statement of a database gives them. */
async function crowd(count: number, options: { pageRows?: number; overlapMs?: number }) {
  rig = await openPullRig();
  const source = await rig.source({ ...ROWS });
  for (let pk = 1; pk <= count; pk += 1) source.put('rows', pk, { size: pk }, 5);
  return { source, joined: await rig.join(source, options) };
}

describe('a pull', () => {
  test('lands every row in pages, then only what is new, and calls nothing twice', async () => {
    const { source, joined } = await filled(25, { pageRows: 10 });
    expect(await rig.pull(joined)).toMatchObject({ lastError: null, running: false });
    expect(await rig.landed(joined, 'rows')).toEqual(sorted(source));
    expect(source.calls).toBe(3);
    source.put('rows', 26, { size: 1 });
    source.put('rows', 3, { size: 99 });
    source.delete('rows', 4);
    await rig.pull(joined);
    expect(await rig.landed(joined, 'rows')).toEqual(sorted(source));
    expect(await rig.state(joined, 'rows')).toMatchObject({
      mode: 'increment',
      runRows: 3,
      rowsTotal: 28,
      changedTotal: 28,
      duplicateTotal: 0,
    });
    await rig.pull(joined);
    expect(await rig.state(joined, 'rows')).toMatchObject({ runRows: 0, rowsTotal: 28 });
  });

  longTest(
    'goes through 100,000 rows of one update time, and once again for late ones, but no third time',
    async () => {
      const { source, joined } = await crowd(100_000, { pageRows: 5_000, overlapMs: 300_000 });
      expect(await rig.pull(joined)).toMatchObject({ lastError: null });
      expect(await rig.state(joined, 'rows')).toMatchObject({
        changedTotal: 100_000,
        cursor: '2026-03-01T00:00:00.000005Z|100000',
      });
      await rig.pull(joined);
      expect(await rig.state(joined, 'rows')).toMatchObject({ changedTotal: 100_000, rowsTotal: 200_000 });
      source.put('rows', 100_001, { size: 1 }, 60_000_000);
      for (const runRows of [1, 1, 0]) {
        await rig.pull(joined);
        expect(await rig.state(joined, 'rows')).toMatchObject({ runRows, changedTotal: 100_001 });
      }
    },
  );

  test('reads a crowd of one time again while its source may still commit late ones', async () => {
    const { source, joined } = await crowd(10, { overlapMs: 300_000 });
    source.asOf = '2026-03-01T00:05:00.000000Z';
    await rig.pull(joined);
    for (const pk of [0, -1]) {
      await rig.pull(joined);
      source.put('rows', pk, { size: 7 }, 4);
    }
    await rig.pull(joined);
    expect(await rig.landed(joined, 'rows')).toHaveLength(12);
    source.asOf = null;
    for (const runRows of [12, 0]) {
      await rig.pull(joined);
      expect(await rig.state(joined, 'rows')).toMatchObject({ runRows });
    }
    // Whoever reads further back wants what was settled looked at again.
    await rig.store.datasetSources.change(joined.id, null, { set: { overlapMs: 600_000 } }, BY(rig.clock));
    await rig.pull(joined);
    expect(await rig.state(joined, 'rows')).toMatchObject({ runRows: 12 });
  });

  test('reads the overlap again and takes a row that was committed late, once', async () => {
    const { source, joined } = await filled(5, { overlapMs: 1 });
    await rig.pull(joined);
    source.put('rows', 100, { size: 7 }, 2);
    await rig.pull(joined);
    expect(await rig.landed(joined, 'rows')).toEqual(sorted(source));
    await rig.pull(joined);
    expect(await rig.state(joined, 'rows')).toMatchObject({
      changedTotal: 6,
      cursor: '2026-03-01T00:00:00.000005Z|5',
    });
  });

  test('asks with keys of the source alone, so that one that compares integers can read the overlap', async () => {
    const { source, joined } = await filled(3, { overlapMs: 300_000 });
    await rig.pull(joined);
    source.put('rows', 4, { size: 4 });
    expect((await rig.pull(joined)).lastError).toBeNull();
    expect(source.targets.at(-1)).toContain(`cursor=${encodeURIComponent('2026-02-28T23:55:00.000002Z|3')}&`);
    expect(await rig.landed(joined, 'rows')).toEqual(sorted(source));
  });

  test('that fails midway keeps what has landed and goes on from there', async () => {
    const { source, joined } = await filled(30, { pageRows: 10 });
    source.answering = (response, body, call) => void (call === 3 ? response.destroy() : response.end(body));
    const failed = await rig.pull(joined);
    expect(failed.lastError).toContain('rows:');
    // How old the rows of a first pull are says nothing of how far behind it is.
    expect(viewSource(failed, rig.clock.now()).datasets[0]?.lagSeconds).toBeNull();
    expect(await rig.landed(joined, 'rows')).toHaveLength(20);
    expect(await rig.state(joined, 'rows')).toMatchObject({
      mode: 'landing',
      completedAt: null,
      failures: 1,
      runCursor: '2026-03-01T00:00:00.000020Z|20',
    });
    await rig.pull(joined);
    expect(source.calls).toBe(4);
    expect(await rig.landed(joined, 'rows')).toEqual(sorted(source));
    expect(await rig.state(joined, 'rows')).toMatchObject({
      failures: 0,
      lastError: null,
      changedTotal: 30,
      duplicateTotal: 0,
    });
  });

  test.each<[string, (source: DatasetSource) => void, RegExp]>([
    [
      'truncates',
      (source) => (source.answering = (response, body) => void response.end(body.slice(0, -20))),
      /not JSON/,
    ],
    [
      'breaks off',
      (source) =>
        (source.answering = (response, body) => {
          response.setHeader('content-length', body.length + 10);
          response.write(body, () => response.destroy());
        }),
      /127\.0\.0\.1:\d+ broke off its answer \(ECONNRESET\); check the network$/,
    ],
    [
      'answers 500',
      (source) => (source.answering = (response) => void response.writeHead(500).end('no')),
      /answered 500/,
    ],
    [
      'redirects',
      (source) =>
        (source.answering = (response) =>
          void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()),
      /redirects are not followed/,
    ],
    [
      'gives the same page again',
      (source) => {
        source.put('rows', 1, { size: 1 }, 1);
        source.put('rows', 2, { size: 1 }, 1);
        const first = source.live('rows').slice(0, 1);
        source.spoil = () => first;
      },
      /again and again/,
    ],
    [
      'gives an older page',
      (source) => {
        const first = source.live('rows').slice(0, 1);
        source.spoil = (items, call) => (call < 3 ? items : first);
      },
      /before/,
    ],
    [
      'says that there is more and gives nothing',
      (source) => (source.spoil = (items, call) => (call === 1 ? items : [])),
      /empty and says that there is more/,
    ],
  ])(
    'of a source that %s stops, says why, and ends right once the source is well',
    async (_what, spoil, reason) => {
      const { source, joined } = await filled(5, { pageRows: 1 });
      spoil(source);
      expect((await rig.pull(joined)).lastError).toMatch(reason);
      expect((await rig.state(joined, 'rows')).lastError).toMatch(reason);
      source.answering = (response, body) => void response.end(body);
      source.spoil = (items) => items;
      await rig.pull(joined);
      expect(await rig.landed(joined, 'rows')).toEqual(sorted(source));
      expect(await rig.alarms()).toEqual([]);
    },
  );

  test('of a source that does not answer leaves other sources in peace', async () => {
    rig = await openPullRig();
    const [mute, well] = [await rig.source({ ...ROWS }), await rig.source({ ...ROWS })];
    for (const source of [mute, well]) source.put('rows', 1, { size: 1 });
    const answers: (() => void)[] = [];
    mute.answering = (response, body) => void answers.push(() => response.end(body));
    const [first, second] = [await rig.join(mute, { name: 'mute' }), await rig.join(well, { name: 'well' })];
    await rig.scheduler.round();
    await until(
      'the other source is read',
      async () => (await rig.state(second, 'rows')).completedAt !== null,
    );
    expect(await rig.store.datasetSources.get(first.id, null)).toMatchObject({ running: true });
    await until('the first is asked', async () => answers.length > 0);
    for (const answer of answers) answer();
    await rig.scheduler.settled();
    expect(await rig.landed(first, 'rows')).toEqual(sorted(mute));
  });

  test('of a source that never answers ends after its time, with an alarm at the third time in a row', async () => {
    const { source, joined } = await filled(1);
    source.answering = () => undefined;
    rig.wait(200);
    expect(await rig.pull(joined)).toMatchObject({
      running: false,
      failures: 1,
      lastError: expect.stringMatching(
        /no answer within 200 ms; check the network and the firewall$/,
      ) as string,
    });
    await rig.pull(joined);
    expect(await rig.alarms()).toEqual([]);
    await rig.pull(joined);
    expect(await rig.alarms()).toEqual([
      'source, dataset rows: no answer within 200 ms; check the network and the firewall',
    ]);
    // Another process of headquarters, of another name, has told it too.
    await rig.store.alarms.raise(
      {
        key: `dataset_pull:${joined.id}:rows`,
        instance: 'hq-b',
        tenantCode: 'acme',
        severity: 'warning',
        message: 'told elsewhere',
      },
      rig.clock.now(),
    );
    rig.wait(undefined);
    source.answering = (response, body) => void response.end(body);
    await rig.pull(joined);
    expect([await rig.landed(joined, 'rows'), await rig.alarms()]).toEqual([sorted(source), []]);
  });

  test('takes a page with more rows than it asked for, but none with more than a page may have', async () => {
    const { source, joined } = await filled(30, { pageRows: 10 });
    source.ignoresLimit = true;
    await rig.pull(joined);
    expect([await rig.landed(joined, 'rows'), source.calls]).toEqual([sorted(source), 1]);
    for (let pk = 31; pk <= 5_031; pk += 1) source.put('rows', pk, { size: pk });
    expect((await rig.pull(joined)).lastError).toBe('rows: The page has 5001 rows; a page has at most 5000.');
    expect([(await rig.landed(joined, 'rows')).length, await rig.alarms()]).toEqual([
      30,
      [expect.stringContaining('5001 rows')],
    ]);
    source.rows.get('rows')?.delete('5031');
    await rig.pull(joined);
    expect([(await rig.landed(joined, 'rows')).length, await rig.alarms()]).toEqual([5_030, []]);
  });

  test('of a source that is down is told once, whatever it has, until it answers', async () => {
    rig = await openPullRig();
    const source = await rig.source({ rows: { size: 'integer' }, more: { size: 'integer' } });
    source.answering = (response) => void response.writeHead(500).end();
    const joined = await rig.join(source);
    for (let run = 0; run < 3; run += 1) await rig.pull(joined);
    expect(await rig.alarms()).toEqual([
      expect.stringMatching(/^source: nothing of it can be pulled \(2 datasets\): .*answered 500/),
    ]);
    source.answering = (response, body) => void response.end(body);
    await rig.pull(joined);
    expect(await rig.alarms()).toEqual([]);
  });

  test('waits where the source limits its calls', async () => {
    const { source, joined } = await filled(3);
    source.answering = (response, body, call) =>
      void (call === 1 ? response.writeHead(429, { 'retry-after': '7' }).end() : response.end(body));
    expect((await rig.pull(joined)).lastError).toBeNull();
  });

  test('gives its place up to others where the source takes no calls at all', async () => {
    rig = await openPullRig();
    const source = await rig.source({ rows: { size: 'integer' }, more: { size: 'integer' } });
    for (const dataset of ['rows', 'more']) source.put(dataset, 1, { size: 1 });
    source.answering = (response) => void response.writeHead(429, { 'retry-after': '120' }).end();
    const joined = await rig.join(source);
    expect((await rig.pull(joined)).lastError).toMatch(/answered 429/);
    expect(source.calls).toBe(3);
    source.answering = (response, body) => void response.end(body);
    expect((await rig.pull(joined)).lastError).toBeNull();
    expect([await rig.landed(joined, 'rows'), await rig.landed(joined, 'more')]).toEqual([
      sorted(source),
      sorted(source, 'more'),
    ]);
  });
});

describe('datasets of one source', () => {
  test('take turns, and those that are at their end are read again when it is asked for', async () => {
    rig = await openPullRig();
    const source = await rig.source({ large: { size: 'integer' }, small: { size: 'integer' } });
    for (let pk = 1; pk <= 400; pk += 1) source.put('large', pk, { size: pk });
    source.put('small', 1, { size: 1 });
    const joined = await rig.join(source, { pageRows: 10 });
    const seen: string[] = [];
    source.answering = (response, body, call) => {
      const dataset = source.targets.at(-1)?.includes('/small') ? 'small' : 'large';
      if (dataset !== seen.at(-1)) seen.push(dataset);
      if (call !== 15) return void response.end(body);
      source.put('small', 2, { size: 2 });
      void rig.store.datasetSources
        .request(joined.id, null, { recompute: null }, BY(rig.clock))
        .then(() => response.end(body));
    };
    expect(await rig.pull(joined)).toMatchObject({ lastError: null });
    expect(seen).toEqual(['large', 'small', 'large', 'small', 'large']);
    expect([await rig.landed(joined, 'large'), await rig.landed(joined, 'small')]).toEqual([
      sorted(source, 'large'),
      sorted(source, 'small'),
    ]);
  });

  test('are read again by the schedule while a long one is under way', async () => {
    rig = await openPullRig();
    const source = await rig.source({ large: { size: 'integer' }, small: { size: 'integer' } });
    for (let pk = 1; pk <= 400; pk += 1) source.put('large', pk, { size: pk });
    source.put('small', 1, { size: 1 });
    const joined = await rig.join(source, { pageRows: 10 });
    source.answering = (response, body, call) => {
      if (call === 15) rig.clock.advance(24 * 3_600_000);
      response.end(body);
    };
    await rig.pull(joined);
    expect(source.targets.filter((target) => target.includes('/small'))).toHaveLength(2);
    expect(await rig.landed(joined, 'large')).toHaveLength(400);
  });

  test('of which one fails leave the others their turns', async () => {
    rig = await openPullRig();
    const source = await rig.source({ bad: { size: 'integer' }, good: { size: 'integer' } });
    for (let pk = 1; pk <= 300; pk += 1)
      for (const dataset of ['bad', 'good']) source.put(dataset, pk, { size: pk });
    source.spoil = (items, call) => (call === 25 ? items.map((item) => ({ ...item, size: 'x' })) : items);
    const joined = await rig.join(source, { pageRows: 10 });
    expect((await rig.pull(joined)).lastError).toMatch(/^(?:bad|good): The field size of row 1/);
    const landed = await Promise.all(['bad', 'good'].map((name) => rig.landed(joined, name)));
    expect(landed.map(({ length }) => length).sort((a, b) => b - a)[0]).toBe(300);
    expect((await rig.pull(joined)).lastError).toBeNull();
    expect(await rig.landed(joined, 'bad')).toEqual(sorted(source, 'bad'));
  });
});

describe('rows stamped after the time of their source', () => {
  const NOW = '2026-03-01T00:10:00.000000Z';
  const HOUR = 3_600_000_000;

  test('are left and named, everything else goes on, and they come when their time has come', async () => {
    const { source, joined } = await filled(3);
    source.asOf = NOW;
    source.put('rows', 900, { size: 9 }, HOUR);
    expect((await rig.pull(joined)).lastError).toBeNull();
    source.put('rows', 4, { size: 4 });
    await rig.pull(joined);
    expect((await rig.landed(joined, 'rows')).map(({ pk }) => pk)).toEqual(['1', '2', '3', '4']);
    expect(await rig.state(joined, 'rows')).toMatchObject({
      failures: 0,
      cursor: '2026-03-01T00:00:00.000004Z|4',
      lastError: expect.stringContaining('pk 900 (2026-03-01T01:00:00.000000Z)') as string,
    });
    expect(await rig.alarms()).toEqual([expect.stringMatching(/^source, dataset rows: .*pk 900/)]);
    source.asOf = null;
    await rig.pull(joined);
    expect(await rig.landed(joined, 'rows')).toEqual(sorted(source));
    expect([await rig.alarms(), (await rig.state(joined, 'rows')).lastError]).toEqual([[], null]);
  });

  test('are not deleted by a recompute that leaves them', async () => {
    const { source, joined } = await filled(3);
    await rig.pull(joined);
    source.asOf = NOW;
    source.put('rows', 2, { size: 9 }, HOUR);
    source.rows.get('rows')?.delete('1');
    await rig.store.datasetSources.request(joined.id, null, { recompute: 'all' }, BY(rig.clock));
    await rig.pull(joined);
    expect((await rig.landed(joined, 'rows')).map(({ pk, size }) => [pk, size])).toEqual([
      ['2', 2],
      ['3', 3],
    ]);
  });

  test('by no more than clocks differ come with the next run, and nobody is told', async () => {
    const { source, joined } = await filled(3);
    source.asOf = '2026-03-01T00:00:00.000002Z';
    await rig.pull(joined);
    expect([await rig.landed(joined, 'rows'), await rig.alarms()]).toEqual([sorted(source).slice(0, 2), []]);
    source.asOf = null;
    await rig.pull(joined);
    expect(await rig.landed(joined, 'rows')).toEqual(sorted(source));
  });
});

describe('the contract', () => {
  test('a batch with an undeclared field is refused whole, an alarm names the field, and it clears', async () => {
    const { source, joined } = await filled(3);
    await rig.pull(joined);
    source.put('rows', 4, { size: 1 });
    source.put('rows', 5, { size: 1, salary: 1 });
    await rig.pull(joined);
    expect(await rig.landed(joined, 'rows')).toHaveLength(3);
    expect(await rig.alarms()).toEqual([
      expect.stringMatching(/^source, dataset rows: The field salary of row 2 \(pk 5\)/),
    ]);
    source.put('rows', 5, { size: 1 });
    await rig.pull(joined);
    expect(await rig.landed(joined, 'rows')).toHaveLength(5);
    expect(await rig.alarms()).toEqual([]);
  });

  test('a new one is offered, holds the pull, and is taken when it is accepted', async () => {
    const { source, joined } = await filled(3);
    await rig.pull(joined);
    source.fields = { rows: { size: 'integer', weight: 'decimal' } };
    source.version = '2';
    source.put('rows', 4, { size: 1, weight: 0.5 });
    expect((await rig.pull(joined)).lastError).toMatch(/schema version 1 → 2, new field weight \(decimal\)/);
    expect((await rig.state(joined, 'rows')).offered?.schemaVersion).toBe('2');
    await expect(
      rig.store.datasetSources.accept(
        joined.id,
        null,
        { dataset: 'rows', schemaVersion: '3' },
        BY(rig.clock),
      ),
    ).rejects.toMatchObject({ code: 'other_version_offered' });
    await rig.store.datasetSources.accept(
      joined.id,
      'acme',
      { dataset: 'rows', schemaVersion: '2' },
      BY(rig.clock),
    );
    await rig.pull(joined);
    expect(await rig.landed(joined, 'rows')).toEqual(sorted(source));
    const actions = (await rig.store.audit.list({ tenantCode: 'acme' }, null, 50)).map(
      ({ action }) => action,
    );
    expect(actions).toEqual(
      expect.arrayContaining([
        'dataset_source.created',
        'dataset_source.contract_pinned',
        'dataset_source.contract_accepted',
        'dataset_source.sync_requested',
      ]),
    );
  });

  test('a source that was set back is an alarm, and a recompute ends equal to it', async () => {
    const { source, joined } = await filled(5);
    await rig.pull(joined);
    source.rows.clear();
    source.time = 1;
    source.asOf = '2026-03-01T00:00:00.000002Z';
    source.put('rows', 2, { size: 20 });
    expect((await rig.pull(joined)).lastError).toMatch(/set back/);
    await rig.store.datasetSources.request(joined.id, null, { recompute: 'all' }, BY(rig.clock));
    expect((await rig.pull(joined)).lastError).toBeNull();
    expect(await rig.landed(joined, 'rows')).toEqual(sorted(source));
    expect(await rig.state(joined, 'rows')).toMatchObject({
      mode: 'increment',
      cursor: '2026-03-01T00:00:00.000002Z|2',
    });
    expect(await rig.alarms()).toEqual([]);
  });
});

describe('several hub processes', () => {
  test('pull a source once at a time; a lease that has run out is taken, and the late one writes nothing', async () => {
    const { source, joined } = await filled(4, { pageRows: 2 });
    const { store, clock } = rig;
    const [first, second] = [
      { token: 'a', until: clock.now() + 1_000 },
      { token: 'b', until: clock.now() + 1_000 },
    ];
    const claims = await Promise.all([
      store.datasetPulls.claim(first, clock.now()),
      store.datasetPulls.claim(second, clock.now()),
    ]);
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
    const late = { sourceId: joined.id, ...(claims[0] ? first : second) };
    clock.advance(2_000);
    await rig.scheduler.round();
    await rig.scheduler.settled();
    expect(await rig.landed(joined, 'rows')).toEqual(sorted(source));
    expect(await store.datasetPulls.renew(late)).toBe(false);
    expect(await store.datasetPulls.begin(late, 'rows', clock.now())).toBeNull();
    expect(
      await store.datasetPulls.complete(
        late,
        'rows',
        { asOf: 'x', trouble: null, settled: null },
        { now: 1, newId: () => 'x' },
      ),
    ).toBe(false);
  });

  test('a run ends when its source is changed', async () => {
    const { source, joined } = await filled(6, { pageRows: 2 });
    let release: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      source.answering = (response, body, call) => {
        if (call !== 3) return void response.end(body);
        release = () => response.end(body);
        resolve();
      };
    });
    await rig.scheduler.round();
    await asked;
    await rig.store.datasetSources.change(
      joined.id,
      null,
      { set: { enabled: false, nextRunAt: null } },
      BY(rig.clock),
    );
    release();
    await rig.scheduler.settled();
    // The page that came before it may have landed or not; the last one must not.
    expect((await rig.landed(joined, 'rows')).length).toBeLessThan(6);
    expect(await rig.store.datasetSources.get(joined.id, null)).toMatchObject({
      enabled: false,
      nextRunAt: null,
      running: false,
      lastError: null,
    });
  });
});
