// The registry of sites, and what has been received from each.
import { and, asc, eq, getTableColumns, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Clock } from '../../common/clock.ts';
import { AppError, conflict } from '../../common/http/error.ts';
import type { ReceiverPort, SiteRecord } from '../receiver/port.ts';
import type { Database, Tx } from './database.ts';
import { audit, sites, sources } from './schema.ts';

const { hubEpoch: _hubEpoch, ...sourceState } = getTableColumns(sources);

export type SitePort = Pick<ReceiverPort, 'addSite' | 'setTenants' | 'removeSite' | 'site' | 'sites' | 'seen' | 'report' | 'sources' | 'lastSeen'>;

const siteFields = { instance: sites.instance, tenants: sites.tenants, createdAt: sites.createdAt, removedAt: sites.removedAt };

export function createSites(database: Database, clock: Clock): SitePort {
  const change = (instance: string, set: Partial<SiteRecord>, by: { now: number; actor: string; action: string }) =>
    database.transaction(async (tx) => {
      const before = await lockedSite(tx, instance);
      if (!before || before.removedAt !== null) return false;
      await tx.db.update(sites).set(set).where(eq(sites.instance, instance));
      await note(tx, clock, { ...by, before, after: { ...before, ...set } });
      return true;
    });

  return {
    addSite: ({ instance, tenants }, now, actor) => database.transaction(async (tx) => {
      const fresh: SiteRecord = { instance, tenants, createdAt: now, removedAt: null };
      const [made] = await tx.db.insert(sites).values(fresh).onConflictDoNothing().returning();
      const before = made ? null : await lockedSite(tx, instance);
      if (before?.removedAt === null) throw conflict('site_exists', `The site ${instance} is registered already; rotate its key, or remove it first.`);
      if (before) await tx.db.update(sites).set(fresh).where(eq(sites.instance, instance));
      await note(tx, clock, { now, actor, action: 'site.added', before, after: fresh });
    }),
    setTenants: (instance, tenants, now, actor) => change(instance, { tenants }, { now, actor, action: 'site.tenants_changed' }),
    removeSite: (instance, now, actor) => change(instance, { removedAt: now }, { now, actor, action: 'site.removed' }),
    site: (instance) => database.read(async (db) => (await db.select(siteFields).from(sites).where(eq(sites.instance, instance)))[0] ?? null),
    sites: () => database.read((db) => db.select(siteFields).from(sites).where(isNull(sites.removedAt)).orderBy(asc(sites.instance))),
    seen: (instance, version, now) => database.read(async (db) => void (await db.update(sites)
      .set({ version, lastSeenAt: sql`greatest(coalesce(${sites.lastSeenAt}, 0), ${now})` }).where(eq(sites.instance, instance)))),
    report: (instance, report) => database.read(async (db) => void (await db.update(sites).set({ report }).where(eq(sites.instance, instance)))),
    sources: () => database.read((db) => db.select(sourceState).from(sources).orderBy(asc(sources.instance), asc(sources.lastReceivedAt), asc(sources.channel))),
    lastSeen: () => database.read(async (db) => {
      const rows = await db.select({ instance: sites.instance, at: sites.lastSeenAt, version: sites.version, report: sites.report })
        .from(sites).where(and(isNotNull(sites.lastSeenAt), isNotNull(sites.version)));
      return new Map(rows.map((row) => [row.instance, { at: row.at ?? 0, version: row.version ?? '', report: row.report }]));
    }),
  };
}

/** @throws AppError 403 site_unknown */
export async function requireSite(tx: Tx, instance: string): Promise<void> {
  const found = await tx.db.select(siteFields).from(sites).where(and(eq(sites.instance, instance), isNull(sites.removedAt)));
  if (found.length === 0) throw siteUnknown(instance);
}

export const siteUnknown = (instance: string): AppError =>
  new AppError(403, 'site_unknown', `Headquarters knows no site ${instance}; register it there.`);

async function lockedSite(tx: Tx, instance: string): Promise<SiteRecord | null> {
  const [found] = await tx.db.select(siteFields).from(sites).where(eq(sites.instance, instance)).for('update');
  return found ?? null;
}

async function note(
  tx: Tx, clock: Clock, what: { now: number; actor: string; action: string; before: SiteRecord | null; after: SiteRecord },
): Promise<void> {
  await tx.db.insert(audit).values({
    id: clock.newId(), at: what.now, actor: what.actor, action: what.action, subject: `site:${what.after.instance}`, tenantCode: null,
    before: what.before, after: what.after,
  });
}
