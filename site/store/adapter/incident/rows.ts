import { and, asc, desc, eq, gt, inArray, ne, or, type SQL, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type {
  IncidentFilter,
  IncidentMember,
  IncidentRecord,
  UpsertIncident,
  WholeIncident,
} from '../../../../common/core/incident/record.ts';
import type { IncidentLayer } from '../../../../common/core/incident/schema.ts';
import { incidentMembers as members, incidents } from '../../schema/tables.ts';
import { chunks, formerOf, liveOf } from './member.ts';

/** How incident groups and their member rows are read. */
export class IncidentRows {
  #orm: BetterSQLite3Database;

  constructor(orm: BetterSQLite3Database) {
    this.#orm = orm;
  }

  /** The group with this source key of its author; null where there is none. */
  ofSource({
    tenantCode,
    sourceKey,
  }: Pick<UpsertIncident, 'tenantCode' | 'sourceKey'>): IncidentRecord | undefined {
    return this.#orm
      .select()
      .from(incidents)
      .where(and(eq(incidents.tenantCode, tenantCode), eq(incidents.sourceKey, sourceKey)))
      .get();
  }

  list(
    filter: IncidentFilter,
    before: { lastAt: number; id: number } | null,
    limit: number,
  ): IncidentRecord[] {
    const where: (SQL | undefined)[] = [
      filter.state === undefined ? ne(incidents.state, 'closed') : eq(incidents.state, filter.state),
    ];
    if (filter.tenantCode !== null) where.push(eq(incidents.tenantCode, filter.tenantCode));
    if (filter.layer !== undefined) where.push(eq(incidents.layer, filter.layer));
    if (filter.siteRef !== undefined) where.push(eq(incidents.siteRef, filter.siteRef));
    if (filter.eventId !== undefined) where.push(inArray(incidents.id, this.#holding(filter.eventId)));
    if (filter.instance !== undefined) where.push(sql`${incidents.instance} is ${filter.instance}`);
    if (!filter.includeTest) where.push(eq(incidents.isTest, false));
    if (before) where.push(sql`(${incidents.lastAt}, ${incidents.id}) < (${before.lastAt}, ${before.id})`);
    return this.#orm
      .select()
      .from(incidents)
      .where(and(...where))
      .orderBy(desc(incidents.lastAt), desc(incidents.id))
      .limit(limit)
      .all();
  }

  #holding(eventId: number) {
    return this.#orm
      .select({ id: members.incidentId })
      .from(members)
      .where(liveOf([eventId]));
  }

  /** A page of the rows of the group, by time and event. */
  members(id: number, after: { at: number; eventId: number } | null, limit: number): IncidentMember[] {
    const later =
      after &&
      or(gt(members.at, after.at), and(eq(members.at, after.at), gt(members.eventId, after.eventId)));
    return this.#orm
      .select()
      .from(members)
      .where(and(eq(members.incidentId, id), later ?? undefined))
      .orderBy(asc(members.at), asc(members.eventId))
      .limit(limit)
      .all();
  }

  /** Groups that have or had any of the events. */
  withEvents(eventIds: readonly number[]): Set<number> {
    return new Set(
      chunks(eventIds).flatMap((ids) =>
        this.#orm
          .selectDistinct({ id: members.incidentId })
          .from(members)
          .where(or(liveOf(ids), formerOf(ids)))
          .all()
          .map(({ id }) => id),
      ),
    );
  }

  /** Which group has each of the events in this layer now. */
  holders(eventIds: readonly number[], layer: IncidentLayer): Map<number, number> {
    return new Map(
      chunks(eventIds).flatMap((ids) =>
        this.#orm
          .select({ eventId: members.eventId, incidentId: members.incidentId })
          .from(members)
          .where(and(liveOf(ids), eq(members.layer, layer)))
          .all()
          .map((row): [number, number] => [row.eventId, row.incidentId]),
      ),
    );
  }

  /** The group and those it was merged into, one after another. */
  path(own: IncidentRecord): IncidentRecord[] {
    const path = [own];
    for (let last = own; last.mergedInto !== null; path.push(last)) last = this.present(last.mergedInto);
    return path;
  }

  /** The group with all its rows. */
  whole(id: number): WholeIncident | null {
    const incident = this.read(id);
    return incident && { incident, rows: this.of(id) };
  }

  /** The rows of the group, live and former. */
  of(id: number): IncidentMember[] {
    return this.#orm.select().from(members).where(eq(members.incidentId, id)).all();
  }

  /** @throws Error when it is not there */
  present(id: number): IncidentRecord {
    const found = this.read(id);
    if (!found) throw new Error(`the incident ${id} is missing, although others refer to it`);
    return found;
  }

  read(id: number): IncidentRecord | null {
    return this.#orm.select().from(incidents).where(eq(incidents.id, id)).get() ?? null;
  }
}
