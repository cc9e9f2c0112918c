import { inArray, type SQL, sql } from 'drizzle-orm';
import { incidentMembers as members } from '../../schema/tables.ts';

/** Most ids of one statement. */
const CHUNK = 500;

// `live` is written out, not bound: a partial index serves only a condition that names its own.

/** Rows of these events in the groups that hold them now. */
export const liveOf = (ids: readonly number[]): SQL =>
  sql`(${members.live} = 1 AND ${inArray(members.eventId, [...ids])})`;
/** Rows of these events in groups that were merged into another. */
export const formerOf = (ids: readonly number[]): SQL =>
  sql`(${members.live} = 0 AND ${inArray(members.eventId, [...ids])})`;

/** The ids in pieces, each for one statement. */
export function chunks(ids: readonly number[]): number[][] {
  return Array.from({ length: Math.ceil(ids.length / CHUNK) }, (_, index) =>
    ids.slice(index * CHUNK, (index + 1) * CHUNK),
  );
}
