// A store whose file was damaged: what can be read is saved, and the site goes on.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, openSync, writeSync, closeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import type { NewEvent } from '../../../common/core/event/record.ts';
import { openSiteStore, type SiteStore } from '../../../site/store/open.ts';
import { TestClock } from '../../support/clock.ts';

let dir: string;
const clock = new TestClock();
const open = (over = {}): Promise<SiteStore> => openSiteStore({ dir, clock, log: silentLogger(), ...over });
const event = (n: number): NewEvent => ({
  tenantCode: 'acme', idempotencyKey: `k${n}`, type: 'fire.smoke', kind: 'alert', source: 'video', severity: 'high', occurredAt: 1, isTest: false, nodeKey: 'cam', doc: JSON.stringify({ title: `alarm ${n} ${'x'.repeat(300)}` }),
});

beforeEach(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-damage-'));
  const store = await open();
  for (let at = 0; at < 2_000; at += 500) await store.events.ingest(Array.from({ length: 500 }, (_, index) => event(at + index + 1)), clock.now());
  await store.close();
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const file = (): string => path.join(dir, 'site.db');
function overwrite(at: number, bytes: number): void {
  const fd = openSync(file(), 'r+');
  writeSync(fd, randomBytes(bytes), 0, bytes, at);
  closeSync(fd);
}

async function goesOn(store: SiteStore, atLeast: number): Promise<void> {
  const kept = await store.events.page(0, 5_000);
  expect(kept.length).toBeGreaterThanOrEqual(atLeast);
  for (const one of kept) expect(one.idempotencyKey).toBe(`k${one.id}`);
  const [fresh] = await store.events.ingest([event(9_999)], clock.now());
  expect(fresh).toMatchObject({ duplicate: false });
  expect(fresh?.id).toBeGreaterThan(2_000);
  const known = kept.at(-1);
  if (known) expect((await store.events.ingest([{ ...event(known.id) }], clock.now()))[0]).toMatchObject({ id: known.id, duplicate: true });
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
