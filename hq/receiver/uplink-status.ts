import type { Clock } from '../../common/clock.ts';
import type { ConflictRecord, ReceiverPort } from './port.ts';
import { siteStates, type SiteStatus } from './status.ts';

/** What has been received from the sites, and what could not be stored. */
export class UplinkStatus {
  /** Name of headquarters. */
  readonly instance: string;
  #receiver: ReceiverPort;
  #clock: Clock;

  constructor(receiver: ReceiverPort, clock: Clock, instance: string) {
    this.#receiver = receiver;
    this.#clock = clock;
    this.instance = instance;
  }

  /** @param tenantCode only sites of this tenant; null is every site */
  async sites(tenantCode: string | null): Promise<SiteStatus[]> {
    const [sites, sources, lastSeen, decisions] = await Promise.all([
      this.#receiver.sites(),
      this.#receiver.sources(),
      this.#receiver.lastSeen(),
      this.#receiver.decisionCounts(),
    ]);
    const shown = sites.filter(
      (site) => site.removedAt === null && (tenantCode === null || site.tenants.includes(tenantCode)),
    );
    return siteStates(shown, { sources, lastSeen, decisions }, this.#clock.now());
  }

  /** Events that exist at sites and are not stored here. @param filter `tenantCode` null: every tenant */
  conflicts(
    filter: { instance?: string | undefined; tenantCode: string | null },
    limit: number,
  ): Promise<ConflictRecord[]> {
    return this.#receiver.conflicts(filter, limit);
  }
}
