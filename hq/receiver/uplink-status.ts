import type { Clock } from '../../common/clock.ts';
import type { WantPort } from '../evidence/port.ts';
import type { ConflictRecord, ReceiverPort } from './port.ts';
import { siteStates, type SiteStatus } from './status.ts';

/** What has been received from the sites, and what could not be stored. */
export class UplinkStatus {
  /** Name of headquarters. */
  readonly instance: string;
  #receiver: ReceiverPort;
  #wants: Pick<WantPort, 'sites' | 'counts'>;
  #clock: Clock;

  constructor(
    receiver: ReceiverPort,
    wants: Pick<WantPort, 'sites' | 'counts'>,
    clock: Clock,
    instance: string,
  ) {
    this.#receiver = receiver;
    this.#wants = wants;
    this.#clock = clock;
    this.instance = instance;
  }

  /** @param tenantCode only sites of this tenant; null is every site */
  async sites(tenantCode: string | null): Promise<SiteStatus[]> {
    const [sites, sources, lastSeen, decisions, evidence, wants] = await Promise.all([
      this.#receiver.sites(),
      this.#receiver.sources(),
      this.#receiver.lastSeen(),
      this.#receiver.decisionCounts(),
      this.#wants.sites(),
      this.#wants.counts(),
    ]);
    const shown = sites.filter(
      (site) => site.removedAt === null && (tenantCode === null || site.tenants.includes(tenantCode)),
    );
    const seen = { sources, lastSeen, decisions, evidence, wants };
    return siteStates(shown, seen, this.#clock.now());
  }

  /** Events that exist at sites and are not stored here. @param filter `tenantCode` null: every tenant */
  conflicts(
    filter: { instance?: string | undefined; tenantCode: string | null },
    limit: number,
  ): Promise<ConflictRecord[]> {
    return this.#receiver.conflicts(filter, limit);
  }
}
