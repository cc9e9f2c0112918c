// The numbers of the groups and places that events fall into.
import type { Tx } from '../engine/database.ts';

interface NumberedTable {
  name: string;
  columns: readonly string[];
  types: readonly string[];
}
export const GROUPS: NumberedTable = {
  name: 'event_groups',
  columns: [
    'tenant_code',
    'type',
    'kind',
    'source',
    'verdict',
    'corrected_to',
    'is_test',
    'judged',
    'judged_type',
    'severity',
    'instance',
  ],
  types: ['text', 'text', 'text', 'text', 'text', 'text', 'boolean', 'boolean', 'text', 'text', 'text'],
};
export const PLACES: NumberedTable = {
  name: 'event_places',
  columns: ['tenant_code', 'site_ref', 'camera_ref', 'instance'],
  types: ['text', 'text', 'text', 'text'],
};

/** The numbers of keys, which are JSON texts. Keys without a number get one. */
export async function numbersOf(
  tx: Tx,
  table: NumberedTable,
  texts: readonly string[],
): Promise<Map<string, number>> {
  if (texts.length === 0) return new Map();
  const keys = texts.map((text) => JSON.parse(text) as unknown[]);
  const names = table.columns.join(', ');
  const arrays = table.types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const { rows } = await tx.client.query<unknown[]>({
    text: `insert into ${table.name} (${names}) select * from unnest(${arrays})
      on conflict (${names}) do update set tenant_code = excluded.tenant_code returning id, ${names}`,
    values: table.columns.map((_, index) => keys.map((key) => key[index])),
    rowMode: 'array',
  });
  return new Map(rows.map(([id, ...key]) => [JSON.stringify(key), id as number]));
}

export const numberIn =
  (...maps: ReadonlyMap<string, number>[]) =>
  (text: string): number => {
    const found = maps.map((map) => map.get(text)).find((id) => id !== undefined);
    if (found === undefined) throw new Error(`the event index gave no number for ${text}`);
    return found;
  };
