import { and, asc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type { Database, Db, Tx } from '../../store/engine/database.ts';
import { evidenceFiles } from '../../store/schema/tables.ts';
import type { NewWant, SiteEvidence, Want, WantPort } from '../port.ts';
import { evidenceSites, evidenceWants } from './schema.ts';
import { askAgain, atOneMoment, countReceived, countWants, writeTold } from './want-statements.ts';

const open = isNull(evidenceWants.settledAt);

export function createWants(database: Database): WantPort {
  return {
    ...createAsking(database),
    ...createFollowing(database),
    ...createCounting(database),
  };
}

function createAsking(
  database: Database,
): Pick<WantPort, 'ask' | 'offered' | 'ofEvent' | 'find' | 'among' | 'again' | 'gone'> {
  return {
    ask: (want, now) => database.transaction((tx) => askIn(tx, want, now)),
    offered: (wants, now) =>
      database.transaction(async (tx) => {
        for (const want of wants) await askIn(tx, want, now);
      }),
    ofEvent: (tenantCode, eventId) =>
      database.read((db) =>
        db
          .select()
          .from(evidenceWants)
          .where(and(eq(evidenceWants.tenantCode, tenantCode), eq(evidenceWants.eventId, eventId)))
          .orderBy(asc(evidenceWants.askedAt), asc(evidenceWants.id)),
      ),
    find: (id) =>
      database.read(async (db) => (await db.select().from(evidenceWants).where(byId(id)))[0] ?? null),
    among: async (ids) =>
      ids.length === 0
        ? []
        : database.read((db) =>
            db
              .select()
              .from(evidenceWants)
              .where(inArray(evidenceWants.id, [...ids])),
          ),
    again: (instances, silentSince, now) => askAgain(database, instances, silentSince, now),
    gone: async (files, now) => {
      if (files.length === 0) return;
      const rows = files.map(({ want, at }) => ({
        ...rowOf(want, now),
        state: 'gone' as const,
        settledAt: at,
      }));
      await database.read((db) => db.insert(evidenceWants).values(rows).onConflictDoNothing());
    },
  };
}

async function askIn(tx: Tx, want: NewWant, now: number): Promise<Want> {
  const [standing] = await tx.db
    .select()
    .from(evidenceWants)
    .where(
      want.kind === 'put'
        ? eq(evidenceWants.id, want.id)
        : and(
            eq(evidenceWants.tenantCode, want.tenantCode),
            eq(evidenceWants.eventId, want.eventId),
            eq(evidenceWants.name, want.name),
            eq(evidenceWants.kind, 'keep'),
          ),
    )
    .for('update');
  const fresh = rowOf(want, now);
  if (standing && standing.state !== 'failed') {
    // What was offered goes before other offers once somebody asks for it.
    if (standing.askedBy !== null || want.askedBy === null) return standing;
    await tx.db.update(evidenceWants).set({ askedBy: want.askedBy }).where(byId(standing.id));
    return { ...standing, askedBy: want.askedBy };
  }
  if (standing) await tx.db.delete(evidenceWants).where(byId(standing.id));
  if (want.kind === 'keep' && (await isStored(tx, want))) return fresh;
  const [written] = await tx.db.insert(evidenceWants).values(fresh).onConflictDoNothing().returning();
  return written ?? fresh;
}

/** The file may have come, and its want have ended, since the caller looked for it. */
async function isStored(tx: Tx, { tenantCode, eventId, name }: NewWant): Promise<boolean> {
  const rows = await tx.db
    .select({ name: evidenceFiles.name })
    .from(evidenceFiles)
    .where(
      and(
        eq(evidenceFiles.tenantCode, tenantCode),
        eq(evidenceFiles.eventId, eventId),
        eq(evidenceFiles.name, name),
      ),
    );
  return rows.length > 0;
}

function createFollowing(
  database: Database,
): Pick<WantPort, 'hold' | 'mismatched' | 'fulfilled' | 'told' | 'forget' | 'heard'> {
  return {
    hold: (id, from, to, now) =>
      database.read(async (db) => {
        const { rowCount } = await db
          .update(evidenceWants)
          .set({ held: to, state: 'arriving', reason: null, updatedAt: now })
          .where(and(byId(id), eq(evidenceWants.held, from), open));
        return (rowCount ?? 0) > 0;
      }),
    mismatched: (id, failed, now) =>
      database.read(
        async (db) =>
          void (await db
            .update(evidenceWants)
            .set({
              held: 0,
              mismatches: sql`${evidenceWants.mismatches} + 1`,
              updatedAt: now,
              ...(failed === null ? {} : { state: 'failed', reason: failed, settledAt: now }),
            })
            .where(and(byId(id), open))),
      ),
    fulfilled: (want, now) =>
      database.transaction(async (tx) => {
        const { rowCount } = await tx.db.delete(evidenceWants).where(byId(want.id));
        if ((rowCount ?? 0) === 0 || want.kind === 'put') return;
        await countReceived(tx, want, now);
      }),
    told: (said, site) => writeTold(database, said, site),
    forget: (eventIds) =>
      database.read(async (db) => {
        const rows = await db
          .delete(evidenceWants)
          .where(inArray(evidenceWants.eventId, [...eventIds]))
          .returning({ id: evidenceWants.id });
        return rows.map(({ id }) => id);
      }),
    heard: (instance, said, now) => database.read((db) => heard(db, instance, said, now)),
  };
}

async function heard(
  db: Db,
  instance: string,
  said: Pick<SiteEvidence, 'mode' | 'backlogFiles' | 'backlogBytes'>,
  now: number,
): Promise<void> {
  await db
    .insert(evidenceSites)
    .values({ instance, ...said, heardAt: now, receivedFiles: 0, receivedBytes: 0, lastReceivedAt: null })
    .onConflictDoUpdate({ target: evidenceSites.instance, set: { ...said, heardAt: now } });
}

async function readSites(db: Db): Promise<Map<string, SiteEvidence>> {
  const rows = await db.select().from(evidenceSites);
  return new Map(rows.map(({ instance, ...site }): [string, SiteEvidence] => [instance, site]));
}

function createCounting(
  database: Database,
): Pick<WantPort, 'heldBytes' | 'openAmong' | 'sites' | 'counts' | 'overview'> {
  return {
    heldBytes: () =>
      database.read(async (db) => {
        const { tenantCode, instance, held } = evidenceWants;
        return db
          .select({ tenantCode, instance, bytes: sql<number>`sum(${held})`.mapWith(Number) })
          .from(evidenceWants)
          .where(and(open, gt(held, 0)))
          .groupBy(tenantCode, instance);
      }),
    openAmong: async (ids) => {
      if (ids.length === 0) return new Set();
      const rows = await database.read((db) =>
        db
          .select({ id: evidenceWants.id })
          .from(evidenceWants)
          .where(and(inArray(evidenceWants.id, [...ids]), open)),
      );
      return new Set(rows.map(({ id }) => id));
    },
    sites: () => database.read(readSites),
    counts: () => database.read((_db, pool) => countWants(pool)),
    overview: () =>
      atOneMoment(database, async ({ db, client }) => ({
        sites: await readSites(db),
        counts: await countWants(client),
      })),
  };
}

const byId = (id: string) => eq(evidenceWants.id, id);

const rowOf = (want: Parameters<WantPort['ask']>[0], now: number): Want => ({
  ...want,
  state: 'asked',
  held: 0,
  mismatches: 0,
  reason: null,
  askedAt: now,
  updatedAt: now,
  toldEpoch: null,
  settledAt: null,
});
