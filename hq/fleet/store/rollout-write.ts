// What a decision on a rollout writes.
import { and, eq, inArray } from 'drizzle-orm';
import type { Tx } from '../../store/engine/database.ts';
import type { Decided, SiteFact } from '../rollout/decide.ts';
import type { Rollout, SiteStep } from '../rollout/record.ts';
import { rollouts, rolloutSites } from './rollout-schema.ts';
import { direct } from './upgrade.ts';

/** Sites that one statement names, at most. */
const CHUNK = 1_000;

/** Locked: one process at a time decides on it. @param wait whether for another that does */
export async function lockedRollout(tx: Tx, id: string, wait: boolean): Promise<Rollout | null> {
  const rows = tx.db.select().from(rollouts).where(eq(rollouts.id, id));
  const [rollout] = await (wait ? rows.for('update') : rows.for('update', { skipLocked: true }));
  return rollout ?? null;
}

type Written = Pick<Decided, 'steps'> & Partial<Pick<Decided, 'direct' | 'stop'>> & { excused?: string[] };

/**
 * Writes what was decided on sites: what they are told before how they stand, in the order in which what a
 * site tells is written. A step that the site has left meanwhile is left alone.
 */
export async function writeSites(
  tx: Tx,
  rollout: Rollout,
  facts: readonly SiteFact[],
  { steps, direct: begun = [], stop = [], excused = [] }: Written,
  { now, by }: { now: number; by: string },
): Promise<void> {
  const { id: rolloutId, version, document, hours, startedBy } = rollout;
  await direct(tx, begun, { version, document, hours, by: startedBy, rolloutId }, now);
  await direct(tx, stop, { version: null, document: null, hours, by, rolloutId }, now);
  const before = new Map(facts.map(({ instance, step }) => [instance, step]));
  const groups = Map.groupBy([...steps], ([instance, step]) => `${before.get(instance)} ${step}`);
  for (const [change, sites] of groups) {
    const [from, to] = change.split(' ') as [SiteStep, SiteStep];
    for (const instances of chunks(sites.map(([instance]) => instance)))
      await tx.db
        .update(rolloutSites)
        .set({ step: to, at: now, ...(CLEARED.has(to) ? NOTHING_TOLD : {}) })
        .where(and(ofRollout(rolloutId, instances), eq(rolloutSites.step, from)));
  }
  for (const instances of chunks(excused))
    await tx.db.update(rolloutSites).set({ excused: true }).where(ofRollout(rolloutId, instances));
}

/** At these nothing of what a site told before is of interest. */
const CLEARED: ReadonlySet<SiteStep> = new Set(['planned', 'waiting']);
const NOTHING_TOLD = { fetched: null, size: null, reason: null, told: null, excused: false };

const ofRollout = (id: string, instances: readonly string[]) =>
  and(eq(rolloutSites.rolloutId, id), inArray(rolloutSites.instance, [...instances]));

function* chunks(all: readonly string[]): Generator<string[]> {
  for (let at = 0; at < all.length; at += CHUNK) yield all.slice(at, at + CHUNK);
}
