import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../common/clock.ts';
import type { AlarmPort, AlarmRecord, RaiseAlarm } from '../../common/core/alarm/port.ts';
import type { Logger } from '../../common/log.ts';
import { readSiteReport, type SiteReport } from '../../common/uplink/site-report.ts';
import { SiteRate } from './admission/site-rate.ts';
import { itemsFailedKey, type SiteAlarms } from './alarm/alarms.ts';
import { hoursIn, keptSpan } from './hours/decide.ts';
import type { SiteHourPort } from './hours/port.ts';
import type { SitePort } from './port.ts';

/**
 * More than the alarms that can stand at once: the list must be complete, since an alarm missing from it
 * would never be cleared.
 */
const EVERY_ALARM = 100_000;

/** Alarms of one site that stand here at a time, the most severe ones: more say no more to a person. */
const MOST_ALARMS = 40;
/** How many of a site's alarms begin, change or end here: a start with all, and some that come and go. */
const ALARM_RATE = { minute: 90, hour: 900 } as const;

export interface SiteReportsOptions {
  sites: Pick<SitePort, 'keepReport'>;
  hours: SiteHourPort;
  alarms: AlarmPort;
  /** What headquarters itself says of a site. */
  siteAlarms: Pick<SiteAlarms, 'raise' | 'clear'>;
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
  readonly #options: SiteReportsOptions;
  #rate: SiteRate;
  /** The end of what is being kept, by instance: two connections of a site may bring reports at a time. */
  #keeping = new Map<string, Promise<void>>();
  /** The last hour that was over when the hours of a site were written, by instance. */
  #hoursWritten = new Map<string, number>();
  /** Items that lay parked at a site by its last report, by instance. */
  #parked = new Map<string, number>();
  /** Whether a site could write to its disk by its last report, by instance. */
  #storing = new Map<string, boolean>();

  constructor(options: SiteReportsOptions) {
    this.#options = options;
    this.#rate = new SiteRate(options.clock, ALARM_RATE);
  }

  /**
   * Never throws: the report comes beside the data and must not hold it up.
   * @param sent the report as the site sent it; undefined: it sent none
   */
  async keep(instance: string, sent: unknown): Promise<void> {
    if (sent === undefined) return;
    const report = readSiteReport(sent);
    if (report === null)
      return this.#options.log.warn({ instance }, 'the report of a site is of a form that is not known here');
    const before = this.#keeping.get(instance);
    const kept = Promise.resolve(before).then(() => this.#keep(instance, report));
    this.#keeping.set(instance, kept);
    await kept;
    if (this.#keeping.get(instance) === kept) this.#keeping.delete(instance);
  }

  async #keep(instance: string, report: SiteReport): Promise<void> {
    try {
      const told = Date.parse(report.at);
      const offset = Number.isFinite(told) ? { clock_offset_ms: told - this.#options.clock.now() } : {};
      if (!(await this.#options.sites.keepReport(instance, { ...report, ...offset }))) return;
      await this.#keepHours(instance, report);
      // A site that had the name of headquarters would clear headquarters' own alarms.
      if (instance !== this.#options.self) await this.#copyAlarms(instance, report);
      await this.#noteParked(instance, report);
      await this.#noteStoring(instance, report);
    } catch (error) {
      this.#options.log.warn({ err: error, instance }, 'the report of a site could not be kept');
    }
  }

  /** Once an hour: the hour that goes on is in the report itself. */
  async #keepHours(instance: string, report: SiteReport): Promise<void> {
    const now = this.#options.clock.now();
    const over = hoursIn(report, now).slice(0, -1);
    const last = over.at(-1)?.at;
    if (last === undefined || this.#hoursWritten.get(instance) === last) return;
    await this.#options.hours.keep(instance, over, keptSpan(now));
    this.#hoursWritten.set(instance, last);
  }

  /** Once nothing lies parked at the site any more, nothing is missing here that could not be stored. */
  async #noteParked(instance: string, { flows }: SiteReport): Promise<void> {
    if (flows === undefined) return;
    const before = this.#parked.get(instance);
    const parked = flows.reduce((sum, flow) => sum + flow.parked, 0);
    if (parked === 0 && before !== 0)
      await this.#options.alarms.clear(itemsFailedKey(instance), null, this.#options.clock.now());
    this.#parked.set(instance, parked);
  }

  /** A site whose disk takes no writes cannot keep an alarm of its own; a full one has room left for that. */
  async #noteStoring(instance: string, { storing, disk }: SiteReport): Promise<void> {
    const { siteAlarms } = this.#options;
    const told = storing || disk.level === 'full';
    if (!told) {
      const message = { code: 'site_not_storing' as const, params: { site: instance } };
      await siteAlarms.raise('critical', instance, message, { site: instance });
    } else if (this.#storing.get(instance) !== true) await siteAlarms.clear('site_not_storing', instance);
    this.#storing.set(instance, told);
  }

  /**
   * What stands here is read each time: another process of this hub may have written it. What is over the
   * rate is compared again with the next report.
   */
  async #copyAlarms(instance: string, report: SiteReport): Promise<void> {
    const now = this.#options.clock.now();
    const told = mostSevere(report.alarms);
    const filter = { tenantCode: null, includeCleared: false, instance };
    const standing = new Map(
      (await this.#options.alarms.list(filter, EVERY_ALARM)).map((alarm) => [alarm.key, alarm]),
    );
    const fresh = told
      .map((one) => alarmOf(one, instance, now))
      .filter((alarm) => !isSame(standing.get(alarm.key), alarm));
    const keys = new Set(told.map(({ key }) => key));
    const over = [...standing.keys()].filter((key) => !keys.has(key));
    const isNew = ({ key }: RaiseAlarm): boolean => !standing.has(key);
    const raised = [fresh.filter((alarm) => !isNew(alarm)), fresh.filter(isNew)] as const;
    const steps = inTurn(...raised, over, MOST_ALARMS - standing.size);
    const taken = this.#rate.take(instance, steps.length);
    for (const step of steps.slice(0, taken)) {
      if (typeof step === 'string') await this.#options.alarms.clear(step, instance, now);
      else await this.#options.alarms.raise(step, now);
    }
    const left = report.alarms.length - told.length;
    await this.#tellMany(instance, left > 0 || taken < steps.length);
  }

  async #tellMany(site: string, many: boolean): Promise<void> {
    if (!many) return this.#options.siteAlarms.clear('site_alarms_many', site);
    const params = { site, most: MOST_ALARMS, minute: ALARM_RATE.minute };
    await this.#options.siteAlarms.raise('warning', site, { code: 'site_alarms_many', params }, { site });
  }
}

/** Critical ones first, each kind in the order of the site. Pure. */
function mostSevere(alarms: SiteReport['alarms']): SiteReport['alarms'] {
  const critical = alarms.filter(({ severity }) => severity === 'critical');
  return [...critical, ...alarms.filter(({ severity }) => severity !== 'critical')].slice(0, MOST_ALARMS);
}

/**
 * Alarms to be raised, and keys of those to be cleared, in an order in which never more stand than may,
 * wherever the rate ends it: of new ones as many as there is room for, then one for each that is over. Pure.
 * @param room negative where more stand already
 */
function inTurn(
  changed: readonly RaiseAlarm[],
  begun: readonly RaiseAlarm[],
  over: readonly string[],
  room: number,
): (RaiseAlarm | string)[] {
  const [fitting, surplus] = [Math.max(0, room), Math.max(0, -room)];
  const pairs = over
    .slice(surplus)
    .flatMap((key, at) => [key, ...begun.slice(fitting + at, fitting + at + 1)]);
  return [...over.slice(0, surplus), ...changed, ...begun.slice(0, fitting), ...pairs];
}

/** @param now headquarters' own time: an alarm of a site whose clock is ahead begins no later */
function alarmOf(told: SiteReport['alarms'][number], instance: string, now: number) {
  const { key, severity, message, raised_at: raisedAt } = told;
  const began = Date.parse(raisedAt);
  const site = { code: told.code ?? null, messageZh: told.message_zh ?? null };
  const since = Number.isFinite(began) ? Math.min(began, now) : now;
  return { key, instance, tenantCode: null, severity, message, details: { raisedAt, site }, since };
}

function isSame(standing: AlarmRecord | undefined, told: ReturnType<typeof alarmOf>): boolean {
  return (
    standing !== undefined &&
    standing.severity === told.severity &&
    standing.message === told.message &&
    isDeepStrictEqual(standing.details, told.details)
  );
}
