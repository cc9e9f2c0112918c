// Rollouts of releases in waves, and how far each of their sites is.
import { boolean, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { Message } from '../../../common/message.ts';
import type { SignedManifest } from '../../../common/uplink/upgrade/manifest.ts';
import type { UpgradeHours } from '../../../common/uplink/upgrade/record.ts';
import { jsonText, long, text } from '../../store/schema/columns.ts';
import type { Caution, RolloutState, RolloutTarget, SiteStep } from '../rollout/record.ts';

export const rollouts = pgTable(
  'rollouts',
  {
    id: text('id').primaryKey(),
    /** The tenant that whoever began it is bound to; null: to none. */
    boundTo: text('bound_to'),
    version: text('version').notNull(),
    document: jsonText<SignedManifest>('document').notNull(),
    target: jsonText<RolloutTarget>('target').notNull(),
    hours: jsonText<UpgradeHours>('hours').notNull(),
    caution: jsonText<Caution>('caution').notNull(),
    state: text('state').$type<RolloutState>().notNull(),
    /** How many waves there are, and which was begun last, from 0 on. */
    waves: integer('waves').notNull(),
    wave: integer('wave').notNull(),
    waveAt: long('wave_at').notNull(),
    /** Since when all waves that were begun are through; null: they are not. */
    throughAt: long('through_at'),
    startedBy: text('started_by').notNull(),
    startedAt: long('started_at').notNull(),
    /** Who paused or ended it; null: it did so itself. */
    changedBy: text('changed_by'),
    changedAt: long('changed_at').notNull(),
    /** Why it has paused itself. */
    reason: jsonText<Message | null>('reason'),
  },
  (t) => [index('rollouts_started').on(t.startedAt, t.id), index('rollouts_version').on(t.version)],
);

export const rolloutSites = pgTable(
  'rollout_sites',
  {
    rolloutId: text('rollout_id').notNull(),
    instance: text('instance').notNull(),
    /** Its place in the order in which sites are begun, from 0 on. */
    place: integer('place').notNull(),
    wave: integer('wave').notNull(),
    step: text('step').$type<SiteStep>().notNull(),
    /** When it came to this step: by the clock of the site where that told it. */
    at: long('at').notNull(),
    /** What it runs, and the bytes of its package that it has and there are, as it told. */
    runs: text('runs'),
    fetched: integer('fetched'),
    size: integer('size'),
    reason: text('reason'),
    told: jsonText<Message | null>('told'),
    /** A person has seen that it failed, and the rollout went on. */
    excused: boolean('excused').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.rolloutId, t.instance] }),
    index('rollout_sites_place').on(t.rolloutId, t.place),
    index('rollout_sites_instance').on(t.instance),
  ],
);
