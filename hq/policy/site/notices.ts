import type { Clock } from '../../../common/clock.ts';
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop } from '../../../common/loop.ts';
import { hubMessages } from '../../hub-messages.ts';
import type { SiteLibraryPort } from './port.ts';

/** A change of the library is told to sites at most this late. */
const EVERY_MS = 2_000;
/** How often it is looked which sites lack a version for long. */
const LOOK_MS = 60_000;
/** A site that is there has a version long before, ms. */
const LATE_MS = 24 * 3_600_000;
/** Most sites that the alarm names. */
const NAMED = 100;
const ALARM = 'site_libraries';

export interface LibraryNoticesOptions {
  libraries: Pick<SiteLibraryPort, 'renew' | 'list'>;
  /** Highest rank that goes to sites; null: none does. */
  maxRank: number | null;
  alarms: Pick<AlarmPort, 'raise' | 'clear'>;
  instance: string;
  clock: Clock;
  log: Logger;
}

/** Tells sites of each version of their libraries, and people of sites that do not have it. */
export class LibraryNotices {
  readonly loop: Loop;
  readonly #options: LibraryNoticesOptions;
  #lookedAt = -Infinity;
  /** The sites that the alarm tells of, as far as this process knows; null: not yet looked. */
  #told: string | null = null;

  constructor(options: LibraryNoticesOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'libraries of sites',
      interval: EVERY_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: () => this.round(),
    });
  }

  async round(): Promise<void> {
    const { libraries, maxRank, clock } = this.#options;
    await libraries.renew(maxRank, clock.now());
    if (clock.monotonic() - this.#lookedAt < LOOK_MS) return;
    await this.#look();
    this.#lookedAt = clock.monotonic();
  }

  async #look(): Promise<void> {
    const { libraries, alarms, clock, instance } = this.#options;
    const now = clock.now();
    const all = await libraries.list({ tenants: null });
    const without = all
      .filter(({ state, since }) => state === 'refused' || (state === 'waiting' && now - since > LATE_MS))
      .slice(0, NAMED)
      .map(({ instance: site, tenantCode, state, reason }) => ({ site, tenantCode, state, reason }));
    const told = JSON.stringify(without);
    if (told === this.#told) return;
    const [first] = without;
    if (!first) await alarms.clear(ALARM, null, now);
    else {
      const params = { count: without.length, site: first.site, tenant: first.tenantCode };
      const text = alarmText(hubMessages, { code: 'site_libraries', params }, { sites: without });
      const of = { key: ALARM, instance, shared: true, tenantCode: null, severity: 'warning' as const };
      await alarms.raise({ ...of, ...text }, now);
    }
    this.#told = told;
  }
}
