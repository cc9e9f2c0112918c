import { type Clock, stampOf } from '../../../common/clock.ts';
import { conflict, notFound } from '../../../common/http/error.ts';
import type { SettingChange } from '../../../common/uplink/settings/record.ts';
import type { SitePort, SiteRecord } from '../../receiver/port.ts';
import { mayLookAfter } from '../whose.ts';
import { nothingSet } from './decide.ts';
import type { SettingsChange, SiteSettings, SiteSettingsPort } from './port.ts';

export interface SettingsServiceOptions {
  settings: SiteSettingsPort;
  sites: Pick<SitePort, 'get' | 'list'>;
  clock: Clock;
}

/**
 * Settings of sites. A setting is of the whole site: who is limited to a tenant has to do with those sites
 * alone that bring nothing of another, and to whoever is, all others do not exist.
 */
export class SettingsService {
  readonly #options: SettingsServiceOptions;

  constructor(options: SettingsServiceOptions) {
    this.#options = options;
  }

  /** @param bound the tenant that the caller is limited to; null: none @throws AppError 404 */
  async get(instance: string, bound: string | null): Promise<SiteSettings> {
    await this.#check(instance, bound);
    return (await this.#options.settings.of([instance])).get(instance) ?? nothingSet(instance);
  }

  /** @throws AppError 404, 409 settings_changed */
  async change(instance: string, bound: string | null, change: SettingsChange): Promise<SiteSettings> {
    await this.#check(instance, bound);
    const set = await this.#options.settings.change([instance], change, stampOf(this.#options.clock));
    if (!set?.[0])
      throw conflict('settings_changed', 'Somebody has set something here meanwhile; look again.');
    return set[0];
  }

  /** Of each site of a group, by name. @throws AppError 404 where the caller has none in it */
  async ofGroup(group: string, bound: string | null): Promise<SiteSettings[]> {
    const names = await this.#sitesOf(group, bound);
    const found = await this.#options.settings.of(names);
    return names.map((name) => found.get(name) ?? nothingSet(name));
  }

  /** A new version for each site of a group, all or none. @throws AppError 404 */
  async changeGroup(
    group: string,
    bound: string | null,
    { change, by }: { change: SettingChange; by: string },
  ): Promise<SiteSettings[]> {
    const names = await this.#sitesOf(group, bound);
    const { settings, clock } = this.#options;
    return (await settings.change(names, { change, by, expected: null }, stampOf(clock))) ?? [];
  }

  async #check(instance: string, bound: string | null): Promise<void> {
    const site = await this.#options.sites.get(instance);
    if (!site || !isHere(site, bound)) throw notFound(`The site ${instance}`);
  }

  async #sitesOf(group: string, bound: string | null): Promise<string[]> {
    const sites = (await this.#options.sites.list()).filter((site) => isHere(site, bound));
    const names = sites.filter(({ groups }) => groups.includes(group)).map(({ instance }) => instance);
    if (names.length === 0) throw notFound(`The group ${group}`);
    return names;
  }
}

const isHere = ({ removedAt, tenants }: SiteRecord, bound: string | null): boolean =>
  removedAt === null && mayLookAfter(tenants, bound);
