// Sites and headquarters of different versions go on exchanging, and an upgrade leaves a way back.
import fs, { existsSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { size } from '../../../common/terminal/amounts.ts';
import { readSiteReport } from '../../../common/uplink/site-report.ts';
import { uplinkRequest } from '../../../common/uplink/wire.ts';
import { restore } from '../../../site/backup/restore.ts';
import { readMigrations } from '../../../site/store/migrate.ts';
import { readAnswer } from '../../../site/uplink/answer.ts';
import type { Batch } from '../../../site/uplink/batch/batch.ts';
import { anEvent, newDir, openStore, testClock } from '../store/support.ts';

const request = {
  protocol: 1,
  version: '0.0.1',
  instance: 'site-1',
  epoch: 'e',
  head: 0,
  oldest: 0,
  cursor: { from: 0, to: 0 },
  items: [],
};
const report = {
  at: '2026-03-01T00:00:00.000Z',
  state: 'look',
  storing: true,
  disk: { level: 'ok', room_bytes: null, used_bytes: 1, refused: 0 },
  shed: { evidence: 0, evidence_bytes: 0, observations: 0, events: 0, lost: 0, lost_bytes: 0 },
  clock_suspect: false,
  life_used_percent: null,
  silent_cameras: 0,
  order: { run: 'run-1', no: 1 },
  alarms: [
    { key: 'disk_short', severity: 'warning', message: 'short', raised_at: '2026-03-01T00:00:00.000Z' },
  ],
};

test('headquarters takes an older site, which sends no report, and a newer one, which sends more', () => {
  expect(uplinkRequest.safeParse(request).success).toBe(true);
  const newer = {
    ...request,
    compression: 'new',
    cursor: { from: 0, to: 0, shard: 1 },
    report: { ...report, battery: 80, disk: { ...report.disk, trim: true } },
  };
  const parsed = uplinkRequest.safeParse(newer);
  expect(parsed.success).toBe(true);
  expect(readSiteReport(parsed.data?.report)).toEqual(report);
});

test('an alarm or flow of a kind that is not known costs no more than itself; a report that is none costs nothing', () => {
  const odd = {
    ...report,
    alarms: [{ key: 'x', severity: 'notice', message: 'm', raised_at: 'now' }, ...report.alarms],
  };
  expect(readSiteReport(odd)?.alarms).toEqual(report.alarms);
  const flow = { name: 'verdicts', waiting: 1, bytes: null, oldest_at: null, late: false, parked: 0 };
  const known = { ...flow, last_error: null, last_error_zh: null };
  expect(readSiteReport({ ...odd, flows: [{ ...flow, waiting: 'many' }, known] })).toEqual({
    ...report,
    flows: [known],
  });
  expect(readSiteReport({ ...report, flows: 'none' })).toEqual(report);
  expect(readSiteReport({ ...report, zone: 8, disk: { ...report.disk, days_left: 'soon' } })).toEqual(report);
  const camera = { key_id: 'c', name: 'gate', tenant: null, last_event_at: null, events: 0, silent: true };
  const cameras = [{ key_id: '' }, ...Array.from({ length: 200 }, () => camera)];
  expect(readSiteReport({ ...report, zone: 'Asia/Shanghai', cameras })).toEqual({
    ...report,
    zone: 'Asia/Shanghai',
    cameras: Array.from({ length: 100 }, () => camera),
  });
  // How a camera is connected is bounded as all that a site tells: what breaks a bound is left out.
  const told = { condition: 'refused', since: 'now', code: 'c', reason: 'r', reason_zh: null };
  const connected = { ...camera, kind: 'hikvision', connection: told, refused: null };
  const long = { ...connected, connection: { ...told, reason: 'r'.repeat(501) }, kind: 'k'.repeat(65) };
  expect(readSiteReport({ ...report, cameras: [connected, long] })?.cameras).toEqual([
    connected,
    { ...camera, refused: null },
  ]);
  const ref = { key_id: 'c', ref: 'gate-1', last_event_at: 'now', events: 1 };
  const refs = [{ ...ref, ref: 'r'.repeat(129) }, ...Array.from({ length: 300 }, () => ref)];
  expect(readSiteReport({ ...report, camera_refs: refs })?.camera_refs).toEqual(
    Array.from({ length: 200 }, () => ref),
  );
  expect(readSiteReport({ at: 1 })).toBeNull();
  expect(readSiteReport('report')).toBeNull();
});

test('the site reads the answer of a newer headquarters, which says more', () => {
  const batch = {
    from: 0,
    to: 3,
    head: 3,
    marks: [1, 2, 3].map((position) => ({ position, at: null })),
  } as unknown as Batch;
  const answer = { protocol: 1, epoch: 'h', accepted: 3, duplicates: 0, cursor: 3, rejected: [] };
  const read = (body: object) =>
    readAnswer(batch, { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) } as never, 0);
  expect(read(answer)).toMatchObject({ kind: 'answered', answer: { cursor: 3 } });
  expect(read({ ...answer, protocol: 2, hint: 'slower' })).toMatchObject({
    kind: 'answered',
    answer: { cursor: 3 },
  });
});

test('a failed upgrade says how to go back, and the copy from before brings everything back', async () => {
  const dir = newDir();
  const clock = testClock();
  const store = await openStore({ dir, clock });
  await store.events.ingest([anEvent('a'), anEvent('b')], 1);
  const epoch = store.epoch();
  await store.close();
  const known = readMigrations();
  const broken = {
    version: 9_999,
    name: '9999-broken.sql',
    oldestCode: 9_999,
    sql: 'CREATE TABLE half (a INTEGER) STRICT; SELECT no_such_function();',
  };
  const probe = () => ({ totalBytes: 1e12, freeBytes: 1e11 });
  const copy = path.join(dir, `site-before-upgrade-from-${known.at(-1)?.version}.db`);
  await expect(openStore({ dir, clock, migrations: [...known, broken], probe })).rejects.toThrow(
    `fieldline-site restore ${copy}`,
  );
  expect(existsSync(copy)).toBe(true);
  const same = await openStore({ dir, clock });
  expect([(await same.events.page(0, 10)).length, same.epoch()]).toEqual([2, epoch]);
  await same.close();

  const newer = await openStore({
    dir,
    clock,
    migrations: [...known, { ...broken, sql: 'CREATE TABLE whole (a INTEGER) STRICT;' }],
    probe,
  });
  await newer.events.ingest([anEvent('c')], 2);
  await newer.close();
  await expect(openStore({ dir, clock })).rejects.toThrow(/newer version/);
  expect(await restore({ dataDir: dir, source: copy, now: 0 })).toMatchObject({ events: 2, idsAfter: 3 });
  const back = await openStore({ dir, clock });
  expect((await back.events.ingest([anEvent('d')], 3))[0]).toMatchObject({ id: 4, duplicate: false });
  expect(back.epoch()).not.toBe(epoch);
  const left = new Database(path.join(dir, 'site.db'), { readonly: true });
  expect(left.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'whole'").pluck().get()).toBe(0);
  left.close();
});

test(
  'a restore that is stopped before the copy takes its place leaves the store from before, and nothing ' +
    'else',
  async () => {
    const dir = newDir();
    const store = await openStore({ dir });
    await store.events.ingest([anEvent('a'), anEvent('b')], 1);
    const epoch = store.epoch();
    await store.close();
    const source = path.join(newDir(), 'copy.db');
    fs.copyFileSync(path.join(dir, 'site.db'), source);
    const rename = vi.spyOn(fs, 'renameSync').mockImplementation(() => {
      throw new Error('the plug is pulled');
    });
    await expect(restore({ dataDir: dir, source, now: 0 })).rejects.toThrow('the plug is pulled');
    rename.mockRestore();
    fs.mkdirSync(path.join(dir, 'site-restore.part'));
    const again = await openStore({ dir });
    expect([(await again.events.page(0, 10)).length, again.epoch()]).toEqual([2, epoch]);
    expect(existsSync(path.join(dir, 'site-restore.part'))).toBe(false);
    await again.close();
    await restore({ dataDir: dir, source, now: 1 });
    const [first, second] = fs
      .readdirSync(dir)
      .filter((name) => name.startsWith('site-before-restore-'))
      .map((name) => fs.statSync(path.join(dir, name)).ino);
    expect([first === second, fs.statSync(path.join(dir, 'site.db')).ino === first]).toEqual([true, false]);
  },
);

test('no size is shown below nothing', () => {
  expect([size(-276_358_216), size(0), size(1_536), size(null)]).toEqual(['0 B', '0 B', '1.5 KiB', '–']);
});
