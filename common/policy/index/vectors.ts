// The vector leg: exact cosine over everything that the asker may see, filtered while it is scanned.
import type Sqlite from 'better-sqlite3';
import type { Condition } from './filter.ts';
import { best } from './keywords.ts';
import { statement } from './layout.ts';
import type { Rows } from './rows.ts';

/** Most neighbours that the vector extension returns for one query. */
const MOST = 4_096;

export interface Space {
  no: number;
  dim: number;
  model: string;
}

/**
 * Cosine of two vectors, not below 0 (DESIGN.md, "Policy library"). Every score comes from here, whichever
 * leg found the chunk.
 */
function similarity(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    const [x, y] = [a[at] as number, b[at] as number];
    dot += x * y;
    aa += x * x;
    bb += y * y;
  }
  const norm = Math.sqrt(aa) * Math.sqrt(bb);
  return norm === 0 ? 0 : Math.min(1, Math.max(0, dot / norm));
}

function readVector(db: Sqlite.Database, space: Space, no: number): Float32Array | null {
  const bytes = statement(db, `select embedding from vectors_${space.dim} where rowid = ?`)
    .pluck()
    .get(BigInt(no)) as Buffer | undefined;
  return bytes ? floatsOf(bytes) : null;
}

/** The vector of length 1 with the same direction; null for one without a direction. */
export function unitOf(vector: Float32Array): Float32Array | null {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : null;
}

export function floatsOf(bytes: Buffer): Float32Array {
  const own = new Uint8Array(bytes.length);
  own.set(bytes);
  return new Float32Array(own.buffer);
}

/** The nearest chunks with their scores, nearest first; equal ones in the order of files and places. */
export function nearest(
  db: Sqlite.Database,
  rows: Rows,
  query: { vector: Float32Array; space: Space; condition: Condition },
  limit: number,
): Map<number, number> {
  const found = nearestIn(db, query.space, query, limit);
  const scores = new Map(found.map((no) => [no, scoreIn(db, query.space, rows, query.vector, no)]));
  const scoreOf = (no: number): number => scores.get(no) ?? 0;
  return new Map(best(rows, Uint32Array.from(found), scoreOf, limit).map((no) => [no, scoreOf(no)]));
}

export function scoreIn(
  db: Sqlite.Database,
  space: Space,
  rows: Rows,
  vector: Float32Array,
  no: number,
): number {
  const stored = rows.spaceOf[no] === space.no ? readVector(db, space, no) : null;
  return stored ? similarity(vector, stored) : 0;
}

/**
 * Asks for more neighbours until the first one left out is farther away than the last one that counts, since
 * equal texts have equal vectors.
 */
function nearestIn(
  db: Sqlite.Database,
  space: Space,
  query: { vector: Float32Array; condition: Condition },
  limit: number,
): number[] {
  const nearby = statement(
    db,
    `select rowid as no, distance from vectors_${space.dim} where embedding match ? and k = ? and ` +
      `space = ? and ${query.condition.sql} order by distance`,
  ).raw();
  const vector = unitOf(query.vector);
  if (!vector) return [];
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  for (let k = limit + 14; ; k = Math.min(MOST, k * 4)) {
    const rows = nearby.all(bytes, BigInt(k), BigInt(space.no), ...query.condition.values) as [
      number,
      number,
    ][];
    const last = rows.at(-1);
    if (rows.length < k || k === MOST || !last || last[1] > (rows[limit - 1]?.[1] ?? 0))
      return rows.map(([no]) => no);
  }
}
