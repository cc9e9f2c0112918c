import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { siteReport, type SiteReport } from '../../common/uplink/wire.ts';

/** null: there is none, or it is of a form that is not known here. */
export function readReport(value: unknown): SiteReport | null {
  const parsed = siteReport.safeParse(value);
  return parsed.success ? parsed.data : null;
}

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
    const standing = (await this.#alarms.list({ tenantCode: null, includeCleared: false }, 1_000)).filter((alarm) => alarm.instance === instance);
    const told = new Set(report.alarms.map(({ key }) => key));
    for (const { key } of standing) if (!told.has(key)) await this.#alarms.clear(key, instance, now);
    for (const { key, severity, message, raised_at: raisedAt } of report.alarms) {
      const same = standing.some((alarm) => alarm.key === key && alarm.message === message);
      if (!same) await this.#alarms.raise({ key, instance, tenantCode: null, severity, message, details: { raisedAt } }, now);
    }
    this.#written.set(instance, signature);
  }
}
