/**
 * Which rows a damaged file holds, table by table. The pages of a table are those to which its root leads;
 * what cannot be reached, since a page above it is gone or the schema does not name it, is recognised by the
 * form of its rows, and only for the tables of which something is missing. Pages in the list of free ones are
 * left out: they hold deleted rows.
 */
import Database from 'better-sqlite3';
import type { DamagedFile } from './damaged-file.ts';
import { isPage, type Page, PAGE_BYTES, readPage, type Row } from './page.ts';
import { fits, isWhole, type Shape, shapesOf } from './shape.ts';

const SCHEMA: Shape = {
  name: 'sqlite_schema',
  kind: 'table',
  rowidAt: -1,
  atLeast: 5,
  columns: ['type', 'name', 'tbl_name', 'rootpage', 'sql'].map((name) => ({
    name,
    type: name === 'rootpage' ? 'INTEGER' : 'TEXT',
    notNull: name !== 'sql',
  })),
};

/** Rows of one page, all of one table. */
export interface Found {
  shape: Shape;
  rows: Row[];
  page: number;
}

export class DamagedTables {
  /** Tables and indexes of which something could not be read. */
  readonly incomplete = new Set<string>();
  #file: DamagedFile;
  #shapes: Map<string, Shape>;
  #roots = new Map<string, number>();
  /** 1 for each page that was assigned to a table or is free, by its number. */
  #known: Uint8Array;

  /** @param model a whole store, whose tables those of the damaged one are like */
  constructor(file: DamagedFile, model: Database.Database) {
    this.#file = file;
    this.#known = new Uint8Array(file.pages + 1);
    this.#shapes = shapesOf(model);
    this.#readSchema();
    for (const name of this.#shapes.keys()) if (!this.#roots.has(name)) this.incomplete.add(name);
  }

  /** To be read to its end: the pages that nothing points to are found last. */
  *all(): Generator<Found> {
    for (const [name, root] of this.#roots) {
      const shape = this.#shapes.get(name);
      if (shape) yield* this.#below(shape, root);
    }
    if (this.incomplete.size > 0 || this.#file.patchy) yield* this.#unreached();
  }

  *#below(shape: Shape, root: number): Generator<Found> {
    const waiting = [root];
    for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
      const page = this.#take(number);
      const rows = page?.rows.filter((row) => fits(shape, row)) ?? [];
      const strange =
        page === null || page.kind !== shape.kind || (rows.length === 0 && page.rows.length > 0);
      if (strange || page.faults > 0 || rows.length < page.rows.length) this.incomplete.add(shape.name);
      if (strange) continue;
      this.#known[number] = 1;
      waiting.push(...page.children.toReversed());
      if (rows.length > 0) yield { shape, rows, page: number };
    }
  }

  /** null for a page that cannot be read or was read already: a damaged page may point anywhere. */
  #take(number: number): Page | null {
    const bytes = this.#known[number] === 0 ? this.#file.read(number) : null;
    return bytes && readPage(bytes, number, this.#file.read);
  }

  *#unreached(): Generator<Found> {
    const missing = this.#file.patchy
      ? [...this.#shapes.values()]
      : [...this.incomplete].flatMap((name) => this.#shapes.get(name) ?? []);
    this.#passFree();
    for (let number = 2; number <= this.#file.pages; number += 1) {
      const page = this.#take(number);
      if (page === null || page.rows.length === 0) continue;
      const one = mostLike(missing, page);
      if (one === null) continue;
      this.incomplete.add(one.shape.name);
      yield { ...one, page: number };
    }
  }

  /** Pages of the list of free ones, as far as it can be read (file format, "The Freelist"). */
  #passFree(): void {
    let trunk = this.#file.read(1)?.readUInt32BE(32) ?? 0;
    while (trunk > 1 && trunk <= this.#file.pages && this.#known[trunk] === 0) {
      const page = this.#file.read(trunk);
      this.#known[trunk] = 1;
      const leaves = Math.min(page?.readUInt32BE(4) ?? 0, PAGE_BYTES / 4 - 2);
      for (let leaf = 0; leaf < leaves; leaf += 1) {
        const number = page?.readUInt32BE(8 + 4 * leaf) ?? 0;
        if (number > 1 && number <= this.#file.pages) this.#known[number] = 1;
      }
      trunk = page?.readUInt32BE(0) ?? 0;
    }
  }

  #readSchema(): void {
    for (const { rows } of this.#below(SCHEMA, 1)) this.#name(rows);
    if (!this.incomplete.has(SCHEMA.name)) return;
    for (let number = 2; number <= this.#file.pages; number += 1) {
      const bytes = this.#known[number] === 0 ? this.#file.read(number) : null;
      if (!bytes || !isPage(bytes, number)) continue;
      const rows = readPage(bytes, number, this.#file.read)?.rows.filter((row) => fits(SCHEMA, row)) ?? [];
      if (rows.length === 0) continue;
      this.#known[number] = 1;
      this.#name(rows);
    }
  }

  #name(rows: readonly Row[]): void {
    for (const {
      values: [type, name, , root, sql],
    } of rows) {
      if ((type !== 'table' && type !== 'index') || typeof name !== 'string' || typeof root !== 'number')
        continue;
      this.#roots.set(name, root);
      const own = type === 'table' && typeof sql === 'string' ? shapeFrom(name, sql) : null;
      const model = this.#shapes.get(name);
      const misspelt = own?.columns.length === model?.columns.length;
      if (own && (model === undefined || !misspelt)) this.#shapes.set(name, own);
    }
  }
}

/** Tables of a few rows, recognised by the names of these: rows of other tables may have the same form. */
const KNOWN_ROWS: Readonly<Record<string, readonly string[]>> = {
  agent_states: ['agent'],
  retention: ['all'],
  disk: ['all'],
  uplink_channels: ['events', 'verdicts'],
  sqlite_sequence: ['tasks', 'incidents', 'uplink_orders'],
};
const areKnown = ({ shape, rows }: Omit<Found, 'page'>): boolean =>
  rows.every(({ values: [name] }) => KNOWN_ROWS[shape.name]?.includes(String(name)) === true);

/** The one table that most rows of a page may be of, more than half of them; null when there are several. */
function mostLike(shapes: readonly Shape[], { rows }: Page): Omit<Found, 'page'> | null {
  const like = shapes
    .map((shape) => ({ shape, rows: rows.filter((row) => fits(shape, row)) }))
    .filter((one) => one.rows.length * 2 > rows.length);
  const score = ({ shape, rows: own }: Omit<Found, 'page'>): number =>
    own.length + own.filter((row) => isWhole(shape, row)).length;
  const called = like.find(areKnown);
  if (called) return called;
  const most = Math.max(...like.map(score));
  const best = like.filter((one) => score(one) === most);
  return best.length === 1 ? (best[0] ?? null) : null;
}

/**
 * A store of an older version may have other columns than the new one; its own text tells. null: the text is
 * damaged.
 */
function shapeFrom(name: string, sql: string): Shape | null {
  if (!/^CREATE TABLE /i.test(sql)) return null;
  const db = new Database(':memory:');
  try {
    db.exec(sql);
    return shapesOf(db).get(name) ?? null;
  } catch (error) {
    if (error instanceof Database.SqliteError) return null;
    throw error;
  } finally {
    db.close();
  }
}
