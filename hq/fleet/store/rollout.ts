import { and, asc, count, desc, eq, getTableColumns, gt, ilike, inArray, isNull, lt, or } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { sites } from '../../receiver/store/schema.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import { lockName } from '../../store/engine/advisory-lock.ts';
import type { Database, Db, Tx } from '../../store/engine/database.ts';
import { aborted, decided, paused, resumed } from '../rollout/decide.ts';
import type {
  By,
  FleetSite,
  NewRollout,
  RolloutAct,
  RolloutPort,
  ShownSite,
  SiteFilter,
  StepCount,
} from '../rollout/port.ts';
import type { Rollout, RolloutState } from '../rollout/record.ts';
import type { SiteUpgrade } from '../upgrade/record.ts';
import { releasePackages, releases } from './release-schema.ts';
import { factsOf } from './rollout-facts.ts';
import { rollouts, rolloutSites } from './rollout-schema.ts';
import { lockedRollout, writeSites } from './rollout-write.ts';
import { upgradeOf } from './upgrade.ts';

const OPEN: RolloutState[] = ['running', 'paused'];
/** Rows of one INSERT. */
const CHUNK = 500;
/** Who acts where nobody does. */
const ITSELF = 'system';

export class HubRollouts implements RolloutPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  sites(): Promise<FleetSite[]> {
    const { instance, version, features, lastSeenAt, tenants, groups } = sites;
    return this.#database.read((db) =>
      db
        .select({ instance, version, features, lastSeenAt, tenants, groups })
        .from(sites)
        .where(isNull(sites.removedAt)),
    );
  }

  held(instances: readonly string[]): Promise<string[]> {
    return this.#database.read((db) => heldOf(db, instances));
  }

  start(rollout: NewRollout, by: By): Promise<'started' | 'incomplete' | { held: string[] }> {
    return this.#database.transaction(async (tx) => {
      // Two that begin at a time see each other's sites.
      await lockName(tx, 'rollouts');
      const document = await wholeRelease(tx, rollout.version);
      if (!document) return 'incomplete';
      const { sites: planned, ...given } = rollout;
      const held = await heldOf(
        tx.db,
        planned.map(({ instance }) => instance),
      );
      if (held.length > 0) return { held };
      const now = by.stamp.now;
      const begun = { state: 'running', wave: 0, waveAt: now, startedAt: now, changedAt: now } as const;
      await tx.db
        .insert(rollouts)
        .values({ ...given, ...begun, document, throughAt: null, changedBy: by.name, reason: null });
      const rows = planned.map((site, place) => ({
        ...site,
        rolloutId: rollout.id,
        place,
        at: now,
        excused: false,
      }));
      for (let at = 0; at < rows.length; at += CHUNK)
        await tx.db.insert(rolloutSites).values(rows.slice(at, at + CHUNK));
      const { target, hours, caution, waves } = rollout;
      await note(
        tx,
        rollout,
        { ...by, action: 'rollout.started' },
        {
          ...{ version: rollout.version, target, hours, caution, waves, sites: planned.length },
        },
      );
      return 'started';
    });
  }

  async get(id: string, bound: string | null): Promise<Rollout | null> {
    const [found] = await this.#database.read((db) =>
      db
        .select()
        .from(rollouts)
        .where(and(eq(rollouts.id, id), ofBound(bound))),
    );
    return found ?? null;
  }

  list(
    { bound, state }: { bound: string | null; state?: RolloutState | undefined },
    after: { startedAt: number; id: string } | null,
    limit: number,
  ): Promise<Rollout[]> {
    const { startedAt, id } = rollouts;
    const before =
      after === null
        ? undefined
        : or(lt(startedAt, after.startedAt), and(eq(startedAt, after.startedAt), lt(id, after.id)));
    const wanted = and(before, ofBound(bound), state === undefined ? undefined : eq(rollouts.state, state));
    return this.#database.read((db) =>
      db.select().from(rollouts).where(wanted).orderBy(desc(startedAt), desc(id)).limit(limit),
    );
  }

  async counts(ids: readonly string[]): Promise<Map<string, StepCount[]>> {
    if (ids.length === 0) return new Map();
    const { rolloutId, wave, step, excused } = rolloutSites;
    const rows = await this.#database.read((db) =>
      db
        .select({ rolloutId, wave, step, excused, sites: count() })
        .from(rolloutSites)
        .where(inArray(rolloutId, [...ids]))
        .groupBy(rolloutId, wave, step, excused),
    );
    return Map.groupBy(rows, (row) => row.rolloutId);
  }

  sitesOf(id: string, filter: SiteFilter, after: number | null, limit: number): Promise<ShownSite[]> {
    const { rolloutId, instance, place, step, wave } = rolloutSites;
    const { displayName, lastSeenAt } = sites;
    const wanted = and(
      eq(rolloutId, id),
      after === null ? undefined : gt(place, after),
      filter.steps === undefined ? undefined : inArray(step, [...filter.steps]),
      filter.wave === undefined ? undefined : eq(wave, filter.wave),
      filter.q === undefined ? undefined : ilike(instance, `%${filter.q.replace(/[\\%_]/g, '\\$&')}%`),
    );
    return this.#database.read((db) =>
      db
        .select({ ...getTableColumns(rolloutSites), displayName, lastSeenAt })
        .from(rolloutSites)
        .leftJoin(sites, and(eq(sites.instance, instance), isNull(sites.removedAt)))
        .where(wanted)
        .orderBy(asc(place))
        .limit(limit),
    );
  }

  act({ id }: Rollout, act: RolloutAct, by: By): Promise<Rollout | 'over'> {
    return this.#database.transaction(async (tx) => {
      const rollout = await lockedRollout(tx, id, true);
      if (!rollout || !OPEN.includes(rollout.state)) return 'over';
      const wanted = { pause: 'paused', resume: 'running', abort: 'aborted' } as const;
      const state = wanted[act.kind];
      // Done a second time it changes nothing; the failures of a running one wait for it to pause.
      if (state === rollout.state) return rollout;
      const facts = await factsOf(tx, rollout);
      const now = by.stamp.now;
      await writeSites(tx, rollout, facts, outcomeOf(act, facts), { now, by: by.name });
      const set = { state, changedBy: by.name, changedAt: now, reason: null, throughAt: null };
      await tx.db.update(rollouts).set(set).where(eq(rollouts.id, id));
      const failed = act.kind === 'resume' ? { failed: act.failed } : {};
      await note(tx, rollout, { ...by, action: `rollout.${PAST[act.kind]}` }, { state, ...failed });
      return { ...rollout, ...set };
    });
  }

  open(): Promise<Rollout[]> {
    return this.#database.read((db) =>
      db.select().from(rollouts).where(inArray(rollouts.state, OPEN)).orderBy(asc(rollouts.startedAt)),
    );
  }

  goOn(id: string, hearing: number, stamp: Stamp): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const rollout = await lockedRollout(tx, id, false);
      if (!rollout || !OPEN.includes(rollout.state)) return false;
      const facts = await factsOf(tx, rollout);
      const { now } = stamp;
      const outcome = decided(rollout, facts, { now, hearing });
      await writeSites(tx, rollout, facts, outcome, { now, by: ITSELF });
      await this.#set(tx, rollout, outcome, stamp);
      return outcome.more;
    });
  }

  async #set(
    tx: Tx,
    rollout: Rollout,
    { set, direct }: ReturnType<typeof decided>,
    stamp: Stamp,
  ): Promise<void> {
    const changed = Object.entries(set).some(([name, value]) => rollout[name as keyof typeof set] !== value);
    if (!changed) return;
    const { now } = stamp;
    const ended = set.state === undefined ? {} : { changedBy: null, changedAt: now };
    await tx.db
      .update(rollouts)
      .set({ ...set, ...ended })
      .where(eq(rollouts.id, rollout.id));
    const by = { actor: ITSELF, name: ITSELF, stamp };
    if (set.state === 'paused') {
      await note(tx, rollout, { ...by, action: 'rollout.paused' }, { reason: set.reason });
    } else if (set.state === 'done') await note(tx, rollout, { ...by, action: 'rollout.done' }, {});
    else if (set.wave !== undefined)
      await note(
        tx,
        rollout,
        { ...by, action: 'rollout.wave_begun' },
        { wave: set.wave + 1, sites: direct.length },
      );
  }

  upgradeOf(instance: string): Promise<SiteUpgrade | null> {
    return this.#database.read((db) => upgradeOf(db, instance));
  }
}

const PAST = { pause: 'paused', resume: 'resumed', abort: 'aborted' } as const;

function outcomeOf(act: RolloutAct, facts: Awaited<ReturnType<typeof factsOf>>) {
  if (act.kind === 'resume') return resumed(facts, act.failed);
  return act.kind === 'pause' ? paused(facts) : aborted(facts);
}

/** The document of a release whose packages are all here; null: it is not. It stays while this lasts. */
async function wholeRelease(tx: Tx, version: string): Promise<Rollout['document'] | null> {
  const [release] = await tx.db.select().from(releases).where(eq(releases.version, version)).for('update');
  if (!release) return null;
  const [missing] = await tx.db
    .select()
    .from(releasePackages)
    .where(and(eq(releasePackages.version, version), isNull(releasePackages.storedAt)))
    .limit(1);
  return missing ? null : release.document;
}

/** A site that was left out is free for others. */
async function heldOf(db: Db, instances: readonly string[]): Promise<string[]> {
  const wanted = new Set(instances);
  const { rolloutId, instance, step } = rolloutSites;
  const rows = await db
    .select({ instance, step })
    .from(rolloutSites)
    .innerJoin(rollouts, eq(rollouts.id, rolloutId))
    .where(inArray(rollouts.state, OPEN));
  const held = rows.filter((row) => row.step !== 'left_out' && wanted.has(row.instance));
  return [...new Set(held.map((row) => row.instance))].toSorted();
}

const ofBound = (bound: string | null) => (bound === null ? undefined : eq(rollouts.boundTo, bound));

const note = (
  tx: Tx,
  { id, boundTo }: Pick<Rollout, 'id' | 'boundTo'>,
  { actor, stamp, action }: By & { action: string },
  after: object,
): Promise<void> =>
  appendAudit(tx, {
    ...{ id: stamp.newId(), at: stamp.now, actor, action, subject: `rollout:${id}` },
    ...{ tenantCode: boundTo, before: null, after },
  });
