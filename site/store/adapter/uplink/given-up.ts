// Events that headquarters refused and a person here gave up, so that it will never have them: with them goes
// what is said of them alone.
import { and, eq, inArray, notInArray, or, type SQL } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { IncidentMember } from '../../../../common/core/incident/record.ts';
import type { ParkedItem, ParkedRecord } from '../../../uplink/port.ts';
import { incidentMembers, uplinkParked, verdictChanges, workChanges } from '../../schema/tables.ts';

const { channel, originId, state } = uplinkParked;
const { incidentId, eventId } = incidentMembers;

/** Reads within the open transaction; nothing is kept between calls. */
export class GivenUpEvents {
  #orm: BetterSQLite3Database;

  constructor(orm: BetterSQLite3Database) {
    this.#orm = orm;
  }

  /** What is parked of an event: its verdicts, tasks and messages to its camera, and groups that it is in. */
  parkedOf(event: number): ParkedRecord[] {
    const verdicts = this.#orm
      .select({ id: verdictChanges.changeNo })
      .from(verdictChanges)
      .where(eq(verdictChanges.eventId, event));
    const groups = this.#orm.select({ id: incidentId }).from(incidentMembers).where(eq(eventId, event));
    const work = this.#orm
      .select({ id: workChanges.changeNo })
      .from(workChanges)
      .where(
        or(
          and(inArray(workChanges.kind, ['task', 'feedback']), eq(workChanges.eventId, event)),
          and(eq(workChanges.kind, 'group'), inArray(workChanges.subjectId, groups)),
        ),
      );
    return this.#orm
      .select()
      .from(uplinkParked)
      .where(
        and(
          eq(state, 'parked'),
          or(
            and(eq(channel, 'verdicts'), inArray(originId, verdicts)),
            and(eq(channel, 'work'), inArray(originId, work)),
          ),
        ),
      )
      .all();
  }

  /** Whether an item is of such events alone; a group that has other members is not. */
  covers({ channel: name, originId: id }: Pick<ParkedItem, 'channel' | 'originId'>): boolean {
    if (name === 'verdicts') {
      const row = this.#orm.select().from(verdictChanges).where(eq(verdictChanges.changeNo, id)).get();
      return row !== undefined && this.#has(row.eventId);
    }
    if (name !== 'work') return false;
    const row = this.#orm.select().from(workChanges).where(eq(workChanges.changeNo, id)).get();
    if (row?.kind === 'task' || row?.kind === 'feedback') return this.#has(row.eventId);
    return row?.kind === 'group' && this.leftOf(row.subjectId)?.length === 0;
  }

  /** The members of a group that headquarters may have, by id; null: all of them. */
  leftOf(group: number): IncidentMember[] | null {
    const ofGroup = eq(incidentId, group);
    const without = this.#orm
      .select({ id: eventId })
      .from(incidentMembers)
      .where(and(ofGroup, inArray(eventId, this.#events())))
      .limit(1)
      .get();
    if (without === undefined) return null;
    return this.#orm
      .select()
      .from(incidentMembers)
      .where(and(ofGroup, notInArray(eventId, this.#events())))
      .orderBy(eventId)
      .all();
  }

  #has(event: number): boolean {
    return this.#orm.select().from(uplinkParked).where(isGivenUp(event)).get() !== undefined;
  }

  #events() {
    return this.#orm.select({ id: originId }).from(uplinkParked).where(isGivenUp());
  }
}

const isGivenUp = (event?: number): SQL | undefined =>
  and(eq(channel, 'events'), eq(state, 'discarded'), event === undefined ? undefined : eq(originId, event));
