import type { Clock } from '../../common/clock.ts';
import type { IssuedKey, KeyService } from '../../common/core/key/service.ts';
import { conflict, notFound } from '../../common/http/error.ts';
import { MOST_GROUPS } from './fleet/schema.ts';
import type { GroupChange, NewSite, Regrouped, SiteChange, SitePort, SiteRecord } from './port.ts';
import { fault } from './receiver-fault-messages.ts';

/** A site signs with one; a second is for the change to another. */
export const MOST_KEYS = 10;

export interface SiteWithKeys extends SiteRecord {
  keys: { keyId: string; createdAt: number; previousUntil: number | null }[];
}

/** The sites that may call, each with its signing keys. */
export class SiteRegistry {
  #sites: SitePort;
  #keys: KeyService;
  #clock: Clock;
  /** Name of headquarters, which no site may have. */
  #self: string;

  constructor(sites: SitePort, keys: KeyService, clock: Clock, self: string) {
    this.#sites = sites;
    this.#keys = keys;
    this.#clock = clock;
    this.#self = self;
  }

  /**
   * Registers a site and issues its key.
   * @throws AppError 409 site_exists, site_continued, key_exists, instance_taken
   */
  async add(
    site: NewSite & { keyId?: string | undefined },
    actor: string,
  ): Promise<{ instance: string } & IssuedKey> {
    const { instance, keyId, ...more } = site;
    if (instance === this.#self)
      throw conflict(
        'instance_taken',
        `${instance} is headquarters itself; give the site a name of its own.`,
      );
    await this.#sites.add({ instance, ...more }, this.#clock.now(), actor);
    try {
      const key = await this.#keys.issue(
        { purpose: 'site', tenantCode: null, subject: instance, keyId },
        actor,
      );
      return { instance, ...key };
    } catch (error) {
      // Without a key the site could never call. Once it is removed, it can be added again.
      await this.#sites.remove(instance, this.#clock.now(), actor);
      throw error;
    }
  }

  /** The live sites with their keys. @param only this one, where it is a live site */
  async list(only?: string): Promise<SiteWithKeys[]> {
    const [sites, keys] = await Promise.all([this.#sites.list(), this.#keys.list('site')]);
    return sites
      .filter(({ instance, removedAt }) => removedAt === null && (only === undefined || instance === only))
      .map((site) => ({
        ...site,
        keys: keys
          .filter((key) => key.subject === site.instance)
          .map(({ keyId, createdAt, previousUntil }) => ({ keyId, createdAt, previousUntil })),
      }));
  }

  /** @throws AppError 404, 409 site_live, site_continued, 400 for a name that is its own or headquarters' */
  async change(instance: string, change: SiteChange, actor: string): Promise<SiteRecord> {
    if (change.continues?.some((name) => name === instance || name === this.#self)) {
      throw fault('continues', 'site_no_more');
    }
    if (!(await this.#sites.change(instance, change, this.#clock.now(), actor)))
      throw notFound(`The site ${instance}`);
    const site = await this.#sites.get(instance);
    if (!site) throw conflict('site_changed', 'The site was changed at the same time; look again.');
    return site;
  }

  /**
   * Puts sites into a group and takes others out of it, all or none.
   * @throws AppError 404 for what is no live site, 409 too_many_groups
   */
  async regroup(change: GroupChange, actor: string): Promise<{ added: number; removed: number }> {
    const { unknown, full, added, removed }: Regrouped = await this.#sites.regroup(
      change,
      this.#clock.now(),
      actor,
    );
    if (unknown.length > 0) throw notFound(`The site ${unknown.join(', ')}`);
    if (full.length > 0)
      throw conflict(
        'too_many_groups',
        `${full.join(', ')} can be in ${MOST_GROUPS} groups at most; take it out of another first.`,
      );
    return { added, removed };
  }

  /** One more key of a live site. @throws AppError 404, 409 key_exists, too_many_keys */
  async issue(instance: string, keyId: string | undefined, actor: string): Promise<IssuedKey> {
    const site = (await this.list()).find((one) => one.instance === instance);
    if (!site) throw notFound(`The site ${instance}`);
    if (site.keys.length >= MOST_KEYS)
      throw conflict(
        'too_many_keys',
        `The site ${instance} has ${MOST_KEYS} keys already; withdraw one that is not in use.`,
      );
    return this.#keys.issue({ purpose: 'site', tenantCode: null, subject: instance, keyId }, actor);
  }

  /** @throws AppError 404 when the site has no such key */
  async rotate(instance: string, keyId: string, overlapMs: number, actor: string): Promise<IssuedKey> {
    await this.#owned(instance, keyId);
    return this.#keys.rotate(keyId, 'site', overlapMs, actor);
  }

  /** What is signed with it is refused from now on. @throws AppError 404 when the site has no such key */
  async withdraw(instance: string, keyId: string, actor: string): Promise<void> {
    await this.#owned(instance, keyId);
    await this.#keys.remove(keyId, 'site', actor);
  }

  async #owned(instance: string, keyId: string): Promise<void> {
    const keys = await this.#keys.list('site');
    if (!keys.some((key) => key.keyId === keyId && key.subject === instance))
      throw notFound(`The key ${keyId} of the site ${instance}`);
  }

  /** The site may call no more; what it brought stays. @throws AppError 404 */
  async remove(instance: string, actor: string): Promise<void> {
    if (!(await this.#sites.remove(instance, this.#clock.now(), actor)))
      throw notFound(`The site ${instance}`);
    for (const key of await this.#keys.list('site'))
      if (key.subject === instance) await this.#keys.remove(key.keyId, 'site', actor);
  }
}
