import { and, asc, eq, getTableColumns, inArray, isNull, lte, sql } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Stamp } from '../../../common/clock.ts';
import { readDoc } from '../../../common/core/event/record.ts';
import { severities, type Severity } from '../../../common/core/event/schema.ts';
import { decideStore, firstPicture, storedAudit } from '../../../common/core/evidence/decide.ts';
import type {
  EvidenceLimits,
  EvidencePort,
  EvidenceRecord,
  EvidenceUse,
  StoreEvidenceOutcome,
} from '../../../common/core/evidence/port.ts';
import type { GroupCommit } from '../engine/group-commit.ts';
import type { Meta } from '../engine/meta.ts';
import {
  events,
  evidenceFiles,
  evidenceGone,
  evidenceJobs,
  keys,
  uplinkOffers,
  uplinkPreviews,
} from '../schema/tables.ts';
import type { SiteAudit } from './audit.ts';

/** The columns of a record; what headquarters has of the file is for those who send and delete. */
const { heldBy: _heldBy, offeredTo: _offeredTo, ...columns } = getTableColumns(evidenceFiles);

/** What of the files goes to headquarters by itself. */
export interface GoesUp {
  from: Severity | null;
  previews: boolean;
}

export class SiteEvidence implements EvidencePort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #audit: SiteAudit;
  #offered: readonly string[];
  #previews: boolean;

  /**
   * @param goesUp.from files of events of this severity or above are offered to headquarters; null: none
   * @param goesUp.previews a preview of the first picture of each alert goes there
   */
  constructor(
    group: GroupCommit,
    orm: BetterSQLite3Database,
    audit: SiteAudit,
    { from: offerFrom, previews }: GoesUp,
  ) {
    this.#previews = previews;
    this.#offered = offerFrom === null ? [] : severities.slice(severities.indexOf(offerFrom));
    this.#group = group;
    this.#orm = orm;
    this.#audit = audit;
  }

  /**
   * Offers all files of events of the severity or above once more, when a salvage has lost which of them
   * wait. To be called before anything else writes.
   */
  offerAgain(meta: Meta): void {
    if (meta.number('offers_lost') === 0) return;
    this.#orm.transaction(
      (tx) => {
        const files = tx
          .select({ eventId: evidenceFiles.eventId, name: evidenceFiles.name })
          .from(evidenceFiles)
          .innerJoin(events, eq(events.id, evidenceFiles.eventId))
          .where(and(eq(events.isTest, false), inArray(events.severity, [...this.#offered])));
        tx.insert(uplinkOffers).select(files).onConflictDoNothing().run();
        meta.set('offers_lost', 0);
      },
      { behavior: 'immediate' },
    );
  }

  async ofEvent(tenantCode: string, eventId: number): Promise<EvidenceRecord[]> {
    return this.#orm
      .select(columns)
      .from(evidenceFiles)
      .where(and(eq(evidenceFiles.tenantCode, tenantCode), eq(evidenceFiles.eventId, eventId)))
      .orderBy(asc(evidenceFiles.name))
      .all();
  }

  async totalSize(): Promise<number> {
    return this.#total();
  }

  async use(): Promise<EvidenceUse[]> {
    return this.#uses();
  }

  store(
    { instance: _, ...record }: EvidenceRecord,
    limits: EvidenceLimits,
    actor: string,
    stamp: Stamp,
  ): Promise<StoreEvidenceOutcome> {
    const { eventId, name } = record;
    return this.#group.write(() => {
      const known = this.#orm
        .select()
        .from(evidenceFiles)
        .where(and(eq(evidenceFiles.eventId, eventId), eq(evidenceFiles.name, name)))
        .get();
      const outcome = decideStore(known !== undefined, this.#uses(), record, limits);
      if (outcome !== 'stored') return outcome;
      this.#orm.insert(evidenceFiles).values(record).run();
      this.#orm
        .delete(evidenceGone)
        .where(and(eq(evidenceGone.eventId, eventId), eq(evidenceGone.name, name)))
        .run();
      if (this.#isOffered(eventId))
        this.#orm.insert(uplinkOffers).values({ eventId, name }).onConflictDoNothing().run();
      if (this.#isPreviewed(eventId, name))
        this.#orm.insert(uplinkPreviews).values({ eventId, name }).onConflictDoNothing().run();
      this.#orm
        .update(evidenceJobs)
        .set({ nextAt: stamp.now })
        .where(
          and(
            eq(evidenceJobs.eventId, eventId),
            eq(evidenceJobs.name, name),
            sql`${evidenceJobs.state} = 'pending'`,
          ),
        )
        .run();
      this.#audit.insert(storedAudit(record, actor, stamp));
      return outcome;
    });
  }

  /** Whether it is the first picture that its alert announced. */
  #isPreviewed(eventId: number, name: string): boolean {
    if (!this.#previews) return false;
    const event = this.#orm
      .select({ kind: events.kind, doc: events.doc })
      .from(events)
      .where(eq(events.id, eventId))
      .get();
    return event?.kind === 'alert' && firstPicture(readDoc(event))?.name === name;
  }

  #isOffered(eventId: number): boolean {
    if (this.#offered.length === 0) return false;
    const event = this.#orm
      .select({ severity: events.severity, isTest: events.isTest })
      .from(events)
      .where(eq(events.id, eventId))
      .get();
    return event?.isTest === false && event.severity !== null && this.#offered.includes(event.severity);
  }

  async ofEventsUpTo(eventId: number, limit: number): Promise<EvidenceRecord[]> {
    return this.#orm
      .select(columns)
      .from(evidenceFiles)
      .where(lte(evidenceFiles.eventId, eventId))
      .orderBy(asc(evidenceFiles.eventId), asc(evidenceFiles.name))
      .limit(limit)
      .all();
  }

  forget(records: readonly EvidenceRecord[]): Promise<void> {
    return this.#group.write(() => {
      for (const { eventId, name } of records) {
        this.#orm
          .delete(evidenceFiles)
          .where(and(eq(evidenceFiles.eventId, eventId), eq(evidenceFiles.name, name)))
          .run();
      }
    });
  }

  /** By tenant; one that has a key and no files is among them. */
  #uses(): EvidenceUse[] {
    const files = this.#orm
      .select({ tenantCode: evidenceFiles.tenantCode, bytes: sql<number>`sum(${evidenceFiles.size})` })
      .from(evidenceFiles)
      .groupBy(evidenceFiles.tenantCode)
      .all();
    const known = this.#orm
      .selectDistinct({ tenantCode: keys.tenantCode })
      .from(keys)
      .where(isNull(keys.removedAt))
      .all();
    return [...files, ...known.map(({ tenantCode }) => ({ tenantCode, bytes: 0 }))].flatMap(
      ({ tenantCode, bytes }) => (tenantCode === null ? [] : [{ tenantCode, instance: null, bytes }]),
    );
  }

  #total(): number {
    return (
      this.#orm
        .select({ bytes: sql<number>`coalesce(sum(${evidenceFiles.size}), 0)` })
        .from(evidenceFiles)
        .get()?.bytes ?? 0
    );
  }
}
