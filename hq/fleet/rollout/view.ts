import { translate } from '../../../common/message.ts';
import { formatTime, formatTimeOrNull } from '../../../common/time.ts';
import { upgradeMessages } from '../../../common/uplink/upgrade/upgrade-messages.ts';
import type { SiteUpgrade } from '../upgrade/record.ts';
import { isFailed, isThrough, mayFail } from './decide.ts';
import type { ShownSite, StepCount } from './port.ts';
import type { Rollout, SiteStep } from './record.ts';
import { rolloutMessages } from './rollout-messages.ts';
import type { RolloutSiteView, RolloutView, SiteUpgradeView } from './schema.ts';

const MINUTE_MS = 60_000;

/** @param counted its sites by wave and step */
export function viewOf(rollout: Rollout, counted: readonly StepCount[]): RolloutView {
  const { id, version, state, target, hours, caution, wave, startedBy, changedBy, reason } = rollout;
  return {
    ...{ id, version, state, group: target.group, all: target.all, hours, caution, startedBy, changedBy },
    sites: sum(counted),
    failed: sum(counted.filter(({ step }) => isFailed(step))),
    counts: countsOf(counted),
    wave: wave + 1,
    waveAt: formatTime(rollout.waveAt),
    nextWaveAt: formatTimeOrNull(nextWaveAt(rollout)),
    waves: Array.from({ length: rollout.waves }, (_, at) => waveOf(rollout, at, counted)),
    startedAt: formatTime(rollout.startedAt),
    changedAt: formatTime(rollout.changedAt),
    reason: reason && translate(rolloutMessages, reason, 'en'),
    reasonZh: reason && translate(rolloutMessages, reason, 'zh'),
  };
}

function nextWaveAt({ state, throughAt, wave, waves, caution }: Rollout): number | null {
  if (state !== 'running' || throughAt === null || wave >= waves - 1) return null;
  return throughAt + caution.settleMinutes * MINUTE_MS;
}

function waveOf(
  { wave: begun, caution }: Rollout,
  wave: number,
  counted: readonly StepCount[],
): RolloutView['waves'][number] {
  const own = counted.filter((one) => one.wave === wave);
  const sites = sum(own);
  return {
    no: wave + 1,
    sites,
    through: sum(own.filter(({ step }) => isThrough(step))),
    failed: sum(own.filter(({ step }) => isFailed(step))),
    mayFail: mayFail(wave, sites, caution),
    begun: wave <= begun,
    counts: countsOf(own),
  };
}

const sum = (counted: readonly StepCount[]): number => counted.reduce((all, { sites }) => all + sites, 0);

function countsOf(counted: readonly StepCount[]): RolloutView['counts'] {
  const counts: Partial<Record<SiteStep, number>> = {};
  for (const { step, sites } of counted) counts[step] = (counts[step] ?? 0) + sites;
  return counts;
}

export const siteOf = (site: ShownSite): RolloutSiteView => ({
  instance: site.instance,
  displayName: site.displayName,
  place: site.place + 1,
  wave: site.wave + 1,
  step: site.step,
  failed: isFailed(site.step),
  excused: site.excused,
  at: formatTime(site.at),
  runs: site.runs,
  fetched: site.fetched,
  size: site.size,
  ...reasonOf(site),
  lastSeenAt: formatTimeOrNull(site.lastSeenAt),
});

/** @param upgrade null: nothing was ever wanted of it */
export function upgradeViewOf(instance: string, upgrade: SiteUpgrade | null): SiteUpgradeView {
  const told = upgrade?.told ?? null;
  return {
    instance,
    version: upgrade?.version ?? null,
    rollout: upgrade?.rolloutId ?? null,
    by: upgrade?.by ?? null,
    at: formatTimeOrNull(upgrade?.at ?? null),
    step: told?.step ?? null,
    toldAt: formatTimeOrNull(told?.at ?? null),
    runs: told?.runs ?? null,
    architecture: told?.architecture ?? null,
    fetched: told?.fetched ?? null,
    size: told?.size ?? null,
    ...reasonOf({ reason: told?.reason ?? null, told: told?.told ?? null }),
  };
}

/** What a site of another version says is shown as it says it, in English. */
const reasonOf = ({ reason, told }: { reason: string | null; told: unknown }) => ({
  reason: reason === null ? null : (translate(upgradeMessages, told, 'en') ?? reason),
  reasonZh: reason === null ? null : (translate(upgradeMessages, told, 'zh') ?? reason),
});
