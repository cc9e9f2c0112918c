import * as z from 'zod/mini';
import { code } from '../../../common/core/event/schema.ts';
import { described } from '../../../common/http/described.ts';
import { limitParam } from '../../../common/http/list.ts';
import { releaseVersion } from '../../../common/uplink/upgrade/manifest.ts';
import { upgradeHours, upgradeSteps } from '../../../common/uplink/upgrade/record.ts';
import { groupName } from '../../receiver/fleet/schema.ts';
import { failedWays, rolloutStates, SHARE, siteSteps } from './record.ts';
import { saying } from './rollout-fault-messages.ts';

/** Sites that one rollout names, at most; a group or all may be more. */
const MOST_NAMED = 10_000;
const MOST_WAVES = 20;
const MOST_FIRST = 100;

const within = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));

/** What is not named is as standard (`CAUTION` of plan.ts). */
const cautionInput = z
  .strictObject({
    settle_minutes: z.optional(within(0, 10_080)),
    careful_waves: z.optional(within(0, MOST_WAVES)),
    fail_percent: z.optional(within(0, 100)),
    silent_minutes: z.optional(within(5, 1_440)),
    rest_percent: z.optional(within(0, 100)),
    rest_hours: z.optional(within(0, 720)),
  })
  .register(described, { id: 'RolloutCautionInput' });

const hours = z.strictObject(upgradeHours.shape).register(described, { id: 'UpgradeHours' });

const target = {
  version: releaseVersion,
  group: z.optional(groupName),
  sites: z.optional(z.array(code(128)).check(z.minLength(1), z.maxLength(MOST_NAMED))),
  all: z.optional(z.literal(true)),
  first: z.optional(z.array(code(128)).check(z.maxLength(MOST_FIRST))),
  waves: z._default(
    z
      .array(z.string().check(z.maxLength(8), z.regex(SHARE, saying('wave_share'))))
      .check(z.minLength(1), z.maxLength(MOST_WAVES)),
    ['1', '5%', '25%', '100%'],
  ),
};
/** One of the three says which sites. */
const oneTarget = z.refine<{ group?: unknown; sites?: unknown; all?: unknown }>(
  (given) => [given.group, given.sites, given.all].filter((one) => one !== undefined).length === 1,
  saying('one_target'),
);

export const previewInput = z
  .strictObject(target)
  .check(oneTarget)
  .register(described, { id: 'RolloutPreviewRequest' });
export type PreviewInput = z.infer<typeof previewInput>;

export const rolloutInput = z
  .strictObject({
    ...target,
    hours: z._default(hours, { from: 1, until: 5 }),
    caution: z.optional(cautionInput),
  })
  .check(oneTarget)
  .register(described, { id: 'NewRollout' });
export type RolloutInput = z.infer<typeof rolloutInput>;

export const resumeInput = z
  .strictObject({ failed: z._default(z.enum(failedWays), 'as_they_are') })
  .register(described, { id: 'RolloutResume' });

export const rolloutParams = z.strictObject({ id: code(64) });
export const rolloutsQuery = z.strictObject({
  limit: limitParam(50, 200),
  cursor: z.optional(z.string().check(z.maxLength(500))),
  state: z.optional(z.enum(rolloutStates)),
});
export const rolloutSitesQuery = z.strictObject({
  step: z.optional(z.enum(siteSteps)),
  failed: z._default(z.enum(['true', 'false']), 'false'),
  wave: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MOST_WAVES))),
  q: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  limit: limitParam(100, 1000),
  cursor: z.optional(z.string().check(z.maxLength(500))),
});

/** How many sites are at each step; one at which none is, is left out. */
const counts = z.partialRecord(z.enum(siteSteps), z.int());

const waveView = z
  .object({
    /** From 1 on. */
    no: z.int(),
    sites: z.int(),
    /** Of these, those of which nothing more is waited for. */
    through: z.int(),
    failed: z.int(),
    /** Sites of it that may fail before the rollout pauses. */
    mayFail: z.int(),
    begun: z.boolean(),
    counts,
  })
  .register(described, { id: 'RolloutWave' });

export const rolloutView = z
  .object({
    id: z.string(),
    version: z.string(),
    state: z.enum(rolloutStates),
    group: z.nullable(z.string()),
    /** It was begun for all sites that there were. */
    all: z.boolean(),
    hours,
    caution: z.object({
      settleMinutes: z.int(),
      carefulWaves: z.int(),
      failPercent: z.int(),
      silentMinutes: z.int(),
      restPercent: z.int(),
      restHours: z.int(),
    }),
    /** Sites of it, those that failed, and how many are at each step. */
    sites: z.int(),
    failed: z.int(),
    counts,
    /** The wave that was begun last, from 1 on, and when. */
    wave: z.int(),
    waveAt: z.string(),
    /** When the next one begins if all stays well; null: it is not known yet, or there is none. */
    nextWaveAt: z.nullable(z.string()),
    waves: z.array(waveView),
    startedBy: z.string(),
    startedAt: z.string(),
    /** When it was paused, gone on with, or ended last, and by whom; null: by itself. */
    changedAt: z.string(),
    changedBy: z.nullable(z.string()),
    /** Why it has paused itself; null: it has not. */
    reason: z.nullable(z.string()),
    reasonZh: z.nullable(z.string()),
  })
  .register(described, { id: 'Rollout' });
export type RolloutView = z.infer<typeof rolloutView>;

export const rolloutSiteView = z
  .object({
    instance: z.string(),
    displayName: z.nullable(z.string()),
    /** From 1 on, in the order in which they are begun. */
    place: z.int(),
    wave: z.int(),
    step: z.enum(siteSteps),
    failed: z.boolean(),
    /** A person saw that it failed, and went on. */
    excused: z.boolean(),
    /** When it came to this step. */
    at: z.string(),
    /** The version that it runs, as it last told. */
    runs: z.nullable(z.string()),
    /** Bytes of its package that it has, and all of them. */
    fetched: z.nullable(z.int()),
    size: z.nullable(z.int()),
    reason: z.nullable(z.string()),
    reasonZh: z.nullable(z.string()),
    lastSeenAt: z.nullable(z.string()),
  })
  .register(described, { id: 'RolloutSite' });
export type RolloutSiteView = z.infer<typeof rolloutSiteView>;

export const previewView = z
  .object({
    sites: z.int(),
    /** In the order in which they would be begun, and of each the first sites by name. */
    waves: z.array(z.object({ sites: z.int(), names: z.array(z.string()) })),
    /** Those that run the version or a newer one, that cannot be upgraded from here, and that others hold. */
    already: z.int(),
    unable: z.array(z.string()),
    held: z.array(z.string()),
  })
  .register(described, { id: 'RolloutPreview' });

/** What is wanted of one site. */
export const siteUpgradeView = z
  .object({
    instance: z.string(),
    /** null: nothing. */
    version: z.nullable(z.string()),
    rollout: z.nullable(z.string()),
    by: z.nullable(z.string()),
    at: z.nullable(z.string()),
    /** null: it has not said anything of it yet. */
    step: z.nullable(z.enum(upgradeSteps)),
    toldAt: z.nullable(z.string()),
    runs: z.nullable(z.string()),
    architecture: z.nullable(z.string()),
    fetched: z.nullable(z.int()),
    size: z.nullable(z.int()),
    reason: z.nullable(z.string()),
    reasonZh: z.nullable(z.string()),
  })
  .register(described, { id: 'SiteUpgrade' });
export type SiteUpgradeView = z.infer<typeof siteUpgradeView>;
