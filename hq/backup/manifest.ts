import * as z from 'zod/mini';

const count = z.int().check(z.minimum(0));
const name = z.string().check(z.regex(/^[a-z_][a-z0-9_]*$/));

/** What a backup says of itself; the first file in it. */
export const manifestForm = z.object({
  program: z.literal('fieldline-hq'),
  format: z.literal(1),
  version: z.string(),
  instance: z.string(),
  /** RFC 3339. */
  at: z.string(),
  /** As they had been carried out in the database. */
  migrations: z.array(z.object({ version: count, name: z.string() })),
  /**
   * A table stands behind those that it refers to. `sha256` is that of its rows as COPY writes them, where
   * they are a file of their own and not in the dump.
   */
  tables: z.array(z.object({ name, columns: z.array(name), rows: count, sha256: z.optional(z.string()) })),
  /** All tables in the format of `pg_dump`, made by it in this version. */
  dump: z.optional(z.object({ sha256: z.string(), tool: z.string() })),
  /**
   * How divided tables were divided; null: without a beginning, without an end; `rest`: what lies in no
   * other. Each part is in `tables`.
   */
  partitions: z.optional(
    z.array(
      z.object({
        table: name,
        name,
        from: z.nullable(z.int()),
        to: z.nullable(z.int()),
        rest: z.optional(z.literal(true)),
      }),
    ),
  ),
  sequences: z.array(z.object({ name, last: count, called: z.boolean() })),
  /** Tells master keys apart, and nothing of the key itself. */
  masterKey: z.string(),
  /** Files of the secrets folder in the backup, with their sha256. */
  secrets: z.array(z.object({ name: z.enum(['master-key', 'admin-key']), sha256: z.string() })),
});
export type Manifest = z.infer<typeof manifestForm>;
export type TableCopy = Manifest['tables'][number];

export const MANIFEST = 'manifest.json';
export const DUMP = 'database.dump';
export const rowsOf = (table: string): string => `tables/${table}`;
export const secretOf = (file: string): string => `secrets/${file}`;

/** Rows of a table. A divided one has none itself: they lie in its parts. */
export function rowsIn(
  { tables, partitions = [] }: Pick<Manifest, 'tables' | 'partitions'>,
  table: string,
): number {
  const names = new Set([table, ...partitions.filter((one) => one.table === table).map(({ name }) => name)]);
  return tables.reduce((sum, { name, rows }) => (names.has(name) ? sum + rows : sum), 0);
}
