// What a short disk may cost: only what headquarters holds, counted, and never more than half without a
// person.
import fs from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import { incidentRetentionHook } from '../../../common/core/incident/retention-hook.ts';
import { silentLogger } from '../../../common/log.ts';
import { DiskKeeper } from '../../../site/retention/keeper.ts';
import type { SiteStore } from '../../../site/store/open.ts';
import { campaign } from '../../support/campaign.ts';
import { room } from '../../support/evidence-room.ts';
import { anEvent, aVerdict, newDir, openStore, type TestClock, testClock } from '../store/support.ts';

const MIB = 1024 ** 2;
const RUNS = campaign('SHED_RUNS', 4, 12);
const going = new AbortController().signal;

interface Rig {
  dir: string;
  store: SiteStore;
  keeper: DiskKeeper;
  disk: { free: number };
  clock: TestClock & { passes(ms: number): void };
  reopen(): Promise<void>;
}

async function rig(uplinked = true): Promise<Rig> {
  const dir = newDir();
  const clock = passingClock();
  const disk = { free: 0 };
  const eventIndex = { events: 40, changes: 8, probe: 5 };
  const made = async (): Promise<Pick<Rig, 'store' | 'keeper'>> => {
    const store = await openStore({ dir, clock, eventIndex });
    const keeper = new DiskKeeper({
      eviction: store.eviction,
      retention: store.retention,
      retentionHooks: [incidentRetentionHook(store.incidents)],
      alarms: store.alarms,
      evidence: store.evidence,
      facts: () => store.facts(),
      uplinked,
      sendsEvidence: true,
      limit: null,
      dataDir: dir,
      instance: 'site-1',
      clock,
      log: silentLogger(),
      probe: () => ({ totalBytes: 1_000 * MIB, freeBytes: disk.free }),
    });
    return { store, keeper };
  };
  const one: Rig = {
    dir,
    disk,
    clock,
    ...(await made()),
    reopen: async () => {
      await one.store.close();
      Object.assign(one, await made());
    },
  };
  return one;
}

function passingClock(): Rig['clock'] {
  const clock = testClock();
  const { monotonic } = clock;
  let passed = 0;
  return Object.assign(clock, {
    monotonic: () => monotonic() + passed,
    passes: (ms: number) => void (passed += ms),
  });
}

/** Its ids are none of those that the store's own clock gives. */
function namedClock(): TestClock {
  const clock = testClock();
  const { newId } = clock;
  return Object.assign(clock, { newId: () => `test-${newId()}` });
}

const sent = (
  store: SiteStore,
  channel: 'events' | 'verdicts',
  cursor: number,
  parked: number[] = [],
): Promise<void> =>
  store.uplink.advance(
    {
      channel,
      hubEpoch: 'hub',
      cursor,
      cursorAt: null,
      accepted: 0,
      duplicates: 0,
      parked: parked.map((originId) => ({ channel, originId, error: 'refused', message: 'no' })),
    },
    0,
  );
const idsOf = async (store: SiteStore): Promise<number[]> =>
  (await store.events.page(0, 5_000)).map(({ id }) => id);
const standing = async (store: SiteStore): Promise<string[]> =>
  (await store.alarms.list({ tenantCode: null, includeCleared: false }, 100)).map(({ key }) => key).sort();

const scenario = fc.record({
  kinds: fc.array(fc.boolean(), { minLength: 1, maxLength: 160 }),
  cursor: fc.nat(180),
  verdictCursor: fc.nat(40),
  parked: fc.array(fc.integer({ min: 1, max: 160 }), { maxLength: 3 }),
  parkedChange: fc.option(fc.integer({ min: 1, max: 20 })),
  judged: fc.uniqueArray(fc.integer({ min: 1, max: 160 }), { maxLength: 30 }),
  corrected: fc.uniqueArray(fc.integer({ min: 1, max: 160 }), { maxLength: 5 }),
  evidence: fc.uniqueArray(fc.integer({ min: 1, max: 160 }), { maxLength: 10 }),
  rounds: fc.integer({ min: 1, max: 3 }),
  confirmed: fc.boolean(),
});

test(
  'whatever the cursors are, nothing that headquarters lacks goes, and what goes is counted',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        const one = await rig();
        const { store, keeper } = one;
        const total = given.kinds.length;
        const isObservation = (id: number): boolean => given.kinds[id - 1] === true;
        const there = (ids: readonly number[]): number[] => ids.filter((id) => id <= total);
        await store.events.ingest(
          given.kinds.map((observation, at) =>
            anEvent(`k${at + 1}`, { kind: observation ? 'observation' : 'alert' }),
          ),
          1,
        );
        const clock = namedClock();
        for (const id of there(given.judged)) {
          clock.wall += 1;
          await store.verdicts.write(aVerdict(id), stampOf(clock));
        }
        for (const id of there(given.corrected).filter((each) => given.judged.includes(each))) {
          clock.wall += 1;
          await store.verdicts.correct(
            { ...aVerdict(id), id: `c${id}`, verdict: 'false_alarm', note: 'no' } as never,
            stampOf(clock),
          );
        }
        for (const id of there(given.evidence)) {
          await store.evidence.store(
            {
              tenantCode: 'north',
              eventId: id,
              name: 'a.jpg',
              size: 10,
              sha256: 'a'.repeat(64),
              storedAt: 1,
            },
            room(1e9),
            'cam',
            stampOf(clock),
          );
        }
        const changes = await store.verdicts.changes(0, 1_000);
        const cursor = Math.min(given.cursor, total);
        const changeCursor = Math.min(given.verdictCursor, changes.length);
        const parked = given.parked.filter((id) => id <= cursor);
        await sent(store, 'events', cursor, parked);
        await sent(
          store,
          'verdicts',
          changeCursor,
          given.parkedChange !== null && given.parkedChange <= changeCursor ? [given.parkedChange] : [],
        );
        const unsent = new Set(
          changes
            .filter(({ changeNo }) => changeNo > changeCursor || changeNo === given.parkedChange)
            .map(({ eventId }) => eventId),
        );

        for (let round = 0; round < given.rounds; round += 1) {
          await keeper.round(going);
          if (given.confirmed) await keeper.confirm({ actor: 'li', note: null }).catch(() => undefined);
        }
        const kept = await idsOf(store);
        const gone = given.kinds.map((_, at) => at + 1).filter((id) => !kept.includes(id));
        expect(
          gone.filter((id) => id > cursor),
          'not sent',
        ).toEqual([]);
        expect(
          gone.filter((id) => parked.includes(id)),
          'parked',
        ).toEqual([]);
        expect(
          gone.filter((id) => unsent.has(id)),
          'verdict not sent',
        ).toEqual([]);
        const { counts } = store.eviction.state();
        expect(counts.events + counts.observations, 'counted').toBe(gone.length);
        if (!given.confirmed) expect(gone.length * 2).toBeLessThanOrEqual(total);
        const free = given.kinds
          .map((_, at) => at + 1)
          .filter(
            (id) => id <= cursor && !parked.includes(id) && !unsent.has(id) && !given.evidence.includes(id),
          );
        expect(gone.length, 'what is held holds nothing else').toBeGreaterThanOrEqual(
          Math.min(Math.floor(total / 2), free.length),
        );
        const observationsLeft = kept.filter(
          (id) =>
            id <= cursor &&
            isObservation(id) &&
            !parked.includes(id) &&
            !unsent.has(id) &&
            !given.evidence.includes(id),
        );
        const lastObservation = Math.max(0, ...gone.filter(isObservation));
        expect(
          observationsLeft.filter((id) => id < lastObservation && counts.events === 0),
          'oldest observation first',
        ).toEqual([]);
        // The store goes on as if nothing had gone: the verdicts that are still to be sent, ids, keys, lists.
        expect((await store.verdicts.changes(changeCursor, 1_000)).length).toBe(
          changes.length - changeCursor,
        );
        await one.reopen();
        const [fresh] = await one.store.events.ingest([anEvent('fresh')], 2);
        expect(fresh).toMatchObject({ id: total + 1, duplicate: false });
        if (gone[0] !== undefined)
          expect((await one.store.events.ingest([anEvent(`k${gone[0]}`)], 3))[0]).toMatchObject({
            id: gone[0],
            duplicate: true,
          });
        expect(one.store.eviction.kept().events).toBe(kept.length + 1);
        expect(
          (await one.store.events.list({ tenantCode: null, includeTest: true }, null, 1_000))
            .map(({ id }) => id)
            .sort((a, b) => a - b),
        ).toEqual([...kept, total + 1]);
        await one.store.close();
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
);

test('evidence, then observations, then events, oldest first; half, and a further half when a person says so', async () => {
  const { store, keeper, disk } = await rig();
  await store.events.ingest(
    Array.from({ length: 100 }, (_, at) =>
      anEvent(`k${at + 1}`, { kind: at % 5 === 0 ? 'observation' : 'alert' }),
    ),
    1,
  );
  await sent(store, 'events', 100);
  await keeper.round(going);
  expect(store.eviction.state().counts).toMatchObject({ observations: 20, events: 30 });
  const kept = await idsOf(store);
  expect(kept).toHaveLength(50);
  expect(Math.min(...kept)).toBe(39);
  expect(await standing(store)).toEqual(['disk_full', 'disk_shed']);
  expect(() => keeper.admit()).toThrow(
    expect.objectContaining({ status: 507, retryAfterSeconds: 60 }) as Error,
  );
  await keeper.round(going);
  expect(await idsOf(store)).toEqual(kept);
  await keeper.confirm({ actor: 'li', note: 'the disk is small' });
  await keeper.round(going);
  expect(await idsOf(store)).toEqual([]);
  await expect(keeper.confirm({ actor: 'li', note: null })).rejects.toMatchObject({ status: 409 });
  disk.free = 900 * MIB;
  await keeper.round(going);
  expect(await standing(store)).toEqual(['disk_shed']);
  expect(() => keeper.admit()).not.toThrow();
});

test('without headquarters nothing goes, and a standing alarm is not written in every round', async () => {
  const { store, keeper } = await rig(false);
  await store.events.ingest(
    Array.from({ length: 20 }, (_, at) => anEvent(`k${at}`)),
    1,
  );
  await keeper.round(going);
  const { operations } = store.facts();
  for (let round = 0; round < 5; round += 1) await keeper.round(going);
  expect(store.facts().operations).toBe(operations);
  expect(await idsOf(store)).toHaveLength(20);
  expect(await standing(store)).toEqual(['disk_full']);
});

test('what a consumer has asked for stays, with its event; a file that two names share goes with the last', async () => {
  const { store, keeper, dir } = await rig();
  await store.events.ingest(
    Array.from({ length: 8 }, (_, at) => anEvent(`k${at + 1}`)),
    1,
  );
  await sent(store, 'events', 8);
  const stamp = stampOf(namedClock());
  const file = (eventId: number, name: string) => ({
    tenantCode: 'north',
    eventId,
    name,
    size: 1,
    sha256: 'b'.repeat(64),
    storedAt: 1,
  });
  for (const [eventId, name] of [
    [1, 'a'],
    [3, 'a'],
    [3, 'b'],
    [4, 'a'],
    [5, 'a'],
    [6, 'a'],
  ] as const)
    await store.evidence.store(file(eventId, name), room(1e9), 'cam', stamp);
  await store.evidenceWants.held(
    ['k1/a', 'k3/a', 'k3/b', 'k4/a', 'k5/a', 'k6/a'].map((one) => {
      const [eventKey = '', name = ''] = one.split('/');
      return { tenantCode: 'north', eventKey, name };
    }),
  );
  const shared = `${dir}/evidence/0/3`;
  fs.mkdirSync(shared, { recursive: true });
  fs.writeFileSync(`${shared}/${'b'.repeat(64)}`, 'x');
  const sqlite = (await import('better-sqlite3')).default(`${dir}/site.db`);
  sqlite
    .prepare(
      'INSERT INTO evidence_jobs (id, tenant_code, event_id, name, consumer, put_url, state, ' +
        "last_error, attempts, next_at, created_at, settled_at) VALUES ('j', 'north', 3, 'b', 'c', " +
        "'http://x', 'pending', NULL, 0, 0, 0, NULL)",
    )
    .run();
  sqlite.close();
  await keeper.round(going);
  expect((await store.evidence.ofEvent('north', 3)).map(({ name }) => name)).toEqual(['b']);
  expect(fs.existsSync(`${shared}/${'b'.repeat(64)}`)).toBe(true);
  // Around it, oldest first: events whose evidence is still here come later.
  expect(await idsOf(store)).toEqual([3, 5, 6, 8]);
});

test(
  'one parked event does not hold the disk: what headquarters has goes around it, and it goes itself ' +
    'when it is given up',
  async () => {
    const { store, keeper } = await rig();
    await store.events.ingest(
      Array.from({ length: 40 }, (_, at) => anEvent(`k${at + 1}`)),
      1,
    );
    const clock = namedClock();
    await store.verdicts.write(aVerdict(3), stampOf(clock));
    await sent(store, 'events', 40, [1, 7]);
    await sent(store, 'verdicts', 1, [1]);
    await keeper.round(going);
    expect(await idsOf(store)).toEqual([1, 3, 7, ...Array.from({ length: 17 }, (_, at) => at + 24)]);
    expect(store.eviction.state().counts).toMatchObject({ events: 20 });
    await keeper.confirm({ actor: 'li', note: null });
    await keeper.round(going);
    expect(await idsOf(store), 'held events alone are left').toEqual([1, 3, 7]);
    await store.uplink.discard('events', 1, 0, 'li');
    await keeper.round(going);
    expect(await idsOf(store)).toEqual([3, 7]);
  },
);

test(
  'the alarm tells of all that went, also of what went within a minute of the last telling, and after a ' +
    'restart',
  async () => {
    const one = await rig();
    const clock = one.clock;
    const told = async (): Promise<string> =>
      (await one.store.alarms.list({ tenantCode: null, includeCleared: false }, 100)).find(
        ({ key }) => key === 'disk_shed',
      )?.message ?? '';
    await one.store.events.ingest(
      Array.from({ length: 40 }, (_, at) => anEvent(`k${at + 1}`)),
      1,
    );
    await sent(one.store, 'events', 40);
    await one.keeper.round(going);
    expect(await told()).toMatch(/: 20 events\./);
    await one.keeper.confirm({ actor: 'li', note: null });
    await one.keeper.round(going);
    expect(one.store.eviction.state().counts.events).toBe(40);
    expect(await told(), 'not yet').toMatch(/: 20 events\./);
    clock.passes(11_000);
    await one.keeper.round(going);
    expect(await told()).toMatch(/: 40 events\./);
    // Ended before it could be told.
    await one.store.events.ingest(
      Array.from({ length: 10 }, (_, at) => anEvent(`l${at}`)),
      2,
    );
    await sent(one.store, 'events', 50);
    await one.keeper.round(going);
    expect(await told()).toMatch(/: 40 events\./);
    await one.reopen();
    await one.keeper.round(going);
    expect(await told()).toMatch(/: 50 events\./);
  },
);

test('events that the response rules had not come to are told as such, with how many and which', async () => {
  const { store, keeper } = await rig();
  await store.subscriptions.register(
    'agent',
    { tenantCode: null, eventTypes: null, minSeverity: null, pushUrl: null, secretRef: null, enabled: true },
    0,
    1,
    'li',
  );
  await store.events.ingest(
    Array.from({ length: 40 }, (_, at) => anEvent(`k${at + 1}`)),
    1,
  );
  await store.subscriptions.ack('agent', 12, 1);
  await sent(store, 'events', 40);
  await keeper.round(going);
  const passed = (await store.alarms.list({ tenantCode: null, includeCleared: false }, 100)).find(
    ({ key }) => key === 'retention_passed_consumer:agent',
  );
  expect(passed).toMatchObject({ severity: 'critical', details: { events: 8, more: 8, from: 13, to: 20 } });
  expect(passed?.message).toMatch(
    /^The response rules never ran on 8 events \(ids from 13 to 20\): they were deleted since the disk was short/,
  );
});
