// How a rollout goes on: which sites are told next, when it pauses by itself, and when it is over. Pure.
import type { Message } from '../../../common/message.ts';
import type { UpgradeStep } from '../../../common/uplink/upgrade/record.ts';
import { isUnable, runsAtLeast } from './plan.ts';
import type { Candidate, Caution, FailedWay, Rollout, RolloutSite, SiteStep } from './record.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** A site of a rollout, with what is known of it now. */
export type SiteFact = Pick<RolloutSite, 'instance' | 'wave' | 'step' | 'excused'> &
  Omit<Candidate, 'instance'> & {
    /** Whether it is registered, and of those whom the rollout is for. */
    there: boolean;
    /** Whether what it was told last is of this rollout, and what it said of that; null: nothing yet. */
    told: { step: UpgradeStep | null } | null;
  };

export interface Decided {
  /** Sites whose step is another one now. */
  steps: Map<string, SiteStep>;
  /** Sites that are told to upgrade. */
  direct: string[];
  /** Sites that are told that nothing is wanted of them. */
  stop: string[];
  /** Whether there is more to tell than one round does. */
  more: boolean;
  set: Partial<Pick<Rollout, 'state' | 'wave' | 'waveAt' | 'throughAt' | 'reason'>>;
}

/** Sites that one round tells at most: it is one transaction. */
const TOLD_AT_ONCE = 500;

const FAILED: ReadonlySet<SiteStep> = new Set(['taken_back', 'refused', 'stuck', 'silent']);
/** Steps of which nothing more is waited for; where it failed, as far as that is allowed. */
const THROUGH: ReadonlySet<SiteStep> = new Set([
  ...FAILED,
  ...(['installed', 'already', 'unable', 'gone', 'left_out', 'stopped'] as const),
]);
/** Steps of a site that has been told, and has begun nothing that it would have to take back. */
const NOT_BEGUN: ReadonlySet<SiteStep> = new Set(['waiting', 'unable', 'fetching', 'fetched']);
/** Steps at which a site that is not there any more stays. */
const LEFT: ReadonlySet<SiteStep> = new Set(['installed', 'already', 'gone', 'left_out', 'stopped']);

export const isFailed = (step: SiteStep): boolean => FAILED.has(step);
export const isThrough = (step: SiteStep): boolean => THROUGH.has(step);

/** Sites of a wave that may fail before the rollout pauses. @param wave from 0 on */
export const mayFail = (wave: number, sites: number, caution: Caution): number =>
  wave < caution.carefulWaves ? 0 : Math.floor((sites * caution.failPercent) / 100);

/**
 * What is to be done now.
 * @param hearing for how long sites could have been heard here without a break, ms
 */
export function decided(
  rollout: Rollout,
  sites: readonly SiteFact[],
  { now, hearing }: { now: number; hearing: number },
): Decided {
  const steps = new Map<string, SiteStep>();
  for (const site of sites) {
    const step = seen(rollout, site, { now, hearing });
    if (step !== site.step) steps.set(site.instance, step);
  }
  const outcome: Decided = { steps, direct: [], stop: [], more: false, set: {} };
  if (rollout.state !== 'running') return outcome;
  const current = sites.map((site) => ({ ...site, step: steps.get(site.instance) ?? site.step }));
  const reason = failing(rollout, current);
  if (reason) {
    const { stop, steps: stopped } = paused(current);
    for (const [instance, step] of stopped) steps.set(instance, step);
    return { ...outcome, stop, set: { state: 'paused', throughAt: null, reason } };
  }
  return goneOn(rollout, current, now, outcome);
}

/** A rollout that does not pause: the next wave, if it is its turn, and whoever is still to be told. */
function goneOn(rollout: Rollout, sites: readonly SiteFact[], now: number, outcome: Decided): Decided {
  const { caution, waves } = rollout;
  const through = isWaveThrough(rollout, sites, now);
  const throughAt = through ? (rollout.throughAt ?? now) : null;
  const settled = throughAt !== null && now - throughAt >= caution.settleMinutes * MINUTE_MS;
  const last = rollout.wave === waves - 1;
  if (settled && last && sites.every(({ step }) => isThrough(step))) {
    return { ...outcome, stop: unableOf(sites), set: { state: 'done', throughAt } };
  }
  const wave = settled && !last ? rollout.wave + 1 : rollout.wave;
  const due = sites.filter((site) => site.wave <= wave && isToBeTold(site)).map(({ instance }) => instance);
  const direct = due.slice(0, TOLD_AT_ONCE);
  for (const instance of direct) outcome.steps.set(instance, 'waiting');
  const begun = wave > rollout.wave ? { wave, waveAt: now, throughAt: null } : { throughAt };
  return { ...outcome, direct, more: due.length > direct.length, set: begun };
}

/** One that was told, and of which headquarters, put back from a copy, knows nothing, is told again. */
const isToBeTold = ({ step, told, there }: SiteFact): boolean =>
  there && (step === 'planned' || ((step === 'waiting' || step === 'unable') && told === null));

/** Whether nothing more is waited for in the wave that was begun last, but for those that may be left. */
function isWaveThrough({ wave, waveAt, caution }: Rollout, sites: readonly SiteFact[], now: number): boolean {
  const own = sites.filter((site) => site.wave === wave);
  const pending = own.filter(({ step }) => !isThrough(step)).length;
  if (pending === 0) return true;
  const rest = Math.floor((own.length * caution.restPercent) / 100);
  return pending <= rest && now - waveAt >= caution.restHours * HOUR_MS;
}

/** How a site stands by what is known of it here. */
function seen(
  { version, caution }: Rollout,
  site: SiteFact,
  { now, hearing }: { now: number; hearing: number },
): SiteStep {
  const { step } = site;
  if (!site.there) return LEFT.has(step) ? step : 'gone';
  if (step === 'gone') return site.told === null ? 'planned' : (site.told.step ?? 'waiting');
  if (['planned', 'waiting', 'unable', 'refused'].includes(step) && runsAtLeast(site.version, version))
    return 'already';
  if (step === 'waiting' || step === 'unable') return isUnable(site) ? 'unable' : 'waiting';
  if (step !== 'installing' && step !== 'silent') return step;
  const limit = caution.silentMinutes * MINUTE_MS;
  const quiet = now - (site.lastSeenAt ?? -Infinity) >= limit;
  if (step === 'silent') return quiet ? 'silent' : 'installing';
  return quiet && hearing >= limit ? 'silent' : 'installing';
}

/** Names of sites in a reason, at most. */
const NAMED = 5;

/** Why it pauses; null: no wave has more failures than it may. */
function failing({ wave: begun, caution }: Rollout, sites: readonly SiteFact[]): Message | null {
  for (let wave = 0; wave <= begun; wave += 1) {
    const own = sites.filter((site) => site.wave === wave);
    const failed = own.filter(({ step, excused }) => isFailed(step) && !excused);
    const may = mayFail(wave, own.length, caution);
    if (failed.length <= may) continue;
    const names = failed.slice(0, NAMED).map(({ instance }) => instance);
    const more = failed.length > NAMED ? ', …' : '';
    const params = { wave: wave + 1, failed: failed.length, may, sites: names.join(', ') + more };
    return { code: 'rollout_failing', params };
  }
  return null;
}

type Taken = Pick<Decided, 'steps' | 'stop'>;

/**
 * What a pause takes back: sites that have not begun would go on with what may be broken. One that is too old
 * is told nothing, since it would not answer.
 */
export function paused(sites: readonly SiteFact[]): Taken {
  const stop = sites.filter(({ step, told }) => NOT_BEGUN.has(step) && step !== 'unable' && told);
  const steps = new Map(stop.map(({ instance }) => [instance, 'stopping' as SiteStep]));
  return { steps, stop: stop.map(({ instance }) => instance) };
}

/** What ends with a rollout that a person aborts: whatever has not begun to install. */
export function aborted(sites: readonly SiteFact[]): Taken {
  const { steps, stop } = paused(sites);
  for (const { instance, step } of sites) if (step === 'planned') steps.set(instance, 'left_out');
  return { steps, stop: [...stop, ...unableOf(sites)] };
}

/** What is left of a rollout that is over goes to no site that is upgraded by hand later. */
const unableOf = (sites: readonly SiteFact[]): string[] =>
  sites.filter(({ step, told }) => step === 'unable' && told).map(({ instance }) => instance);

/** What becomes of sites when a person lets a rollout go on. */
export function resumed(
  sites: readonly SiteFact[],
  failed: FailedWay,
): { steps: Map<string, SiteStep>; excused: string[] } {
  const steps = new Map<string, SiteStep>();
  const excused: string[] = [];
  for (const { instance, step, excused: before } of sites) {
    // What a pause had taken back is begun again.
    if (step === 'stopping' || step === 'stopped') steps.set(instance, 'planned');
    if (!isFailed(step) || before) continue;
    if (failed === 'again') steps.set(instance, 'planned');
    else excused.push(instance);
    if (failed === 'leave_out') steps.set(instance, 'left_out');
  }
  return { steps, excused };
}
