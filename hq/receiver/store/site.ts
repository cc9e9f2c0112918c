// The registry of sites, and what has been received from each.
import {
  and,
  arrayContains,
  arrayOverlaps,
  asc,
  eq,
  getTableColumns,
  inArray,
  isNull,
  ne,
  not,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Clock } from '../../../common/clock.ts';
import { conflict } from '../../../common/http/error.ts';
import type { KeptReport } from '../../../common/uplink/site-report.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import { Coalescer } from '../../store/engine/coalescer.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import type { Contact } from '../contact/port.ts';
import { regrouped } from '../fleet/decide.ts';
import type { FleetPort, ListedSite } from '../fleet/port.ts';
import type { LastSeen } from '../heard/port.ts';
import type {
  GroupChange,
  NewSite,
  Regrouped,
  SiteChange,
  SitePort,
  SiteRecord,
  SourceState,
} from '../port.ts';
import { SILENT_AFTER_MINUTES } from '../silence/record.ts';
import type { SiteZone, SiteZonePort } from '../zone/port.ts';
import { writeContacts } from './contacts.ts';
import { listedSites, notTaken } from './fleet.ts';
import { heard, lastSeen, lastSeenOf, reportColumns } from './heard.ts';
import { sites, sources } from './schema.ts';
import { siteFields } from './site-fields.ts';
import { zonesOf } from './zones.ts';

const { hubEpoch: _hubEpoch, ...sourceState } = getTableColumns(sources);

/** Sites that one statement is about, unless it is asked for more. */
const MOST_AT_ONCE = 500;

export class HubSites implements SitePort, SiteZonePort, FleetPort {
  #database: Database;
  #clock: Clock;
  /** After a start all sites call at once: what is read and noted of each goes together. */
  #looking: Coalescer<string, SiteRecord | null>;
  #noting: Coalescer<readonly Contact[], void>;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#looking = new Coalescer((instances) => sitesOf(database, instances), MOST_AT_ONCE);
    this.#noting = new Coalescer(
      (all) => noteAll(database, all),
      MOST_AT_ONCE,
      ({ length }) => length,
    );
  }

  add(
    { instance, tenants, displayName = null, groups = [] }: NewSite,
    now: number,
    actor: string,
  ): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const [heir] = await tx.db
        .select(siteFields)
        .from(sites)
        .where(and(arrayContains(sites.continues, [instance]), isNull(sites.removedAt)));
      if (heir)
        throw conflict(
          'site_continued',
          `The site ${instance} goes on as ${heir.instance}; end that first, with PATCH ` +
            `/api/core/sites/${heir.instance}.`,
        );
      const watch = { silentAfterMinutes: SILENT_AFTER_MINUTES, away: false };
      const fresh = {
        ...{ instance, tenants, displayName, groups, continues: [] },
        ...{ createdAt: now, removedAt: null, ...watch },
      };
      const [made] = await tx.db.insert(sites).values(fresh).onConflictDoNothing().returning();
      const before = made ? null : await lockedSite(tx, instance);
      if (before?.removedAt === null)
        throw conflict(
          'site_exists',
          `The site ${instance} is registered already; rotate its key, or remove it first.`,
        );
      if (before) await tx.db.update(sites).set(fresh).where(eq(sites.instance, instance));
      await note(tx, this.#clock, { now, actor, action: 'site.added', before, after: fresh });
    });
  }

  change(instance: string, set: SiteChange, now: number, actor: string): Promise<boolean> {
    return this.#change(instance, set, {
      now,
      actor,
      action: actionOf(set),
    });
  }

  remove(instance: string, now: number, actor: string): Promise<boolean> {
    return this.#change(instance, { removedAt: now }, { now, actor, action: 'site.removed' });
  }

  regroup(change: GroupChange, now: number, actor: string): Promise<Regrouped> {
    return this.#database.transaction(async (tx) => {
      const wanted = [...new Set([...change.add, ...change.remove])];
      const found = await tx.db
        .select(siteFields)
        .from(sites)
        .where(and(inArray(sites.instance, wanted), isNull(sites.removedAt)))
        .orderBy(asc(sites.instance))
        .for('update');
      const { changed, ...outcome } = regrouped(found, change);
      for (const { before, after } of changed) {
        const { groups } = after;
        await tx.db.update(sites).set({ groups }).where(eq(sites.instance, after.instance));
        await note(tx, this.#clock, { now, actor, action: 'site.groups_changed', before, after });
      }
      return outcome;
    });
  }

  get(instance: string): Promise<SiteRecord | null> {
    return this.#looking.add(instance);
  }

  list(): Promise<SiteRecord[]> {
    return this.#database.read((db) =>
      db.select(siteFields).from(sites).where(isNull(sites.removedAt)).orderBy(asc(sites.instance)),
    );
  }

  noteContacts(contacts: readonly Contact[]): Promise<void> {
    return this.#noting.add(contacts);
  }

  keepReport(instance: string, report: KeptReport): Promise<boolean> {
    return this.#database.read(async (db) => {
      const { rowCount } = await db
        .update(sites)
        .set(reportColumns(report))
        .where(and(eq(sites.instance, instance), not(isLater(report.order))));
      return rowCount === 1;
    });
  }

  listed(): Promise<ListedSite[]> {
    return this.#database.read(listedSites);
  }

  notTaken(): Promise<Map<string, number>> {
    return this.#database.read(notTaken);
  }

  sources(instance?: string): Promise<SourceState[]> {
    return this.#database.read((db) =>
      db
        .select(sourceState)
        .from(sources)
        .where(instance === undefined ? undefined : eq(sources.instance, instance))
        .orderBy(asc(sources.instance), asc(sources.heardAt), asc(sources.channel)),
    );
  }

  zones(tenantCode: string | null): Promise<SiteZone[]> {
    return this.#database.read((db) => zonesOf(db, tenantCode));
  }

  lastSeen(): Promise<Map<string, LastSeen>> {
    return this.#database.read(lastSeen);
  }

  lastSeenOf(instance: string): Promise<LastSeen | null> {
    return this.#database.read((db) => lastSeenOf(db, instance));
  }

  heard(): Promise<Map<string, number>> {
    return this.#database.read(heard);
  }

  #change(
    instance: string,
    set: Partial<SiteRecord>,
    by: { now: number; actor: string; action: string },
  ): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const before = await lockedSite(tx, instance);
      if (!before || before.removedAt !== null) return false;
      if (set.continues) await freeNames(tx, instance, set.continues);
      await tx.db.update(sites).set(set).where(eq(sites.instance, instance));
      await note(tx, this.#clock, { ...by, before, after: { ...before, ...set } });
      return true;
    });
  }
}

async function sitesOf(database: Database, instances: readonly string[]): Promise<(SiteRecord | null)[]> {
  const found = await database.read((db) =>
    db
      .select(siteFields)
      .from(sites)
      .where(inArray(sites.instance, [...new Set(instances)])),
  );
  const known = new Map(found.map((site) => [site.instance, site]));
  return instances.map((instance) => known.get(instance) ?? null);
}

/** Of a site that called twice meanwhile the later call counts. */
async function noteAll(database: Database, all: readonly (readonly Contact[])[]): Promise<void[]> {
  const last = new Map(all.flat().map((contact) => [contact.instance, contact]));
  await database.transaction((tx) => writeContacts(tx, [...last.values()]));
  return all.map(() => undefined);
}

/**
 * What a live site brought, or another goes on with, is not given to a third. @throws conflict `site_live`,
 * `site_continued`
 */
async function freeNames(tx: Tx, instance: string, names: string[]): Promise<void> {
  if (names.length === 0) return;
  const others = and(ne(sites.instance, instance), isNull(sites.removedAt));
  const [live] = await tx.db
    .select(siteFields)
    .from(sites)
    .where(and(others, inArray(sites.instance, names)));
  if (live)
    throw conflict(
      'site_live',
      `The site ${live.instance} is registered; remove it first if it goes on as ${instance}.`,
    );
  const [heir] = await tx.db
    .select(siteFields)
    .from(sites)
    .where(and(others, arrayOverlaps(sites.continues, names)));
  if (heir)
    throw conflict(
      'site_continued',
      `${names.filter((name) => heir.continues.includes(name)).join(', ')} goes on as ${heir.instance} ` +
        'already.',
    );
}

function actionOf({ tenants, continues, displayName, groups }: SiteChange): string {
  if (displayName !== undefined) return 'site.renamed';
  if (groups) return 'site.groups_changed';
  if (continues) return 'site.continues_changed';
  return tenants ? 'site.tenants_changed' : 'site.watch_changed';
}

/** Whether the report that is kept was made after the one of this order, in the same run of the site. */
const isLater = ({ run, no }: KeptReport['order']): SQL =>
  sql`coalesce(${sites.report}::json #>> '{order,run}' = ${run}
    and (${sites.report}::json #>> '{order,no}')::bigint > ${no}, false)`;

async function lockedSite(tx: Tx, instance: string): Promise<SiteRecord | null> {
  const [found] = await tx.db
    .select(siteFields)
    .from(sites)
    .where(eq(sites.instance, instance))
    .for('update');
  return found ?? null;
}

async function note(
  tx: Tx,
  clock: Clock,
  what: { now: number; actor: string; action: string; before: SiteRecord | null; after: SiteRecord },
): Promise<void> {
  await appendAudit(tx, {
    id: clock.newId(),
    at: what.now,
    actor: what.actor,
    action: what.action,
    subject: `site:${what.after.instance}`,
    tenantCode: null,
    before: what.before,
    after: what.after,
  });
}
