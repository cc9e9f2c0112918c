// What sites told with their last calls. Cameras, parked items and hours are most of a report and stand in a
// column of their own: whoever reads all sites does not take them out of the store.
import { and, eq, isNotNull } from 'drizzle-orm';
import type { KeptReport } from '../../../common/uplink/site-report.ts';
import type { Db } from '../../store/engine/database.ts';
import { toldLine } from '../fleet/decide.ts';
import type { LastSeen, ReportLists } from '../heard/port.ts';
import { sites } from './schema.ts';

const lastCall = { instance: sites.instance, at: sites.lastSeenAt, version: sites.version };
const hasCalled = and(isNotNull(sites.lastSeenAt), isNotNull(sites.version));

/** Of every site, by instance. Cameras, parked items and hours stay out: they are most of a report. */
export async function lastSeen(db: Db): Promise<Map<string, LastSeen>> {
  const rows = await db
    .select({ ...lastCall, report: sites.report })
    .from(sites)
    .where(hasCalled);
  return new Map(rows.map(({ instance, ...row }) => [instance, seenOf(row)]));
}

/** Of one site, with its whole report. */
export async function lastSeenOf(db: Db, instance: string): Promise<LastSeen | null> {
  const [row] = await db
    .select({ ...lastCall, report: sites.report, lists: sites.reportLists })
    .from(sites)
    .where(and(hasCalled, eq(sites.instance, instance)));
  return row ? seenOf({ ...row, report: row.report && { ...row.report, ...row.lists } }) : null;
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

/** The columns that a report stands in. */
export function reportColumns(whole: KeptReport) {
  const { cameras, camera_refs, parked, hours, ...report } = whole;
  const told = { cameras, camera_refs, parked, hours };
  const lists: ReportLists = Object.fromEntries(
    Object.entries(told).filter(([, list]) => list !== undefined),
  );
  return { report, reportLists: lists, line: toldLine(whole), zone: whole.zone ?? null };
}
