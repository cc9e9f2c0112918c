import type { Clock } from '../../../common/clock.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import { takeEach } from '../../../common/core/left-out/row-by-row.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop } from '../../../common/loop.ts';
import { gauge, type Metric } from '../../../common/metrics.ts';
import { formatTime } from '../../../common/time.ts';
import type { SiteAlarms } from '../alarm/alarms.ts';
import type { Contacts } from '../contact/contacts.ts';
import type { SitePort } from '../port.ts';
import { silenceAlarms, type Watched } from './decide.ts';
import { Hearing } from './hearing.ts';

const LOOK_EVERY_MS = 10_000;
const CODE = 'site_silent';

export interface SilenceOptions {
  sites: Pick<SitePort, 'list' | 'heard'>;
  contacts: Pick<Contacts, 'write'>;
  alarms: Pick<AlarmPort, 'list'>;
  siteAlarms: SiteAlarms;
  clock: Clock;
  log: Logger;
}

/**
 * Raises an alarm for each site that is not heard any more, from the clock: nobody has to look. Time in which
 * headquarters could not hear or keep what it heard counts for no site.
 */
export class Silence {
  readonly loop: Loop;
  readonly #options: SilenceOptions;
  #hearing: Hearing;
  /** Sites for which the alarm stood at the last look. */
  #standing: ReadonlySet<string> = new Set();

  constructor(options: SilenceOptions) {
    this.#options = options;
    const { clock, log } = options;
    this.#hearing = new Hearing(clock);
    this.loop = new Loop({
      name: 'silent sites',
      interval: LOOK_EVERY_MS,
      backoff: { first: 1_000, cap: LOOK_EVERY_MS, jitter: 0.2 },
      log,
      monotonic: () => clock.monotonic(),
      round: () => this.look(),
    });
  }

  /** A site has called: an alarm for it ends at once. */
  called(instance: string): void {
    if (this.#standing.has(instance)) this.loop.kick();
  }

  async look(): Promise<void> {
    const { contacts, siteAlarms, clock } = this.#options;
    try {
      await contacts.write();
      const sites = await this.#watched();
      const standing = await this.#read(new Set(sites.map(({ instance }) => instance)));
      const now = clock.now();
      const { raise, clear } = silenceAlarms(sites, standing, { now, forMs: this.#hearing.look(now) });
      await takeEach(clear, (instance) => siteAlarms.clear(CODE, instance));
      await takeEach(raise, (site) => siteAlarms.raise('critical', site.instance, ...told(site)));
      this.#standing = new Set([...standing, ...raise.map(({ instance }) => instance)]);
    } catch (error) {
      this.#hearing.lost();
      throw error;
    }
  }

  /** Seconds since each site was last heard, and after how many it is silent. */
  metrics(): Metric[] {
    const each = (pick: (site: Watched) => number[]) => async () =>
      (await this.#watched()).flatMap((site) =>
        pick(site).map((value) => ({ labels: { site: site.instance }, value })),
      );
    return [
      gauge(
        'fieldline_site_heard_seconds_ago',
        'Seconds since a site was last heard',
        each(({ lastSeenAt }) => [Math.max(0, Math.round((this.#options.clock.now() - lastSeenAt) / 1000))]),
      ),
      gauge(
        'fieldline_site_silent_after_seconds',
        'After how many of them it is silent; none for a site that is planned to be away',
        each(({ away, silentAfterMinutes }) => (away ? [] : [silentAfterMinutes * 60])),
      ),
    ];
  }

  async #watched(): Promise<Watched[]> {
    const { sites } = this.#options;
    const [all, heard] = [await sites.list(), await sites.heard()];
    return all.flatMap((site) => {
      const lastSeenAt = heard.get(site.instance);
      return lastSeenAt === undefined ? [] : [{ ...site, lastSeenAt }];
    });
  }

  /** Alarms of headquarters alone: a site may report what it likes under its own name. */
  async #read(sites: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const filter = { tenantCode: null, includeCleared: false, keys: [`${CODE}:`] };
    const found = await this.#options.alarms.list(filter, EVERY_SITE);
    const own = found.filter(({ instance }) => !sites.has(instance));
    return new Set(own.map(({ key }) => key.slice(CODE.length + 1)));
  }
}

/** More than sites there can be. */
const EVERY_SITE = 100_000;

const told = ({ instance, silentAfterMinutes, lastSeenAt }: Watched) => {
  const heard = formatTime(lastSeenAt);
  const params = { site: instance, instance, minutes: silentAfterMinutes, heard };
  return [{ code: CODE, params }, { lastSeenAt: heard }] as const;
};
