import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { SiteReport } from '../../common/uplink/wire.ts';

/** More than can stand: one that is overlooked would never be cleared. */
const EVERY_ALARM = 100_000;

/** The alarms of the sites stand here under the site's name for as long as its reports name them. */
export class SiteAlarmMirror {
  #alarms: AlarmPort;
  /** What was last written, by instance. */
  #written = new Map<string, string>();

  constructor(alarms: AlarmPort) {
    this.#alarms = alarms;
  }

  async follow(instance: string, report: SiteReport, now: number): Promise<void> {
    const signature = JSON.stringify(report.alarms);
    if (this.#written.get(instance) === signature) return;
    const standing = (
      await this.#alarms.list({ tenantCode: null, includeCleared: false }, EVERY_ALARM)
    ).filter((alarm) => alarm.instance === instance);
    const told = new Set(report.alarms.map(({ key }) => key));
    for (const { key } of standing) if (!told.has(key)) await this.#alarms.clear(key, instance, now);
    for (const { key, severity, message, raised_at: raisedAt } of report.alarms) {
      const same = standing.some((alarm) => alarm.key === key && alarm.message === message);
      if (!same)
        await this.#alarms.raise(
          { key, instance, tenantCode: null, severity, message, details: { raisedAt } },
          now,
        );
    }
    this.#written.set(instance, signature);
  }
}
