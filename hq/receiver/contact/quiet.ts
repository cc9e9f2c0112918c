import type { Clock } from '../../../common/clock.ts';
import type { WaitingCounts } from '../../../common/uplink/inbox.ts';
import type { ChannelName } from '../../../common/uplink/wire.ts';
import type { BatchHead } from '../port.ts';
import type { SiteNews } from './port.ts';

/** What is known of a site is read anew at the latest after this, ms. */
const BELIEVED_MS = 300_000;

/** What the last calls of a site have shown. It is given up whole when something of the site is changed. */
export interface QuietSite {
  /** Monotonic ms. */
  readonly since: number;
  /** Epoch of this store, and what the site understands, as they were then. */
  readonly hubEpoch: string;
  readonly features: string;
  /** Epoch of the site's store, and the positions stored for it. */
  epoch: string;
  positions: Map<ChannelName, number>;
  /** The number in its inbox after which nothing stands; null: that was not looked at. */
  quietAfter: number | null;
  /** What waits all the same, as the site does not understand it. */
  waiting: WaitingCounts;
  /** Whose events it may bring; null: that was not looked at. */
  tenants: readonly string[] | null;
}

/** The tenants whose events a site may bring; null for a site that is not registered. */
export type TenantsOfSite = (instance: string) => Promise<readonly string[] | null>;

/**
 * Remembers of the sites what an empty call is answered from, so that it costs no look into the store. Only
 * what was read while news of changes came is believed, and only as long as they come. Invariant: what is
 * noted on a record that was given up meanwhile is lost with it.
 */
export class QuietSites {
  #news: SiteNews;
  #clock: Pick<Clock, 'monotonic'>;
  #epoch: () => string;
  #tenantsOf: TenantsOfSite;
  #sites = new Map<string, QuietSite>();

  /** @param epoch of this store */
  constructor(
    news: SiteNews,
    clock: Pick<Clock, 'monotonic'>,
    epoch: () => string,
    tenantsOf: TenantsOfSite,
  ) {
    this.#news = news;
    this.#clock = clock;
    this.#epoch = epoch;
    this.#tenantsOf = tenantsOf;
    news.onSite((instance) => this.#changed(instance));
  }

  /** The record to note on what is read from now on. */
  of(instance: string, features: readonly string[]): QuietSite {
    const standing = this.#sites.get(instance);
    if (standing && this.#holds(standing, features)) return standing;
    const made: QuietSite = {
      since: this.#clock.monotonic(),
      hubEpoch: this.#epoch(),
      features: features.join(' '),
      epoch: '',
      positions: new Map(),
      quietAfter: null,
      waiting: {},
      tenants: null,
    };
    if (this.#news.current()) this.#sites.set(instance, made);
    return made;
  }

  /** Whether a call brings nothing, and the store would say nothing new of its position. */
  isEmpty(site: QuietSite, channel: ChannelName, head: BatchHead, items: number): boolean {
    return (
      items === 0 &&
      this.#sites.get(head.instance) === site &&
      site.epoch === head.epoch &&
      head.from === head.to &&
      head.to === head.head &&
      site.positions.get(channel) === head.to
    );
  }

  /** Whether nothing stands in the inbox of the site after this number. */
  isQuiet(site: QuietSite, instance: string, after: number): boolean {
    return site.quietAfter === after && this.#sites.get(instance) === site;
  }

  /** As they are in the store, looked up once for a record. */
  async tenantsOf(site: QuietSite, instance: string): Promise<readonly string[] | null> {
    site.tenants ??= await this.#tenantsOf(instance);
    return site.tenants;
  }

  /** A batch was stored up to `cursor`. */
  stored(site: QuietSite, channel: ChannelName, epoch: string, cursor: number): void {
    if (site.epoch !== epoch) {
      site.epoch = epoch;
      site.positions.clear();
    }
    site.positions.set(channel, Math.max(cursor, site.positions.get(channel) ?? 0));
  }

  #holds(site: QuietSite, features: readonly string[]): boolean {
    return (
      this.#news.current() &&
      this.#clock.monotonic() - site.since < BELIEVED_MS &&
      site.hubEpoch === this.#epoch() &&
      site.features === features.join(' ')
    );
  }

  #changed(instance: string | null): void {
    if (instance === null) this.#sites.clear();
    else this.#sites.delete(instance);
  }
}
