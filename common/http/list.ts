// What all lists have in common: how many rows, which one, and the form of a page.
import * as z from 'zod/mini';
import { described } from './described.ts';

/** A row by its id in the path. */
export const idParam = z.strictObject({ id: z.coerce.number().check(z.int(), z.minimum(1)) });
/** Rows of one page. */
export const limitParam = (standard: number, max: number) =>
  z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(max)), standard);

/** One page of a list; of `Event` it is called `EventPage`. */
export const pageOf = (item: z.ZodMiniType) =>
  namedAfter(
    item,
    'Page',
    z.object({ items: z.array(item), nextCursor: z.nullable(z.string()), hasMore: z.boolean() }),
  );
/** A list that is always whole, in the form of a page; of `User` it is called `UserList`. */
export const listOf = (item: z.ZodMiniType) =>
  namedAfter(item, 'List', z.object({ items: z.array(item), nextCursor: z.null(), hasMore: z.boolean() }));

function namedAfter<S extends z.ZodMiniType>(item: z.ZodMiniType, word: string, list: S): S {
  const id = described.get(item)?.id;
  if (id !== undefined) described.add(list, { id: `${id}${word}` });
  return list;
}

/** What a list is narrowed to by the name of who keeps its rows. @param self name of this instance */
export const keptBy = (name: string | undefined, self: string): { instance?: string | null } =>
  name === undefined ? {} : { instance: name === self ? null : name };

/** Longest that a call may wait, seconds. */
const MAX_WAIT_S = 60;

/** `wait`: seconds that the answer may wait for something to say; left out, it comes at once. */
export const waitParam = z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(MAX_WAIT_S)));
