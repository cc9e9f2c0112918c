// Replaces values at which every reader of their rows would fail: texts that must be JSON and are not.
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as schema from '../store/schema/tables.ts';
import type { Value } from './page.ts';

/**
 * Stands for the members of an event whose text is damaged: its type, camera and times are columns of their
 * own and stay.
 */
const DAMAGED_DOC = JSON.stringify({
  title: 'The text of this event was damaged on the disk / 此事件的内容已损坏',
});

/** Columns that hold JSON, and whether they may be empty, by table. */
const jsonColumns = new Map(
  Object.values(schema)
    .filter((one) => one instanceof SQLiteTable)
    .map((table) => {
      const { name, columns } = getTableConfig(table);
      return [
        name,
        columns
          .filter(({ columnType }) => columnType === 'SQLiteTextJson')
          .map((column) => ({ name: column.name, optional: !column.notNull })),
      ];
    }),
);
jsonColumns.get('verdict_changes')?.push({ name: 'body', optional: false });

/** The row without damaged values that may be missing; null when the rest is of no use. */
export function mended(table: string, row: Map<string, Value>): Map<string, Value> | null {
  if (table === 'events' && typeof parsed(row.get('doc')) !== 'object')
    return new Map(row).set('doc', DAMAGED_DOC);
  let whole = row;
  for (const { name, optional } of jsonColumns.get(table) ?? []) {
    const value = row.get(name) ?? null;
    if (value === null || parsed(value) !== undefined) continue;
    if (!optional) return null;
    whole = new Map(whole).set(name, null);
  }
  return whole;
}

/** undefined: it is no JSON. */
function parsed(value: Value | undefined): unknown {
  try {
    return JSON.parse(String(value)) as unknown;
  } catch {
    // The text is no JSON, whatever the reason.
    return undefined;
  }
}
