import type { Clock } from '../../clock.ts';
import type { Lifecycle } from '../../lifecycle.ts';
import type { Logger } from '../../log.ts';
import { Loop } from '../../loop.ts';
import { coreAlarmMessages } from '../alarm/alarm-messages.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import type { AlarmPort } from '../alarm/port.ts';
import { daysSince } from './decide.ts';
import { readLastBackup } from './last-backup.ts';

const KEY = 'backup_old';
const LOOK_EVERY_MS = 60_000;

export interface BackupAgeOptions {
  /** Folder of the data, beside which the last backup is noted. */
  dir: string;
  /** Days after which the last backup is too old (CORE_BACKUP_ALARM_DAYS); 0: nobody is told. */
  days: number;
  alarms: AlarmPort;
  self: string;
  clock: Clock;
  log: Logger;
}

/**
 * Tells when backups that were made are made no more. Where there never was one nobody is told: what a site
 * stores is at headquarters too, and a database may be copied by other means.
 */
export class BackupAge {
  readonly loop: Loop;
  readonly #options: BackupAgeOptions;

  constructor(options: BackupAgeOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'age of the last backup',
      interval: LOOK_EVERY_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: () => this.look(),
    });
  }

  async look(): Promise<void> {
    const { dir, days: limit, alarms, self: instance, clock } = this.#options;
    const now = clock.now();
    const last = readLastBackup(dir);
    const days = last === null ? null : daysSince(Date.parse(last.at), now);
    if (last === null || days === null || limit === 0 || days < limit) {
      await alarms.clear(KEY, instance, now);
      return;
    }
    const text = alarmText(coreAlarmMessages, { code: KEY, params: { days, at: last.at, limit } });
    await alarms.raise({ key: KEY, instance, tenantCode: null, severity: 'warning', ...text }, now);
  }
}

/** Looks at it from now on until the program ends. */
export function watchBackups({
  config,
  store: { alarms },
  clock,
  log,
  lifecycle,
}: {
  config: { dataDir: string; instance: string; backupAlarmDays: number };
  store: { alarms: AlarmPort };
  clock: Clock;
  log: Logger;
  lifecycle: Lifecycle;
}): void {
  const { dataDir: dir, instance: self } = config;
  const { loop } = new BackupAge({
    dir,
    // At a site it may be set while the program runs.
    get days() {
      return config.backupAlarmDays;
    },
    ...{ alarms, self, clock, log },
  });
  lifecycle.onStop('age of the last backup', () => loop.stop());
  loop.start();
}
