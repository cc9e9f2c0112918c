// Whatever of a store is lost is named to a person, and a verdict stays whose event is elsewhere.
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { MISSED, type MissedKind } from '../../../site/salvage/missed.ts';
import { tellOpened } from '../../../site/status/opened.ts';
import { writeMarker } from '../../../site/store/health/marker.ts';
import type { SiteStore } from '../../../site/store/open.ts';
import { CONFIRMED, type FilledStore, filledStore, rowsOf } from '../store/filled.ts';
import { newDir, openStore, testClock } from '../store/support.ts';

const ASIDE = 'site-damaged-test.db';

let base: FilledStore;
beforeAll(async () => void (base = await filledStore('closed')), 60_000);
afterAll(() => fs.rmSync(base.dir, { recursive: true, force: true }));

function rootOf(file: string, table: string): number {
  const db = new Database(file, { readonly: true });
  const root = db.prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck();
  const page = root.get(table) ?? 0;
  db.close();
  return page;
}

/** The store without any page of these tables, salvaged. */
const without = (...tables: readonly string[]): Promise<{ store: SiteStore; dir: string }> =>
  changedWithout('', tables);

/** @param sql what is done to it before */
async function changedWithout(
  sql: string,
  tables: readonly string[],
): Promise<{ store: SiteStore; dir: string }> {
  const dir = newDir();
  const file = path.join(dir, ASIDE);
  fs.copyFileSync(path.join(base.dir, 'site.db'), file);
  const db = new Database(file);
  db.exec(sql);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
  const lost = new Set(base.rows.flatMap(({ table, pages }) => (tables.includes(table) ? pages : [])));
  // A table without rows has a page of its own as well.
  for (const table of tables) lost.add(rootOf(file, table));
  const fd = fs.openSync(file, 'r+');
  for (const page of lost) fs.writeSync(fd, Buffer.alloc(4096), 0, 4096, (page - 1) * 4096);
  fs.closeSync(fd);
  writeMarker(dir, { state: 'damaged', reason: 'a test says so', aside: ASIDE });
  return { store: await openStore({ dir }), dir };
}

async function told(store: SiteStore): Promise<{ message: string; details: unknown }> {
  await tellOpened({ store, clock: testClock(), log: silentLogger() }, 'site-1');
  const alarms = await store.alarms.list({ tenantCode: null, includeCleared: false }, 100);
  const alarm = alarms.find(({ key }) => key === 'store_salvaged');
  if (!alarm) throw new Error('no alarm about the salvage');
  return alarm;
}

const SAID: Record<MissedKind, RegExp> = {
  keys: /Keys may be lost/,
  devices: /Registrations of cameras that cannot sign may be lost/,
  secrets: /named secrets/,
  verdicts: /verdicts and corrections/,
  groups: /incident groups/,
  tasks: /Tasks or entries of them may be lost/,
  rules: /Response rules or notification channels/,
  consumers: /Consumers may have lost/,
  orders: /Answers to orders of headquarters/,
  files: /noted of evidence files/,
  notifications: /notifications/,
  feedback: /messages that wait for cameras/,
  actions: /what the response rules had done/,
  records: /audit entries and alarms/,
};

test.each(Object.keys(MISSED) as MissedKind[])('lost %s are named', async (kind) => {
  const { store } = await without(...MISSED[kind]);
  const { message } = await told(store);
  expect(message).toMatch(SAID[kind]);
  expect(message).not.toMatch(/events could be saved, not all/);
  await store.close();
});

test('a damaged log of what goes up is named, with what had not gone, and nothing of it is lost', async () => {
  const whole = await without('model_calls');
  expect((await told(whole.store)).message).not.toMatch(/log by which/);
  await whole.store.close();
  const sql =
    "INSERT OR REPLACE INTO meta (key, value) VALUES ('last_sent_no', '12');" +
    "INSERT OR REPLACE INTO uplink_channels (name, cursor, sent_total, duplicate_total) VALUES ('verdicts', 5, 5, 0)";
  const { store } = await changedWithout(sql, ['changes']);
  const { message, details } = await told(store);
  expect(message).toMatch(
    /The log by which verdicts, tasks.* was damaged; at least \d+ of its entries had not/,
  );
  expect(message).not.toMatch(/Lost too|not known/);
  expect((details as { log: { waiting: number } }).log.waiting).toBeGreaterThanOrEqual(7);
  expect(store.changes.waiting(0, 1_000)).toBeGreaterThan(0);
  await store.close();
  const unknown = await without('changes', 'uplink_channels');
  expect((await told(unknown.store)).message).toMatch(/how many of its entries had not gone up is not known/);
  await unknown.store.close();
});

test('a verdict stays where headquarters has its event, and goes with an event that is nowhere', async () => {
  const { store, dir } = await without('events');
  await store.close();
  const db = new Database(path.join(dir, 'site.db'), { readonly: true });
  const [events, verdicts] = [rowsOf(db, 'events'), rowsOf(db, 'verdicts')];
  db.close();
  const before = base.rows.filter(({ table }) => table === 'verdicts').map(({ key }) => Number(key));
  const orphans = before.filter((id) => !events.has(String(id)));
  expect(orphans.some((id) => id <= CONFIRMED)).toBe(true);
  expect(orphans.filter((id) => verdicts.has(String(id)))).toEqual(orphans.filter((id) => id <= CONFIRMED));
});
