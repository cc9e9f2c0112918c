import { and, asc, count, desc, eq, inArray, isNotNull, lte, notInArray } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Stamp } from '../../../../common/clock.ts';
import type { Message } from '../../../../common/message.ts';
import type { SiteRequest } from '../../../../common/uplink/request/schema.ts';
import type { CarePort } from '../../../care/port.ts';
import type { CareAnswer, OpenRequest, WaitingFile } from '../../../care/record.ts';
import type { Carried } from '../../../uplink/inbox/port.ts';
import { ACTOR } from '../../../uplink/order/decide.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import { careRequests } from '../../schema/tables.ts';
import type { SiteAudit } from '../audit.ts';
import type { ChangeLog } from './change-log.ts';

/** Requests that are open at a time, and that are kept at all. */
const MOST_OPEN = 20;
const MOST_KEPT = 200;
const OPEN = ['taken', 'restarting'] as const;

type Row = typeof careRequests.$inferSelect;

/**
 * Requests of headquarters on SQLite. Invariant: a request that is known is never taken again, and one that
 * is answered keeps its answer.
 */
export class SiteCare implements CarePort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #audit: SiteAudit;
  #changes: ChangeLog;

  constructor(group: GroupCommit, orm: BetterSQLite3Database, audit: SiteAudit, changes: ChangeLog) {
    this.#group = group;
    this.#orm = orm;
    this.#audit = audit;
    this.#changes = changes;
  }

  take(asked: SiteRequest, refusal: Message | null, stamp: Stamp): Promise<Carried> {
    return this.#group.write(() => {
      if (this.#of(asked.request_id)) return 'answered';
      const refused = refusal ?? this.#tooMany();
      const row = this.#orm
        .insert(careRequests)
        .values({
          ...{ requestId: asked.request_id, asked, at: stamp.now, fileSent: false, told: refused },
          state: refused === null ? 'taken' : stateOf(refused),
        })
        .returning()
        .get();
      this.#note(row, refused === null ? 'care.asked' : 'care.refused', stamp);
      this.#forget();
      if (refused === null) return 'carried_out';
      this.#answered(row.seq, stamp);
      return 'refused';
    });
  }

  open(): OpenRequest[] {
    return this.#orm
      .select({ asked: careRequests.asked, state: careRequests.state })
      .from(careRequests)
      .where(inArray(careRequests.state, [...OPEN]))
      .orderBy(asc(careRequests.seq))
      .all() as OpenRequest[];
  }

  restarting(requestId: string): Promise<void> {
    return this.#group.write(() => {
      this.#orm
        .update(careRequests)
        .set({ state: 'restarting' })
        .where(and(eq(careRequests.requestId, requestId), eq(careRequests.state, 'taken')))
        .run();
    });
  }

  settle(requestId: string, { state, exit, text, file, told }: CareAnswer, stamp: Stamp): Promise<void> {
    return this.#group.write(() => {
      const row = this.#orm
        .update(careRequests)
        .set({ state, exit, text, file, told, at: stamp.now })
        .where(and(eq(careRequests.requestId, requestId), inArray(careRequests.state, [...OPEN])))
        .returning()
        .get();
      if (!row) return;
      this.#note(row, 'care.answered', stamp);
      this.#answered(row.seq, stamp);
    });
  }

  files(): WaitingFile[] {
    return this.#orm
      .select({ requestId: careRequests.requestId, file: careRequests.file })
      .from(careRequests)
      .where(and(eq(careRequests.fileSent, false), isNotNull(careRequests.file)))
      .orderBy(asc(careRequests.seq))
      .all()
      .map(({ requestId, file }) => ({ requestId, size: file?.size ?? 0 }));
  }

  fileSent(requestId: string): Promise<void> {
    return this.#group.write(() => {
      this.#orm
        .update(careRequests)
        .set({ fileSent: true })
        .where(eq(careRequests.requestId, requestId))
        .run();
    });
  }

  #of(requestId: string): Row | undefined {
    return this.#orm.select().from(careRequests).where(eq(careRequests.requestId, requestId)).get();
  }

  #tooMany(): Message | null {
    const found = this.#orm
      .select({ open: count() })
      .from(careRequests)
      .where(inArray(careRequests.state, [...OPEN]))
      .get();
    const open = found?.open ?? 0;
    return open < MOST_OPEN ? null : { code: 'request_too_many', params: { count: open } };
  }

  #answered(seq: number, stamp: Stamp): void {
    this.#changes.changed({ kind: 'request', id: seq, eventId: 0, eventKey: null }, stamp.now);
  }

  /** The oldest that are answered, beyond so many. */
  #forget(): void {
    const first = this.#orm
      .select({ seq: careRequests.seq })
      .from(careRequests)
      .orderBy(desc(careRequests.seq))
      .limit(1)
      .offset(MOST_KEPT)
      .get();
    if (!first) return;
    this.#orm
      .delete(careRequests)
      .where(and(lte(careRequests.seq, first.seq), notInArray(careRequests.state, [...OPEN])))
      .run();
  }

  #note({ requestId, asked, state, told }: Row, action: string, stamp: Stamp): void {
    const { what, device, asked_by: by, tenant_code: tenantCode } = asked;
    this.#audit.insert({
      id: stamp.newId(),
      at: stamp.now,
      actor: ACTOR,
      action,
      subject: `request:${requestId}`,
      tenantCode,
      before: null,
      after: { what, device, by, state, ...(told === null ? {} : { reason: told.code }) },
    });
  }
}

const stateOf = ({ code }: Message): 'expired' | 'refused' =>
  code === 'request_expired' ? 'expired' : 'refused';
