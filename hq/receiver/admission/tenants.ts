import type { Clock } from '../../../common/clock.ts';
import type { Logger } from '../../../common/log.ts';
import type { SitePort } from '../port.ts';

const EVERY_MS = 30_000;

/** Which tenants a site serves, for sharing out work, as it was half a minute ago. */
export class TenantsOfSites {
  #sites: Pick<SitePort, 'list'>;
  #clock: Pick<Clock, 'monotonic'>;
  #log: Logger;
  #tenants = new Map<string, string>();
  #readAt = -Infinity;

  constructor(sites: Pick<SitePort, 'list'>, clock: Pick<Clock, 'monotonic'>, log: Logger) {
    this.#sites = sites;
    this.#clock = clock;
    this.#log = log;
  }

  /** As one name; the name of the site where they are not known. */
  of(site: string): string {
    if (this.#clock.monotonic() - this.#readAt > EVERY_MS) {
      this.#readAt = this.#clock.monotonic();
      this.#read().catch((error: unknown) =>
        this.#log.warn({ err: error }, 'the tenants of sites could not be read for sharing out the work'),
      );
    }
    return this.#tenants.get(site) ?? site;
  }

  async #read(): Promise<void> {
    const sites = await this.#sites.list();
    this.#tenants = new Map(sites.map(({ instance, tenants }) => [instance, tenants.join(' ')]));
  }
}
