import type { Clock } from '../../common/clock.ts';
import { readAlarmText } from '../../common/core/alarm/alarm-text.ts';
import type { AlarmPort, AlarmRecord } from '../../common/core/alarm/port.ts';
import type { Logger } from '../../common/log.ts';
import { readSiteReport, type SiteReport } from '../../common/uplink/site-report.ts';
import { hoursIn, keptSpan } from './hours/decide.ts';
import type { SiteHourPort } from './hours/port.ts';
import type { SitePort } from './port.ts';

/**
 * More than the alarms that can stand at once: the list must be complete, since an alarm missing from it
 * would never be cleared.
 */
const EVERY_ALARM = 100_000;

export interface SiteReportsOptions {
  sites: Pick<SitePort, 'keepReport'>;
  hours: SiteHourPort;
  alarms: AlarmPort;
  clock: Clock;
  log: Logger;
  /** Name of headquarters. */
  self: string;
}

/**
 * Keeps what each site last reported of its machine. The alarms of a report stand here under the site's name
 * for as long as its reports name them.
 */
export class SiteReports {
  #sites: Pick<SitePort, 'keepReport'>;
  #hours: SiteHourPort;
  #alarms: AlarmPort;
  #clock: Clock;
  #log: Logger;
  #self: string;
  /** The alarms last written, as JSON, by instance. */
  #written = new Map<string, string>();
  /** The last hour that was over when the hours of a site were written, by instance. */
  #hoursWritten = new Map<string, number>();

  constructor(options: SiteReportsOptions) {
    this.#sites = options.sites;
    this.#hours = options.hours;
    this.#alarms = options.alarms;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#self = options.self;
  }

  /**
   * Never throws: the report comes beside the data and must not hold it up.
   * @param sent the report as the site sent it; undefined: it sent none
   */
  async keep(instance: string, sent: unknown): Promise<void> {
    if (sent === undefined) return;
    const report = readSiteReport(sent);
    if (report === null)
      return this.#log.warn({ instance }, 'the report of a site is of a form that is not known here');
    try {
      const told = Date.parse(report.at);
      const offset = Number.isFinite(told) ? { clock_offset_ms: told - this.#clock.now() } : {};
      await this.#sites.keepReport(instance, { ...report, ...offset });
      await this.#keepHours(instance, report);
      // A site that had the name of headquarters would clear headquarters' own alarms.
      if (instance !== this.#self) await this.#copyAlarms(instance, report);
    } catch (error) {
      this.#log.warn({ err: error, instance }, 'the report of a site could not be kept');
    }
  }

  /** Once an hour: the hour that goes on is in the report itself. */
  async #keepHours(instance: string, report: SiteReport): Promise<void> {
    const now = this.#clock.now();
    const over = hoursIn(report, now).slice(0, -1);
    const last = over.at(-1)?.at;
    if (last === undefined || this.#hoursWritten.get(instance) === last) return;
    await this.#hours.keep(instance, over, keptSpan(now));
    this.#hoursWritten.set(instance, last);
  }

  async #copyAlarms(instance: string, report: SiteReport): Promise<void> {
    const reported = JSON.stringify(report.alarms);
    if (this.#written.get(instance) === reported) return;
    const now = this.#clock.now();
    const all = await this.#alarms.list({ tenantCode: null, includeCleared: false }, EVERY_ALARM);
    const standing = all.filter((alarm) => alarm.instance === instance);
    const keys = new Set(report.alarms.map(({ key }) => key));
    for (const { key } of standing) if (!keys.has(key)) await this.#alarms.clear(key, instance, now);
    for (const { key, severity, message, raised_at: raisedAt, ...worded } of report.alarms) {
      const site = { code: worded.code ?? null, messageZh: worded.message_zh ?? null };
      const same = (alarm: AlarmRecord): boolean =>
        alarm.key === key &&
        alarm.message === message &&
        readAlarmText({}, alarm.details).messageZh === site.messageZh;
      if (standing.some(same)) continue;
      const details = { raisedAt, site };
      await this.#alarms.raise({ key, instance, tenantCode: null, severity, message, details }, now);
    }
    this.#written.set(instance, reported);
  }
}
