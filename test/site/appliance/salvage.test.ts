// Whatever is broken in the files of a store: every row of a page that was not touched is saved, nothing is
// made up, and the site goes on.
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import { MISSED, UNMISSED } from '../../../site/salvage/missed.ts';
import { DERIVED, SAVED } from '../../../site/salvage/salvage.ts';
import { writeMarker } from '../../../site/store/health/marker.ts';
import type { SiteStore } from '../../../site/store/open.ts';
import { campaign } from '../../support/campaign.ts';
import { seededRandom } from '../../support/random.ts';
import { damage, type Damaged, DAMAGES } from '../store/damage.ts';
import { CONFIRMED, type FilledStore, filledStore, type Life, LIVES, rowsOf } from '../store/filled.ts';
import { anEvent, aVerdict, newDir, openStore, testClock } from '../store/support.ts';

/** 1,000 of them take some minutes. */
const RUNS = campaign('SALVAGE_RUNS', 5, 14);
const SEED = Number(process.env.SALVAGE_SEED ?? 20260401);

const filled = {} as Record<Life, FilledStore>;
beforeAll(async () => {
  for (const life of LIVES) filled[life] = await filledStore(life);
}, 60_000);
afterAll(() => {
  for (const life of LIVES) fs.rmSync(filled[life].dir, { recursive: true, force: true });
});

/** Its ids are none of those that the store's own clock gave. */
const ownStamp = () => {
  const { now, newId } = stampOf(testClock());
  return { now, newId: () => `after-${newId()}` };
};

/** Columns that are those of the new store. */
const RENEWED: Readonly<Record<string, readonly string[]>> = {
  tasks: ['entry_count'],
  meta: ['value'],
  uplink_channels: ['cursor', 'cursor_at', 'hub_epoch'],
  agent_states: ['steady_at'],
};
/** What goes with a lost row of another table, or is counted anew without it. */
const DEPENDENT: Readonly<
  Record<
    string,
    (row: Record<string, unknown>, saved: ReadonlyMap<string, ReadonlyMap<string, unknown>>) => boolean
  >
> = {
  verdicts: ({ event_id: id }, saved) =>
    (saved.get('events')?.has(String(id)) ?? false) ||
    (saved.get('uplink_channels')?.has('events') === true && Number(id) <= CONFIRMED),
  corrections: ({ event_id: id }, saved) => saved.get('verdicts')?.has(String(id)) ?? false,
  evidence_gone: ({ event_id: id }, saved) => saved.get('events')?.has(String(id)) ?? false,
  evidence_files: ({ event_id: id }, saved) => saved.get('events')?.has(String(id)) ?? false,
  agent_decisions: ({ event_id: id }, saved) => saved.get('events')?.has(String(id)) ?? false,
  agent_cooldowns: ({ event_id: id }, saved) => saved.get('events')?.has(String(id)) ?? false,
  task_entries: ({ task_id: id }, saved) => saved.get('tasks')?.has(String(id)) ?? false,
  agent_deadlines: ({ task_id: id }, saved) => saved.get('tasks')?.has(String(id)) ?? false,
  incident_members: () => false,
  incidents: () => false,
  notifications: () => false,
  push_states: ({ consumer }, saved) => saved.get('subscriptions')?.has(String(consumer)) ?? false,
};

/** Whoever opens the files takes the log into the store. */
function copied(base: FilledStore): string {
  const dir = newDir();
  for (const suffix of ['', '-wal'])
    if (fs.existsSync(`${base.dir}/site.db${suffix}`))
      fs.copyFileSync(`${base.dir}/site.db${suffix}`, `${dir}/site.db${suffix}`);
  return dir;
}

async function salvaged(dir: string): Promise<SiteStore> {
  writeMarker(dir, { state: 'damaged', reason: 'a test says so', aside: 'site-damaged-test.db' });
  for (const suffix of ['', '-wal']) {
    const file = path.join(dir, `site.db${suffix}`);
    if (fs.existsSync(file)) fs.renameSync(file, path.join(dir, `site-damaged-test.db${suffix}`));
  }
  return openStore({ dir });
}

function checkRows(
  base: FilledStore,
  { touched, kind }: Damaged,
  dir: string,
): { expected: number; saved: number } {
  const db = new Database(path.join(dir, 'site.db'), { readonly: true });
  const kept = new Map(SAVED.map((table) => [table, rowsOf(db, table)]));
  db.close();
  const counts = { expected: 0, saved: 0 };
  const faults: string[] = [];
  let displaced = 0;
  for (const { table, key, row, pages } of base.rows) {
    if (pages.some((page) => touched.has(page)) || !SAVED.includes(table)) continue;
    const found = kept.get(table)?.get(key);
    if (found === undefined && DEPENDENT[table]?.(row, kept) === false) continue;
    if (table === 'meta') continue;
    counts.expected += 1;
    const same = ([name, value]: [string, unknown]): boolean =>
      RENEWED[table]?.includes(name) === true || String(found?.[name]) === String(value);
    if (found !== undefined && (DEPENDENT[table] !== undefined || Object.entries(row).every(same)))
      counts.saved += 1;
    else if (found !== undefined && kind === 'flips') displaced += 1;
    else faults.push(`${table} ${key}: ${found === undefined ? 'lost' : JSON.stringify([row, found])}`);
  }
  expect(faults.slice(0, 5), `${kind}, of ${counts.expected} rows`).toEqual([]);
  // A wrong bit in the key of one row may make it that of another.
  expect(displaced).toBeLessThan(3);
  counts.saved += displaced;
  const known = new Set(base.rows.filter(({ table }) => table === 'events').map(({ key }) => key));
  if (kind !== 'flips')
    expect(
      [...(kept.get('events')?.keys() ?? [])].filter((key) => !known.has(key)),
      'made up',
    ).toEqual([]);
  return counts;
}

/** Nothing that a site does every day may stumble over what was saved. */
async function goesOn(store: SiteStore): Promise<void> {
  const stamp = ownStamp();
  const [event] = await store.events.ingest([anEvent('after')], stamp.now);
  const id = event?.id ?? 0;
  expect(event?.duplicate).toBe(false);
  const command = {
    tenantCode: 'north',
    type: 'disposal',
    eventId: id,
    title: 't',
    severity: 'high',
    assigneeOrg: null,
    dueAt: null,
    body: {},
    by: 'li',
    actor: 'li',
    suppressed: false,
  } as const;
  const made = await store.tasks.create(command, stamp);
  expect(made).toMatchObject({ kind: 'created' });
  expect(await store.verdicts.write(aVerdict(id), stamp)).toMatchObject({ kind: 'written' });
  const group = {
    tenantCode: 'north',
    sourceKey: 'after',
    layer: 'L1',
    siteRef: 's',
    pointRef: null,
    title: null,
    eventIds: [id],
    facts: null,
    by: 'li',
    actor: 'li',
  };
  expect(await store.incidents.upsert(group as never, stamp)).toMatchObject({ kind: 'upserted' });
  for (const task of await store.tasks.list({ tenantCode: null } as never, null, 8)) {
    expect(
      await store.tasks.addStep(
        { taskId: task.id, tenantCode: null, kind: 'step', text: 'seen', by: 'li', actor: 'li' } as never,
        stamp,
      ),
    ).toBeTruthy();
  }
  for (const { id: one } of await store.events.list({ tenantCode: null, includeTest: true }, null, 1_000))
    await store.events.get(one);
  await store.verdicts.changes(0, 1_000);
}

test('every table of the store is either saved or made again', () => {
  const db = new Database(path.join(filled.closed.dir, 'site.db'), { readonly: true });
  const names = db
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .pluck()
    .all();
  db.close();
  expect(names.sort()).toEqual([...SAVED, ...DERIVED].sort());
});

test('of every table that is saved it is said what a person would miss, or that nobody would', () => {
  const told = Object.values(MISSED).flat();
  expect([...told, ...UNMISSED].sort()).toEqual([...SAVED].sort());
});

test.each(LIVES)('the pages of a store without a fault (%s) give exactly the rows that SQL gives', (life) => {
  const { rows } = filled[life];
  const dir = copied(filled[life]);
  const db = new Database(path.join(dir, 'site.db'));
  for (const table of SAVED) {
    const own = rows.filter((row) => row.table === table);
    const bySql = rowsOf(db, table);
    expect([table, own.length]).toEqual([table, bySql.size]);
    for (const { key, row } of own)
      expect(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]))).toEqual(
        Object.fromEntries(
          Object.entries(bySql.get(key) ?? {}).map(([name, value]) => [name, String(value)]),
        ),
      );
  }
  db.close();
});

test(
  `${RUNS} damages at random: what was not touched is saved, and the site goes on (seed ${SEED})`,
  { timeout: 3_600_000 },
  async () => {
    const total = { expected: 0, saved: 0 };
    for (let run = 0; run < RUNS; run += 1) {
      const random = seededRandom(SEED + run);
      const base = filled[LIVES[run % LIVES.length] ?? 'closed'];
      const dir = copied(base);
      const damaged = damage(dir, base, DAMAGES[Math.floor(run / 2) % DAMAGES.length] ?? 'flips', random);
      const store = await salvaged(dir);
      try {
        expect(store.opened.salvaged?.closed).toEqual({});
        const { expected, saved } = checkRows(base, damaged, dir);
        total.expected += expected;
        total.saved += saved;
        await goesOn(store);
      } catch (error) {
        throw new Error(`seed ${SEED + run}: ${damaged.kind} ${damaged.what}: ${(error as Error).message}`, {
          cause: error,
        });
      } finally {
        await store.close();
        fs.rmSync(dir, { recursive: true, force: true });
      }
    }
    expect(total.saved).toBe(total.expected);
    expect(total.expected).toBeGreaterThan(RUNS * 100);
  },
);
