import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import type { Severity } from '../../../common/core/event/schema.ts';
import type { Database } from '../../store/engine/database.ts';
import { counters, events, verdicts } from '../../store/schema/tables.ts';
import type { CallWrites, DutyCall } from '../call/record.ts';
import type { Begun, CallableEvents, CallPort, TakeOutcome } from '../port.ts';
import { addEvents, cancel, forget, insertCall, taken } from './call-rows.ts';
import { dutyCallEvents, dutyCalls, dutyCursor, dutySendings } from './schema.ts';
import { HubSendings } from './sending.ts';

/** A call that nobody took for so long is looked at no more, ms. */
const LOOKED_AT_MS = 7 * 86_400_000;
const OPEN = ['calling', 'told'] as const;

export class HubCalls extends HubSendings implements CallPort {
  #database: Database;

  constructor(database: Database) {
    super(database);
    this.#database = database;
  }

  async callable(severities: readonly Severity[], limit: number): Promise<CallableEvents> {
    const head = await this.#head();
    const cursor = await this.#cursor(head);
    if (cursor >= head) return { cursor, through: head, events: [] };
    const rows = await this.#database.read((db) =>
      db
        .select({
          id: events.id,
          tenantCode: events.tenantCode,
          type: events.type,
          severity: events.severity,
          occurredAt: events.occurredAt,
          receivedAt: events.receivedAt,
          instance: events.instance,
          doc: events.doc,
        })
        .from(events)
        .where(
          and(
            gt(events.id, cursor),
            lte(events.id, head),
            inArray(events.severity, [...severities]),
            eq(events.kind, 'alert'),
            eq(events.isTest, false),
          ),
        )
        .orderBy(asc(events.id))
        .limit(limit),
    );
    const through = rows.length < limit ? head : (rows.at(-1)?.id ?? head);
    return { cursor, through, events: rows };
  }

  async #head(): Promise<number> {
    const rows = await this.#database.read((db) =>
      db.select({ value: counters.value }).from(counters).where(eq(counters.name, 'event')),
    );
    return rows[0]?.value ?? 0;
  }

  /** What was there before the first look calls nobody, nor does what a restored database lacks. */
  async #cursor(head: number): Promise<number> {
    const [row] = await this.#database.read((db) =>
      db
        .insert(dutyCursor)
        .values({ only: true, eventId: head })
        .onConflictDoUpdate({
          target: dutyCursor.only,
          set: { eventId: sql`least(${dutyCursor.eventId}, ${head})` },
        })
        .returning(),
    );
    return row?.eventId ?? head;
  }

  open(since: number): Promise<DutyCall[]> {
    const own = and(
      eq(dutyCalls.kind, 'event'),
      inArray(dutyCalls.state, ['calling', 'told', 'taken']),
      gt(dutyCalls.lastEventAt, since),
    );
    return this.#database.read((db) => db.select().from(dutyCalls).where(own));
  }

  begun(
    { cursor, through }: { cursor: number; through: number },
    begun: Begun,
    now: number,
  ): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const moved = await tx.db
        .update(dutyCursor)
        .set({ eventId: through })
        .where(eq(dutyCursor.eventId, cursor))
        .returning();
      if (moved.length === 0) return false;
      for (const one of begun.calls) await insertCall(tx, one);
      for (const [callId, joined] of Map.groupBy(begun.joined, (one) => one.callId)) {
        await addEvents(
          tx,
          callId,
          joined.map(({ eventId }) => eventId),
        );
        const more = { events: sql`${dutyCalls.events} + ${joined.length}`, lastEventAt: now };
        await tx.db.update(dutyCalls).set(more).where(eq(dutyCalls.id, callId));
      }
      return true;
    });
  }

  alarmsBegun(calls: readonly CallWrites[]): Promise<number> {
    return this.#database.transaction(async (tx) => {
      let fresh = 0;
      for (const one of calls) if (await insertCall(tx, one)) fresh += 1;
      return fresh;
    });
  }

  async alarmsWithout<A extends { instance: string; key: string; raisedAt: number }>(
    alarms: readonly A[],
  ): Promise<A[]> {
    if (alarms.length === 0) return [];
    const keys = [...new Set(alarms.map(({ key }) => key))];
    const known = await this.#database.read((db) =>
      db
        .select({ instance: dutyCalls.instance, key: dutyCalls.alarmKey, at: dutyCalls.at })
        .from(dutyCalls)
        .where(and(eq(dutyCalls.kind, 'alarm'), inArray(dutyCalls.alarmKey, keys))),
    );
    const names = new Set(known.map(({ instance, key, at }) => `${instance}\n${key}\n${at}`));
    return alarms.filter(({ instance, key, raisedAt }) => !names.has(`${instance}\n${key}\n${raisedAt}`));
  }

  alarmCalls(): Promise<DutyCall[]> {
    const own = and(eq(dutyCalls.kind, 'alarm'), inArray(dutyCalls.state, [...OPEN, 'unanswered']));
    return this.#database.read((db) => db.select().from(dutyCalls).where(own));
  }

  due(now: number, limit: number): Promise<DutyCall[]> {
    const own = and(eq(dutyCalls.state, 'calling'), isNotNull(dutyCalls.nextAt), lte(dutyCalls.nextAt, now));
    return this.#database.read((db) =>
      db.select().from(dutyCalls).where(own).orderBy(asc(dutyCalls.nextAt)).limit(limit),
    );
  }

  stepped(before: DutyCall, { call, sendings }: CallWrites): Promise<boolean> {
    const due = before.nextAt === null ? isNull(dutyCalls.nextAt) : eq(dutyCalls.nextAt, before.nextAt);
    const { state, round, called, nextAt } = call;
    return this.#database.transaction(async (tx) => {
      const stepped = await tx.db
        .update(dutyCalls)
        .set({ state, round, called, nextAt })
        .where(and(eq(dutyCalls.id, before.id), eq(dutyCalls.state, 'calling'), due))
        .returning({ id: dutyCalls.id });
      if (stepped.length === 0) return false;
      if (sendings.length > 0) await tx.db.insert(dutySendings).values(sendings);
      return true;
    });
  }

  over(callIds: readonly string[], all: boolean, now: number): Promise<number> {
    const recent = gt(dutyCalls.lastEventAt, now - LOOKED_AT_MS);
    const judged = and(all ? recent : eq(dutyCalls.state, 'calling'), this.#judged());
    return this.#database.transaction(async (tx) => {
      const ended = await tx.db
        .update(dutyCalls)
        .set({ state: 'judged', nextAt: null })
        .where(
          and(
            inArray(dutyCalls.state, [...OPEN, 'unanswered']),
            callIds.length > 0 ? or(judged, inArray(dutyCalls.id, [...callIds])) : judged,
          ),
        )
        .returning({ id: dutyCalls.id });
      await cancel(
        tx,
        ended.map(({ id }) => id),
        now,
      );
      return ended.length;
    });
  }

  /** Each event of the call is: those that joined it may be of other things, as in a flood. */
  #judged() {
    const verdict = sql`select 1 from ${verdicts} where ${verdicts.eventId} = ${dutyCallEvents.eventId}
      and ${verdicts.tenantCode} = ${dutyCalls.tenantCode}`;
    const own = sql`select 1 from ${dutyCallEvents} where ${dutyCallEvents.callId} = ${dutyCalls.id}`;
    return sql`exists (${own}) and not exists (${own} and not exists (${verdict}))`;
  }

  async waitingRotas(): Promise<string[]> {
    const own = and(
      or(eq(dutyCalls.state, 'unanswered'), and(eq(dutyCalls.state, 'calling'), gt(dutyCalls.round, 0))),
      isNotNull(dutyCalls.rotaId),
    );
    const rows = await this.#database.read((db) =>
      db.selectDistinct({ rotaId: dutyCalls.rotaId }).from(dutyCalls).where(own),
    );
    return rows.flatMap(({ rotaId }) => rotaId ?? []);
  }

  async get(id: string): Promise<DutyCall | null> {
    return this.#database.read(
      async (db) => (await db.select().from(dutyCalls).where(eq(dutyCalls.id, id)))[0] ?? null,
    );
  }

  async ofEvents(eventIds: readonly number[]): Promise<Map<number, DutyCall>> {
    if (eventIds.length === 0) return new Map();
    const rows = await this.#database.read((db) =>
      db
        .select({ eventId: dutyCallEvents.eventId, call: dutyCalls })
        .from(dutyCallEvents)
        .innerJoin(dutyCalls, eq(dutyCalls.id, dutyCallEvents.callId))
        .where(inArray(dutyCallEvents.eventId, [...eventIds])),
    );
    return new Map(rows.map(({ eventId, call }) => [eventId, call]));
  }

  take(callId: string, by: string, actor: string, stamp: Stamp): Promise<TakeOutcome> {
    return this.#database.transaction((tx) => taken(tx, callId, { by, actor }, stamp));
  }

  takeEvent(call: DutyCall, by: string, actor: string, stamp: Stamp): Promise<TakeOutcome> {
    return this.#database.transaction(async (tx) => {
      const { eventId } = call;
      if (eventId === null) return { kind: 'no_call' };
      const [mine] = await tx.db
        .insert(dutyCallEvents)
        .values({ eventId, callId: call.id })
        .onConflictDoNothing()
        .returning();
      if (mine) await tx.db.insert(dutyCalls).values(call);
      const [row] = await tx.db.select().from(dutyCallEvents).where(eq(dutyCallEvents.eventId, eventId));
      return row ? taken(tx, row.callId, { by, actor }, stamp) : { kind: 'no_call' };
    });
  }

  forgetEvents(eventIds: readonly number[]): Promise<number> {
    return this.#database.transaction(async (tx) => {
      await tx.db.delete(dutyCallEvents).where(inArray(dutyCallEvents.eventId, [...eventIds]));
      return forget(tx, inArray(dutyCalls.eventId, [...eventIds]));
    });
  }

  forgetAlarms(before: number, limit: number): Promise<number> {
    return this.#database.transaction(async (tx) => {
      const old = tx.db
        .select({ id: dutyCalls.id })
        .from(dutyCalls)
        .where(and(eq(dutyCalls.kind, 'alarm'), lt(dutyCalls.createdAt, before)))
        .limit(limit);
      return forget(tx, inArray(dutyCalls.id, old));
    });
  }
}
