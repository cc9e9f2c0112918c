import { storableText } from './http/body/json.ts';
import { fault } from './http/error.ts';
import { textIn } from './json-size.ts';

const foreign = (): Error => fault('cursor', 'cursor_unknown');

type Part = string | number;

function encode(list: string, position: readonly Part[]): string {
  return Buffer.from(JSON.stringify([1, list, ...position])).toString('base64url');
}

function decode(list: string, text: string): Part[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw foreign();
  }
  if (!Array.isArray(parsed) || parsed[0] !== 1 || parsed[1] !== list) throw foreign();
  const position: unknown[] = parsed.slice(2);
  if (!position.every((part) => (typeof part === 'string' ? storableText(part) : Number.isSafeInteger(part))))
    throw foreign();
  if (encode(list, position as Part[]) !== text) throw foreign();
  return position as Part[];
}

export interface Page<T> {
  items: T[];
  nextCursor: string | null;
  hasMore: boolean;
}

type Form = readonly ('number' | 'string')[];
/** Where a row stands in its list: the columns that the list is ordered by. */
type Position<F extends Form> = { -readonly [K in keyof F]: F[K] extends 'number' ? number : string };

/**
 * A list that is read page by page. Its cursors are opaque, versioned and bound to the list, so that a cursor
 * of one list is refused by another.
 */
export interface PagedList<F extends Form> {
  /** What a cursor stands for; null without one. @throws AppError 400 for another list's cursor */
  positionOf(cursor: string | undefined): Position<F> | null;
  /** @param rows one more than `limit`, where there are more */
  page<T>(rows: readonly T[], limit: number, at: (row: T) => Position<F>): Page<T>;
}

/** @param name of the list, which its cursors bear @param form of a position in it */
export function pagedList<const F extends Form>(name: string, form: F): PagedList<F> {
  return {
    positionOf(cursor) {
      if (cursor === undefined) return null;
      const position = decode(name, cursor);
      if (position.length !== form.length || form.some((type, at) => typeof position[at] !== type))
        throw foreign();
      return position as Position<F>;
    },
    page(rows, limit, at) {
      const items = rows.slice(0, Math.min(limit, fitting(rows)));
      const last = rows.length > items.length ? items.at(-1) : undefined;
      return {
        items,
        nextCursor: last === undefined ? null : encode(name, at(last)),
        hasMore: last !== undefined,
      };
    },
  };
}

/** Text of one page at most, characters; a page of unusually large rows ends early. */
const MAX_TEXT = 4 * 1024 * 1024;

/** How many of the rows make one page; always at least one. */
function fitting(rows: readonly unknown[]): number {
  let text = 0;
  for (const [index, row] of rows.entries()) {
    text += textIn(row);
    if (text > MAX_TEXT && index > 0) return index;
  }
  return rows.length;
}

/** A page with its items as they are shown. */
export const viewPage = <T, V>(page: Page<T>, view: (item: T) => V): Page<V> => ({
  ...page,
  items: page.items.map(view),
});
