// Events that headquarters refused and a person here gave up, so that it will never have them: with them goes
// what is said of them alone.
import { and, eq, inArray, ne, notInArray, or, type SQL } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { IncidentMember } from '../../../../common/core/incident/record.ts';
import type { ParkedItem, ParkedRecord } from '../../../uplink/port.ts';
import { changes, incidentMembers, uplinkParked } from '../../schema/tables.ts';

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
    const groups = this.#orm.select({ id: incidentId }).from(incidentMembers).where(eq(eventId, event));
    const said = this.#orm
      .select({ no: changes.no })
      .from(changes)
      .where(
        or(
          and(ne(changes.kind, 'group'), eq(changes.eventId, event)),
          and(eq(changes.kind, 'group'), inArray(changes.subjectId, groups)),
        ),
      );
    return this.#orm
      .select()
      .from(uplinkParked)
      .where(and(eq(state, 'parked'), eq(channel, 'verdicts'), inArray(originId, said)))
      .all();
  }

  /** Whether an item is of such events alone; a group that has other members is not. */
  covers({ channel: name, originId: id }: Pick<ParkedItem, 'channel' | 'originId'>): boolean {
    if (name !== 'verdicts') return false;
    const row = this.#orm.select().from(changes).where(eq(changes.no, id)).get();
    if (row === undefined) return false;
    return row.kind === 'group' ? this.leftOf(row.subjectId)?.length === 0 : this.#has(row.eventId);
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
