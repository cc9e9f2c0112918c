// Backups that are made no more: told after the days that are set, and over with the next one.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { BackupAge } from '../../../common/core/run/backup-age.ts';
import { silentLogger } from '../../../common/log.ts';
import { noteBackup } from '../../../common/terminal/backup-note.ts';
import type { SiteFacts } from '../../../site/status/schema.ts';
import { SettableClock, type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf } from '../../support/request.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

let scene: Scene;
let clock: SettableClock;
let here: SiteHere;
let dir: string;
beforeEach(async () => {
  scene = new Scene();
  clock = new SettableClock();
  here = await startSiteHere(scene, { clock });
  dir = path.join(scene.dir, 'noted');
  mkdirSync(dir);
});
afterEach(() => scene.close());

const watch = (days: number): BackupAge =>
  new BackupAge({ dir, days, alarms: here.site.store.alarms, self: 'site-1', clock, log: silentLogger() });
const made = (): string | null =>
  noteBackup(dir, { at: new Date(clock.now()).toISOString(), bytes: 1, events: 0, verified: true });
const told = async (): Promise<SiteFacts['alarms']> =>
  jsonOf<SiteFacts>(expectStatus(await here.call('GET', '/api/core/site/status'), 200)).alarms.filter(
    ({ key }) => key === 'backup_old',
  );

test('stands once the last one is too old, and is over with the next', async () => {
  const age = watch(8);
  expect(made()).toBeNull();
  clock.offset += 8 * DAY - MINUTE;
  await age.look();
  expect(await told()).toEqual([]);
  clock.offset += MINUTE;
  await age.look();
  expect(await told()).toMatchObject([
    {
      severity: 'warning',
      message: expect.stringMatching(/^The last backup was made 8 days ago \(\d{4}-.*wanted every 8 days/),
      messageZh: expect.stringContaining('最近一次备份是 8 天前'),
    },
  ]);
  made();
  await age.look();
  expect(await told()).toEqual([]);
});

test('is not told where there never was a backup, or where nobody wants to know', async () => {
  clock.offset += 100 * DAY;
  await watch(8).look();
  made();
  clock.offset += 100 * DAY;
  await watch(0).look();
  expect(await told()).toEqual([]);
});
