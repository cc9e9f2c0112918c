import type { Clock } from '../../common/clock.ts';
import type { WantPort } from '../evidence/port.ts';
import type { SiteNotificationPort } from '../notification/port.ts';
import type { Contacts } from './contact/contacts.ts';
import type { FleetPort } from './fleet/port.ts';
import type { SiteLine } from './fleet/schema.ts';
import { lineOf } from './fleet/view.ts';
import type { LastSeen } from './heard/port.ts';
import { hoursIn, joined } from './hours/decide.ts';
import type { SiteHourPort } from './hours/port.ts';
import type { SiteHour } from './hours/record.ts';
import type { OrderPort } from './order/port.ts';
import type { ConflictRecord, DecisionPort, ReceiverPort, SitePort, SiteRecord } from './port.ts';
import { heardOf, type SiteHeard, siteStates, type SiteStatus } from './status.ts';
import type { SiteZone, SiteZonePort } from './zone/port.ts';

export interface UplinkStatusPorts {
  receiver: ReceiverPort;
  sites: SitePort & SiteZonePort & FleetPort;
  contacts: Pick<Contacts, 'write'>;
  hours: SiteHourPort;
  decisions: DecisionPort;
  orders: Pick<OrderPort, 'counts'>;
  wants: Pick<WantPort, 'overview' | 'counts'>;
  notifications: Pick<SiteNotificationPort, 'counts'>;
}

/** What has been received from the sites, and what could not be stored. */
export class UplinkStatus {
  /** Name of headquarters. */
  readonly instance: string;
  readonly #ports: UplinkStatusPorts;
  #clock: Clock;

  constructor(ports: UplinkStatusPorts, clock: Clock, instance: string) {
    this.#ports = ports;
    this.#clock = clock;
    this.instance = instance;
  }

  /**
   * Without what only the page of one site shows of its report.
   * @param tenantCode only sites of this tenant; null is every site
   */
  async sites(tenantCode: string | null): Promise<SiteStatus[]> {
    const [shown, lastSeen] = await Promise.all([this.#live(tenantCode), this.#ports.sites.lastSeen()]);
    return this.#statusOf(shown, lastSeen);
  }

  /** With its whole report; null: there is no such site, or it has none of the tenant's. */
  async site(instance: string, tenantCode: string | null): Promise<SiteStatus | null> {
    await this.#ports.contacts.write();
    const site = await this.#ports.sites.get(instance);
    const shown = site && site.removedAt === null ? shownTo([site], tenantCode) : [];
    if (shown.length === 0) return null;
    const seen = await this.#ports.sites.lastSeenOf(instance);
    const lastSeen = new Map(seen ? [[instance, seen]] : []);
    return (await this.#statusOf(shown, lastSeen, instance))[0] ?? null;
  }

  /** One line of each, by instance. @param tenantCode as in `sites` */
  async lines(tenantCode: string | null): Promise<SiteLine[]> {
    await this.#ports.contacts.write();
    const [sites, refused, decisions, orders, wants] = await Promise.all([
      this.#ports.sites.listed(),
      this.#ports.sites.notTaken(),
      this.#ports.decisions.counts(),
      this.#ports.orders.counts(),
      this.#ports.wants.counts(),
    ]);
    const now = this.#clock.now();
    return shownTo(sites, tenantCode).map((site) => {
      const names = [site.instance, ...site.continues];
      const here = {
        toSite: sumOf(names, (name) => waitingOf(decisions, name) + waitingOf(orders, name)),
        filesWanted: sumOf(names, (name) => wants.get(name)?.files ?? 0),
        refused: refused.get(site.instance) ?? 0,
      };
      return lineOf(site, here, now);
    });
  }

  /** Which sites are heard. @param tenantCode as in `sites` */
  async heard(tenantCode: string | null): Promise<SiteHeard[]> {
    const [shown, heard] = await Promise.all([this.#live(tenantCode), this.#ports.sites.heard()]);
    const now = this.#clock.now();
    return shown.map((site) => heardOf(site, heard.get(site.instance), now));
  }

  async #live(tenantCode: string | null): Promise<readonly SiteRecord[]> {
    await this.#ports.contacts.write();
    return shownTo(await this.#ports.sites.list(), tenantCode);
  }

  async #statusOf(
    shown: readonly SiteRecord[],
    lastSeen: ReadonlyMap<string, LastSeen>,
    instance?: string,
  ): Promise<SiteStatus[]> {
    const [sources, decisions, orders, evidence, notifications] = await Promise.all([
      this.#ports.sites.sources(instance),
      this.#ports.decisions.counts(),
      this.#ports.orders.counts(),
      this.#ports.wants.overview(),
      this.#ports.notifications.counts(),
    ]);
    const seen = {
      ...{ sources, lastSeen, decisions, orders, notifications },
      evidence: evidence.sites,
      wants: evidence.counts,
    };
    return siteStates(shown, seen, this.#clock.now());
  }

  /** The time zones of sites, by their names. @param tenantCode as in `sites` */
  zones(tenantCode: string | null): Promise<SiteZone[]> {
    return this.#ports.sites.zones(tenantCode);
  }

  /** Its last week by hours, oldest first; null as in `site`. @param tenantCode as in `sites` */
  async hours(instance: string, tenantCode: string | null): Promise<SiteHour[] | null> {
    const site = await this.site(instance, tenantCode);
    if (!site) return null;
    const now = this.#clock.now();
    return joined(await this.#ports.hours.of(instance), hoursIn(site.report ?? {}, now), now);
  }

  /** Events that exist at sites and are not stored here. @param filter `tenantCode` null: every tenant */
  conflicts(
    filter: { instance?: string | undefined; tenantCode: string | null },
    limit: number,
  ): Promise<ConflictRecord[]> {
    return this.#ports.receiver.conflicts(filter, limit);
  }
}

/** Groups are how headquarters looks after sites; their names may be of other tenants. */
const shownTo = <S extends SiteRecord>(sites: readonly S[], tenantCode: string | null): readonly S[] =>
  tenantCode === null
    ? sites
    : sites.filter(({ tenants }) => tenants.includes(tenantCode)).map((site) => ({ ...site, groups: [] }));

const waitingOf = (counts: ReadonlyMap<string, { waiting: number }>, name: string): number =>
  counts.get(name)?.waiting ?? 0;

const sumOf = (names: readonly string[], count: (name: string) => number): number =>
  names.reduce((sum, name) => sum + count(name), 0);
