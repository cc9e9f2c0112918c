// Which chunks have a term. Nearly all terms are pairs of characters, far too many for a row each: those that begin with
// the same character share one. Chunk numbers are told in parts, so that a row stays small enough to be written again.
import type Sqlite from 'better-sqlite3';
import { statement } from './layout.ts';

const PART_BITS = 14;
const PART = 2 ** PART_BITS;
/** Occurrences that are gathered before they are written; a part of long clauses has more. */
const GATHERED = 4_000_000;
/** Small, since a part may hold chunks of thousands of tenants. */
const FIRST_ROOM = 256;

/**
 * A term of one or two UTF-16 units as a number, the first unit in the high half; the second is 0 where there is none.
 * Null for any other, and for half a character, which is no text that the file could hold.
 */
function pairOf(term: string): number | null {
  if (term.length > 2 || !term.isWellFormed()) return null;
  const first = term.charCodeAt(0);
  if (first >= 0xd800 && first < 0xdc00) return null;
  return first * 65_536 + (term.length === 2 ? term.charCodeAt(1) : 0);
}

/** What one tenant's chunks of one part have. */
class Gathered {
  /** Pair and place in the part in one number, so that sorting them is all the order there is to make. */
  #pairs = new Float64Array(FIRST_ROOM);
  #count = 0;
  readonly words = new Map<string, number[]>();

  addPair(pair: number, place: number): void {
    if (this.#count === this.#pairs.length) {
      const larger = new Float64Array(this.#count * 2);
      larger.set(this.#pairs);
      this.#pairs = larger;
    }
    this.#pairs[this.#count] = pair * PART + place;
    this.#count += 1;
  }

  addWord(word: string, place: number): void {
    const places = this.words.get(word);
    if (places) places.push(place);
    else this.words.set(word, [place]);
  }

  sortedPairs(): Float64Array {
    return this.#pairs.subarray(0, this.#count).sort();
  }
}

/** Gathers what chunks have and writes it; at most one part at a time. */
export class PostingWriter {
  #db: Sqlite.Database;
  #tenants = new Map<number, Gathered>();
  #part = 0;
  #count = 0;

  constructor(db: Sqlite.Database) {
    this.#db = db;
  }

  /** @param no higher than any before it */
  add(tenant: number, no: number, terms: Iterable<string>): void {
    const part = no >>> PART_BITS;
    if (part !== this.#part || this.#count > GATHERED) this.flush();
    this.#part = part;
    let gathered = this.#tenants.get(tenant);
    if (!gathered) this.#tenants.set(tenant, (gathered = new Gathered()));
    const place = no % PART;
    for (const term of terms) {
      const pair = pairOf(term);
      if (pair === null) gathered.addWord(term, place);
      else gathered.addPair(pair, place);
      this.#count += 1;
    }
  }

  flush(): void {
    const append = (table: string, key: string): Sqlite.Statement => statement(this.#db, `insert into ${table} (tenant, ${key}, part, nos) values (?, ?, ?, ?)
      on conflict do update set nos = cast(nos || excluded.nos as blob)`);
    const [word, pair] = [append('postings', 'term'), append('pairs', 'lead')];
    for (const [tenant, gathered] of this.#tenants) {
      for (const term of [...gathered.words.keys()].sort()) word.run(tenant, term, this.#part, bytesOf(gathered.words.get(term) ?? []));
      for (const [lead, segment] of segmentsOf(gathered.sortedPairs())) pair.run(tenant, lead, this.#part, bytesOf(segment));
    }
    this.#tenants = new Map();
    this.#count = 0;
  }
}

const bytesOf = (numbers: readonly number[]): Buffer => Buffer.from(Uint16Array.from(numbers).buffer);

/** By first character a segment: how many pairs, each one's second character and how many places it has, then the places. */
function* segmentsOf(sorted: Float64Array): Iterable<[number, number[]]> {
  for (let at = 0; at < sorted.length;) {
    const lead = Math.floor((sorted[at] as number) / (PART * 65_536));
    const end = (lead + 1) * 65_536 * PART;
    const [directory, places]: [number[], number[]] = [[0], []];
    let last = -1;
    for (; at < sorted.length && (sorted[at] as number) < end; at += 1) {
      const value = sorted[at] as number;
      const second = Math.floor(value / PART) % 65_536;
      if (second !== last) directory.push(second, 0);
      last = second;
      directory[directory.length - 1] = (directory.at(-1) as number) + 1;
      places.push(value % PART);
    }
    directory[0] = (directory.length - 1) / 2;
    yield [lead, directory.concat(places)];
  }
}

/** Tells `each` the numbers of chunks that have a term, gone ones among them; those of a prefix more than once. */
export function eachWith(db: Sqlite.Database, tenant: number, { term, prefix }: { term: string; prefix: boolean }, each: (no: number) => void): void {
  const pair = pairOf(term);
  if (pair !== null) {
    const [lead, second] = [Math.floor(pair / 65_536), pair % 65_536];
    const rows = statement(db, 'select part, nos from pairs where tenant = ? and lead = ?').raw().all(tenant, lead) as [number, Buffer][];
    for (const [part, segments] of rows) eachOfSegments(numbersOf(segments), prefix ? null : second, (place) => each(part * PART + place));
    if (!prefix) return;
  }
  const rows = prefix
    ? statement(db, 'select part, nos from postings where tenant = ? and term >= ? and term < ?').raw().all(tenant, term, `${term}\u{10ffff}`)
    : statement(db, 'select part, nos from postings where tenant = ? and term = ?').raw().all(tenant, term);
  for (const [part, places] of rows as [number, Buffer][]) for (const place of numbersOf(places)) each(part * PART + place);
}

/** @param wanted second character; null for all */
function eachOfSegments(numbers: Uint16Array, wanted: number | null, each: (place: number) => void): void {
  for (let at = 0; at < numbers.length;) {
    const directoryEnd = at + 1 + 2 * (numbers[at] as number);
    let to = directoryEnd;
    for (let entry = at + 1; entry < directoryEnd; entry += 2) {
      const from = to;
      to += numbers[entry + 1] as number;
      if (wanted === null || numbers[entry] === wanted) for (let place = from; place < to; place += 1) each(numbers[place] as number);
    }
    at = to;
  }
}

function numbersOf(bytes: Buffer): Uint16Array {
  const aligned = bytes.byteOffset % 2 === 0;
  return new Uint16Array(aligned ? bytes.buffer : bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), aligned ? bytes.byteOffset : 0, bytes.length >>> 1);
}
