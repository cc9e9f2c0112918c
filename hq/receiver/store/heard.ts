import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { KeptReport } from '../../../common/uplink/site-report.ts';
import type { Db } from '../../store/engine/database.ts';
import type { LastSeen } from '../heard/port.ts';
import { sites } from './schema.ts';

const lastCall = { instance: sites.instance, at: sites.lastSeenAt, version: sites.version };
const hasCalled = and(isNotNull(sites.lastSeenAt), isNotNull(sites.version));

/** Of every site, by instance. Cameras, parked items and hours stay out: they are most of a report. */
export async function lastSeen(db: Db): Promise<Map<string, LastSeen>> {
  const report = sql<KeptReport | null>`(${sites.report}::jsonb
    - '{cameras,camera_refs,parked,hours}'::text[])::text`;
  const rows = await db
    .select({ ...lastCall, report: report.mapWith(sites.report) })
    .from(sites)
    .where(hasCalled);
  return new Map(rows.map(({ instance, ...row }) => [instance, seenOf(row)]));
}

/** Of one site, with its whole report. */
export async function lastSeenOf(db: Db, instance: string): Promise<LastSeen | null> {
  const [row] = await db
    .select({ ...lastCall, report: sites.report })
    .from(sites)
    .where(and(hasCalled, eq(sites.instance, instance)));
  return row ? seenOf(row) : null;
}

/** When each was heard last, epoch ms. */
export async function heard(db: Db): Promise<Map<string, number>> {
  const rows = await db.select(lastCall).from(sites).where(hasCalled);
  return new Map(rows.map(({ instance, at }) => [instance, at ?? 0]));
}

const seenOf = (row: { at: number | null; version: string | null; report: KeptReport | null }): LastSeen => ({
  at: row.at ?? 0,
  version: row.version ?? '',
  report: row.report,
});
