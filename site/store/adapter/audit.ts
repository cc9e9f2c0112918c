import { and, desc, eq, gte, notInArray, or, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import {
  type AuditEntry,
  type AuditFilter,
  type AuditPort,
  calledFrom,
} from '../../../common/core/audit/port.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import { prepareInsert } from '../engine/insert.ts';
import { Slices } from '../engine/slices.ts';
import { audit } from '../schema/tables.ts';

/** Entries that are looked at in one go. */
const STRETCH = 500;

interface Position {
  at: number;
  id: string;
}

export class SiteAudit implements AuditPort {
  /** Writes an entry in the open transaction. */
  readonly insert: (entry: AuditEntry) => void;
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #monotonic: () => number;

  constructor(group: GroupCommit, orm: BetterSQLite3Database, monotonic: () => number) {
    this.#group = group;
    this.#orm = orm;
    this.#monotonic = monotonic;
    this.insert = prepareInsert(group.sqlite, audit);
  }

  add(entry: AuditEntry): Promise<void> {
    return this.#group.write(() => this.insert(entry));
  }

  async list(filter: AuditFilter, before: Position | null, limit: number): Promise<AuditEntry[]> {
    const slices = new Slices(this.#monotonic);
    const found: AuditEntry[] = [];
    const { until = Number.MAX_SAFE_INTEGER } = filter;
    // Nothing but the subject has an index: a rare entry is looked for stretch by stretch, so that intake
    // goes on between them.
    for (
      let from: Position | null = before && before.at < until ? before : { at: until, id: '' };
      from !== null && found.length < limit;
      await slices.step()
    ) {
      const through: Position | null =
        filter.subject === undefined ? this.#after(from, filter.since ?? 0) : null;
      found.push(...this.#between(filter, { from, through }, limit - found.length));
      from = through;
    }
    return found;
  }

  /** The end of the stretch that begins below a position; null where there is nothing beyond it. */
  #after({ at, id }: Position, since: number): Position | null {
    return (
      this.#orm
        .select({ at: audit.at, id: audit.id })
        .from(audit)
        .where(and(sql`(${audit.at}, ${audit.id}) < (${at}, ${id})`, gte(audit.at, since)))
        .orderBy(desc(audit.at), desc(audit.id))
        .limit(1)
        .offset(STRETCH - 1)
        .get() ?? null
    );
  }

  /** Below `from`, down to and with `through`. */
  #between(
    filter: AuditFilter,
    { from, through }: { from: Position; through: Position | null },
    limit: number,
  ): AuditEntry[] {
    const rows = this.#orm
      .select()
      .from(audit)
      .where(
        and(
          filter.tenantCode === null ? undefined : eq(audit.tenantCode, filter.tenantCode),
          filter.action === undefined ? undefined : eq(audit.action, filter.action),
          filter.without === undefined ? undefined : notInArray(audit.action, [...filter.without]),
          filter.subject === undefined ? undefined : eq(audit.subject, filter.subject),
          filter.actor === undefined
            ? undefined
            : or(eq(audit.actor, filter.actor), sql`instr(${audit.actor}, ${calledFrom(filter.actor)}) = 1`),
          filter.since === undefined ? undefined : gte(audit.at, filter.since),
          sql`(${audit.at}, ${audit.id}) < (${from.at}, ${from.id})`,
          through === null ? undefined : sql`(${audit.at}, ${audit.id}) >= (${through.at}, ${through.id})`,
        ),
      )
      .orderBy(desc(audit.at), desc(audit.id))
      .limit(limit)
      .all();
    return rows.map(({ before: was, after, ...rest }) => ({
      ...rest,
      before: was ?? null,
      after: after ?? null,
    }));
  }
}
