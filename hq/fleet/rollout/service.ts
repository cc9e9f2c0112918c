import { type Clock, stampOf } from '../../../common/clock.ts';
import { type Page, pagedList } from '../../../common/cursor.ts';
import { AppError, conflict, notFound } from '../../../common/http/error.ts';
import type { SiteUpgrade } from '../upgrade/record.ts';
import { mayLookAfter } from '../whose.ts';
import { CAUTION, isUnable, planned, runsAtLeast } from './plan.ts';
import type { FleetSite, RolloutAct, RolloutPort, ShownSite, SiteFilter, StepCount } from './port.ts';
import type { Caution, Rollout, RolloutState, RolloutTarget } from './record.ts';
import { fault } from './rollout-fault-messages.ts';

const ROLLOUTS = pagedList('rollouts', ['number', 'string']);
const SITES = pagedList('rollout-sites', ['number']);
/** Sites that an error names, at most. */
const NAMED = 20;
/** Of a wave that is shown before it is begun. */
const SHOWN = 20;

/** Who calls: the tenant that it is bound to, and its names for the audit and for sites. */
export interface Caller {
  tenantCode: string | null;
  actor: string;
  name: string;
}

/** A rollout as somebody asks for it. */
export interface Wanted {
  version: string;
  target: RolloutTarget;
  first: readonly string[];
  shares: readonly string[];
}

export interface Preview {
  sites: number;
  waves: { sites: number; names: string[] }[];
  already: number;
  unable: string[];
  held: string[];
}

export interface Counted {
  rollout: Rollout;
  counts: StepCount[];
}

export interface RolloutServiceOptions {
  rollouts: RolloutPort;
  clock: Clock;
  /** Told when there is something to be begun at once. */
  changed: () => void;
}

/**
 * Rollouts, as people begin and end them. Who is bound to a tenant has to do with sites of that tenant alone,
 * and with rollouts that its people began: all others do not exist.
 */
export class RolloutService {
  readonly #options: RolloutServiceOptions;

  constructor(options: RolloutServiceOptions) {
    this.#options = options;
  }

  /** What a rollout would do. @throws as `start`, but for sites that others hold */
  async preview(wanted: Wanted, by: Caller): Promise<Preview> {
    const { rollouts, clock } = this.#options;
    const sites = await this.#sitesOf(wanted, by);
    const plan = planned(sites, wanted, clock.now());
    const held = await rollouts.held(sites.map(({ instance }) => instance));
    const names = (wave: number): string[] =>
      plan.sites.filter((one) => one.wave === wave && one.step === 'planned').map(({ instance }) => instance);
    return {
      sites: sites.length,
      waves: Array.from({ length: plan.waves }, (_, wave) => names(wave))
        .filter((of) => of.length > 0)
        .map((of) => ({ sites: of.length, names: of.slice(0, SHOWN) })),
      already: plan.sites.filter(({ step }) => step === 'already').length,
      unable: sites
        .filter((site) => isUnable(site) && !runsAtLeast(site.version, wanted.version))
        .map(({ instance }) => instance),
      held,
    };
  }

  /**
   * @throws AppError 404 where the caller has none of these sites, or not all that it names; 400 for `first`;
   *   409 release_incomplete, sites_held
   */
  async start(
    wanted: Wanted,
    { hours, caution }: { hours: Rollout['hours']; caution: Partial<Caution> },
    by: Caller,
  ): Promise<Counted> {
    const { rollouts, clock } = this.#options;
    const { version, target } = wanted;
    const sites = await this.#sitesOf(wanted, by);
    const stamp = stampOf(clock);
    const plan = planned(sites, wanted, stamp.now);
    const id = clock.newId();
    const outcome = await rollouts.start(
      {
        ...{ id, boundTo: by.tenantCode, version, target, hours, ...plan },
        ...{ caution: { ...CAUTION, ...caution }, startedBy: by.name },
      },
      { ...by, stamp },
    );
    if (outcome === 'incomplete')
      throw conflict(
        'release_incomplete',
        `The release ${version} is not here with all of its packages; upload what is missing first.`,
      );
    if (outcome !== 'started') throw sitesHeld(outcome.held);
    this.#options.changed();
    return this.get(id, by.tenantCode);
  }

  /** @throws AppError 404 */
  async get(id: string, bound: string | null): Promise<Counted> {
    const rollout = await this.#one(id, bound);
    return { rollout, counts: (await this.#options.rollouts.counts([id])).get(id) ?? [] };
  }

  /** Newest first. @throws AppError 400 for another list's cursor */
  async list(
    filter: { bound: string | null; state?: RolloutState | undefined },
    cursor: string | undefined,
    limit: number,
  ): Promise<Page<Counted>> {
    const { rollouts } = this.#options;
    const at = ROLLOUTS.positionOf(cursor);
    const rows = await rollouts.list(filter, at && { startedAt: at[0], id: at[1] }, limit + 1);
    const page = ROLLOUTS.page(rows, limit, ({ startedAt, id }) => [startedAt, id]);
    const counts = await rollouts.counts(page.items.map(({ id }) => id));
    return {
      ...page,
      items: page.items.map((rollout) => ({ rollout, counts: counts.get(rollout.id) ?? [] })),
    };
  }

  /** In the order in which they are begun. @throws AppError 404, 400 for another list's cursor */
  async sites(
    id: string,
    bound: string | null,
    { cursor, limit, ...filter }: SiteFilter & { cursor: string | undefined; limit: number },
  ): Promise<Page<ShownSite>> {
    await this.#one(id, bound);
    const at = SITES.positionOf(cursor);
    const rows = await this.#options.rollouts.sitesOf(id, filter, at && at[0], limit + 1);
    return SITES.page(rows, limit, ({ place }) => [place]);
  }

  /** @throws AppError 404, 409 rollout_over */
  async act(id: string, act: RolloutAct, by: Caller): Promise<Counted> {
    const { rollouts, clock } = this.#options;
    const rollout = await this.#one(id, by.tenantCode);
    if ((await rollouts.act(rollout, act, { ...by, stamp: stampOf(clock) })) === 'over')
      throw conflict('rollout_over', `The rollout of ${rollout.version} is over.`);
    this.#options.changed();
    return this.get(id, by.tenantCode);
  }

  /** What is wanted of a site; null: nothing ever was. @throws AppError 404 */
  async upgradeOf(instance: string, bound: string | null): Promise<SiteUpgrade | null> {
    const sites = await this.#options.rollouts.sites();
    const site = sites.find((one) => one.instance === instance);
    if (!site || !mayLookAfter(site.tenants, bound)) throw notFound(`The site ${instance}`);
    return this.#options.rollouts.upgradeOf(instance);
  }

  async #one(id: string, bound: string | null): Promise<Rollout> {
    const rollout = await this.#options.rollouts.get(id, bound);
    if (!rollout) throw notFound(`The rollout ${id}`);
    return rollout;
  }

  async #sitesOf({ target, first }: Wanted, by: Caller): Promise<FleetSite[]> {
    const all = await this.#options.rollouts.sites();
    const own = all.filter(({ tenants }) => mayLookAfter(tenants, by.tenantCode));
    const found = own.filter(isOf(target));
    const names = new Set(found.map(({ instance }) => instance));
    const missing = (target.sites ?? []).filter((instance) => !names.has(instance));
    if (missing.length > 0) throw notFound(`${plural(missing.length)} ${named(missing)}`);
    if (found.length === 0) throw notFound(target.group === null ? 'A site' : `The group ${target.group}`);
    const strange = first.filter((instance) => !names.has(instance));
    if (strange.length > 0) throw fault('first', 'first_of_target', { sites: named(strange) });
    return found;
  }
}

function isOf({ group, sites }: RolloutTarget): (site: FleetSite) => boolean {
  if (group !== null) return ({ groups }) => groups.includes(group);
  if (sites === null) return () => true;
  const wanted = new Set(sites);
  return ({ instance }) => wanted.has(instance);
}

const plural = (count: number): string => (count === 1 ? 'The site' : 'One of the sites');

const named = (sites: readonly string[]): string =>
  sites.slice(0, NAMED).join(', ') + (sites.length > NAMED ? `, and ${sites.length - NAMED} more` : '');

const sitesHeld = (held: string[]): AppError =>
  new AppError(
    409,
    'sites_held',
    `${held.length} of these sites are in a rollout that is not over: ${named(held)}. Abort that one, or ` +
      'leave them out.',
    {
      messageZh: `有 ${held.length} 个站点正在其他分批升级中：${held.slice(0, NAMED).join('、')}。请先中止，或排除这些站点。`,
      details: held,
    },
  );
