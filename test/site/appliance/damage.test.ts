// A store whose file was damaged: what can be read is saved, and the site goes on.
import { createHash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NewEvent } from '../../../common/core/event/record.ts';
import { silentLogger } from '../../../common/log.ts';
import { writeMarker } from '../../../site/store/health/marker.ts';
import { defaultKeyLimits } from '../../../site/store/key-index/key-index.ts';
import { type OpenOptions, openSiteStore, type SiteStore } from '../../../site/store/open.ts';
import { TestClock } from '../../support/clock.ts';
import { until } from '../../support/request.ts';

let dir: string;
const clock = new TestClock();
const open = (over = {}): Promise<SiteStore> => openSiteStore({ dir, clock, log: silentLogger(), ...over });
const event = (n: number): NewEvent => ({
  tenantCode: 'acme',
  idempotencyKey: `k${n}`,
  type: 'fire.smoke',
  kind: 'alert',
  source: 'video',
  severity: 'high',
  occurredAt: 1,
  isTest: false,
  nodeKey: 'cam',
  doc: JSON.stringify({ title: `alarm ${n} ${'x'.repeat(300)}` }),
});

beforeEach(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-damage-'));
  const store = await open();
  for (let at = 0; at < 2_000; at += 500)
    await store.events.ingest(
      Array.from({ length: 500 }, (_, index) => event(at + index + 1)),
      clock.now(),
    );
  await store.close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const file = (): string => path.join(dir, 'site.db');
/** With rubbish that is the same in every run: bytes at random would once in a while look like a page. */
function overwrite(at: number, bytes: number): void {
  const fd = openSync(file(), 'r+');
  writeSync(fd, createHash('shake256', { outputLength: bytes }).update('rubbish').digest(), 0, bytes, at);
  closeSync(fd);
}

/** The files as the next process finds them, without the lock of the one that failed. */
function moved(from: string): string {
  const to = mkdtempSync(path.join(os.tmpdir(), 'fieldline-damage-'));
  for (const name of ['site.db', 'site.db-wal', 'site.health']) {
    if (existsSync(path.join(from, name))) cpSync(path.join(from, name), path.join(to, name));
  }
  rmSync(from, { recursive: true, force: true });
  return to;
}

async function goesOn(store: SiteStore, atLeast: number): Promise<void> {
  const kept = await store.events.page(0, 5_000);
  expect(kept.length).toBeGreaterThanOrEqual(atLeast);
  for (const one of kept) expect(one.idempotencyKey).toBe(`k${one.id}`);
  const [fresh] = await store.events.ingest([event(9_999)], clock.now());
  expect(fresh).toMatchObject({ duplicate: false });
  expect(fresh?.id).toBeGreaterThan(2_000);
  const known = kept.at(-1);
  if (known)
    expect((await store.events.ingest([{ ...event(known.id) }], clock.now()))[0]).toMatchObject({
      id: known.id,
      duplicate: true,
    });
  expect(readdirSync(dir).filter((name) => /^site-damaged-.*\.db$/.test(name))).toHaveLength(1);
}

test('a truncated file: what is left of it is saved under a new epoch', async () => {
  const pages = Math.floor(statSync(file()).size / 4096);
  truncateSync(file(), Math.floor(pages * 0.8) * 4096);
  const store = await open();
  expect(store.opened.salvaged).not.toBeNull();
  await goesOn(store, 500);
  await store.close();
});

test('a header that is gone: every event is saved', async () => {
  overwrite(0, 100);
  const store = await open();
  await goesOn(store, 2_000);
  await store.close();
});

test('a page within: opening comes upon it and saves the rest', async () => {
  const row = readFileSync(file()).indexOf('alarm 1000 ');
  overwrite(row - (row % 4096), 4096);
  const store = await open();
  expect(store.opened.salvaged).not.toBeNull();
  await goesOn(store, 1_500);
  await store.close();
});

/** A leaf page in the middle of a table, which opening does not touch. */
function breakTable(name: string): void {
  const db = new Database(file());
  const pages = db
    .prepare<[string], number>("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
    .pluck()
    .all(name);
  db.close();
  overwrite(((pages[Math.floor(pages.length / 2)] ?? 0) - 1) * 4096, 4096);
}

const settled: Partial<OpenOptions> = { keyIndex: { ...defaultKeyLimits, fillAt: 100 } };

test.each(['background', 'a list'])(
  'a page that opening does not touch: %s comes upon it, the next start saves the rest',
  async (finder) => {
    const first = await open(settled);
    await first.events.ingest([event(2_001)], clock.now());
    await until('the keys are in their table', async () => first.facts().keysInMemory < 100);
    await first.close();
    breakTable('events');
    const store = await open({ ...settled, integrityAfterMs: 0 });
    expect(store.opened.salvaged).toBeNull();
    if (finder === 'background') store.startHealth();
    else await expect(store.events.page(0, 5_000)).rejects.toThrow();
    expect(await store.failed).toBeInstanceOf(Error);
    expect(store.integrity().state).toBe('damaged');
    await expect(store.events.ingest([event(3_000)], clock.now())).rejects.toMatchObject({ status: 503 });
    expect(existsSync(path.join(dir, 'site.health'))).toBe(true);
    await store.close();
    // The process ends now, and with it the lock.
    dir = moved(dir);
    const again = await open();
    expect(again.opened.salvaged?.saved.events).toBeGreaterThan(1_900);
    await goesOn(again, 1_900);
    expect(existsSync(path.join(dir, 'site.health'))).toBe(false);
    expect(again.epoch()).not.toBe(store.epoch());
    await again.close();
  },
);

test('a salvage that is cut short begins again and saves the same', async () => {
  const row = readFileSync(file()).indexOf('alarm 1000 ');
  overwrite(row - (row % 4096), 4096);
  const whole = await open();
  const saved = whole.opened.salvaged?.saved.events;
  await whole.close();
  const aside = readdirSync(dir).find((name) => /^site-damaged-.*\.db$/.test(name)) ?? '';
  // As it stands when the program is killed in between: part of a store, and the note.
  const half = new Database(file());
  half.exec('DELETE FROM events WHERE id > 100');
  half.close();
  writeMarker(dir, { state: 'damaged', reason: 'a page', aside });
  const store = await open();
  expect(store.opened.salvaged?.saved.events).toBe(saved);
  await goesOn(store, 1_500);
  await store.close();
});

test(
  'rows that are no rows of their table do not keep the site from starting, and two faults far apart ' +
    'cost only their pages',
  async () => {
    const bytes = readFileSync(file());
    for (const n of [200, 1_800]) {
      const row = bytes.indexOf(`alarm ${n} `);
      overwrite(row - (row % 4096), 4096);
    }
    const store = await open();
    await goesOn(store, 1_950);
    await store.close();
  },
);

test('a store without a fault is found to be good, every table of it', async () => {
  const store = await open({ integrityAfterMs: 0 });
  store.startHealth();
  await until('every row was read', async () => store.integrity().state === 'good');
  expect(store.integrity().checkedAt).not.toBeNull();
  await store.close();
});
