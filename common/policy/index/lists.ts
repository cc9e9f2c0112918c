// Which chunks have a term and how often, as `TIMES` tells it. Most terms stand once in few chunks: these are
// in a full-text index. What stands in many of the chunks that are written together, or several times in
// one, is in a list of the term, in blocks of a few bytes an entry, which are read ten times as fast. So the
// chunks of a term are those of both.
import type Sqlite from 'better-sqlite3';
import type { QueryTerm } from '../terms/terms.ts';
import { type IndexMeans, statement } from './layout.ts';
import { TIMES } from './score.ts';

/** Entries by rising numbers of chunks: the number, and in its lowest two bits the level. */
export type TermList = Uint32Array;

const LEVEL_BITS = 2;
/** A term that so many of them have is common. Chunks of one tenant. */
const COMMON = 4;
/** A block of a list ends with the entry that makes it longer. Bytes. */
const BLOCK = 4_096;
/** A block that is this long when it is written is not read again to be continued. Bytes. */
const CONTINUED = 1_024;
const FIRST_ROOM = 32;
/** What a block takes beside its entries. Bytes. */
const OVERHEAD = 200;

/** Number of the chunk. */
export const noOf = (entry: number): number => entry >>> LEVEL_BITS;
/** Position in `TIMES`. */
export const levelOf = (entry: number): number => entry & (TIMES.length - 1);

/** Whether a list has a chunk. */
export function hasEntry(list: TermList, no: number): boolean {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (noOf(list[middle] as number) < no) from = middle + 1;
    else to = middle;
  }
  return from < list.length && noOf(list[from] as number) === no;
}

function levelFor(times: number): number {
  let level = 0;
  while (times >= (TIMES[level + 1] ?? Infinity)) level += 1;
  return level;
}

/**
 * A term of a tenant as the full-text index holds it, so that no tenant's question reads what others have.
 * Terms hold no quote, no capital of ASCII and no ASCII sign but those that the tokenizer takes as part of a
 * word.
 */
const tokenOf = (tenant: number, term: string): string => `${tenant}:${term}`;

interface OpenBlock {
  first: number;
  last: number;
  bytes: Uint8Array;
  length: number;
}

interface NewChunk {
  tenant: number;
  no: number;
  terms: ReadonlyMap<string, number>;
}

/** Enters the terms of new chunks, whose numbers rise. */
export class ListWriter {
  readonly #db: Sqlite.Database;
  #chunks: NewChunk[] = [];
  /** By tenant and term. */
  readonly #open = new Map<number, Map<string, OpenBlock>>();
  #held = 0;
  readonly #means: Pick<IndexMeans, 'batch' | 'heldBytes'>;

  /** @param means `batch`: chunks whose terms are counted before they are written */
  constructor(db: Sqlite.Database, means: Pick<IndexMeans, 'batch' | 'heldBytes'>) {
    this.#db = db;
    this.#means = means;
  }

  add(chunk: NewChunk): void {
    this.#chunks.push(chunk);
    if (this.#chunks.length === this.#means.batch) this.#enter();
    if (this.#held > this.#means.heldBytes) this.flush();
  }

  /** Writes what is held open; before its transaction ends. */
  flush(): void {
    this.#enter();
    for (const [tenant, blocks] of this.#open)
      for (const [term, block] of blocks) this.#write(tenant, term, block);
    this.#open.clear();
    this.#held = 0;
  }

  #enter(): void {
    for (const chunks of Map.groupBy(this.#chunks, (one) => one.tenant).values()) {
      const having = new Map<string, number>();
      for (const { terms } of chunks)
        for (const term of terms.keys()) having.set(term, (having.get(term) ?? 0) + 1);
      for (const chunk of chunks) this.#enterOne(chunk, having);
    }
    this.#chunks = [];
  }

  #enterOne({ tenant, no, terms }: NewChunk, having: ReadonlyMap<string, number>): void {
    const tokens: string[] = [];
    for (const [term, times] of terms) {
      const level = levelFor(times);
      // One that was common just before is so still: a list is read faster, and its block is at hand.
      const listed = this.#open.get(tenant)?.has(term) === true;
      const common = listed || level > 0 || (having.get(term) ?? 0) >= COMMON;
      if (common) this.#append(tenant, term, (no << LEVEL_BITS) | level);
      else tokens.push(tokenOf(tenant, term));
    }
    statement(this.#db, 'insert into terms (rowid, words) values (?, ?)').run(no, tokens.join(' '));
  }

  #append(tenant: number, term: string, entry: number): void {
    let blocks = this.#open.get(tenant);
    if (!blocks) this.#open.set(tenant, (blocks = new Map<string, OpenBlock>()));
    let block = blocks.get(term);
    if (!block) {
      blocks.set(term, (block = this.#continued(tenant, term, noOf(entry))));
      this.#held += OVERHEAD;
    } else if (block.length >= BLOCK) {
      this.#write(tenant, term, block);
      blocks.set(term, (block = opened(noOf(entry))));
    }
    this.#held += push(block, entry - (block.last << LEVEL_BITS));
    block.last = noOf(entry);
  }

  /** The last block of a list, or a new one. */
  #continued(tenant: number, term: string, no: number): OpenBlock {
    const found = statement(
      this.#db,
      'select first, entries from lists where tenant = ? and term = ? order by first desc limit 1',
    ).get(tenant, term) as { first: number; entries: Buffer } | undefined;
    if (!found || found.entries.length >= CONTINUED) return opened(no);
    const { first, entries } = found;
    return { first, last: noOf(entriesOf([entries]).at(-1) ?? 0), bytes: entries, length: entries.length };
  }

  #write(tenant: number, term: string, { first, bytes, length }: OpenBlock): void {
    statement(
      this.#db,
      'insert into lists (tenant, term, first, entries) values (?, ?, ?, ?) ' +
        'on conflict do update set entries = excluded.entries',
    ).run(tenant, term, first, bytes.subarray(0, length));
  }
}

const opened = (first: number): OpenBlock => ({
  first,
  last: 0,
  bytes: new Uint8Array(FIRST_ROOM),
  length: 0,
});

/** Adds the difference of two entries, which is small as numbers rise: seven bits a byte. @returns bytes */
function push(block: OpenBlock, difference: number): number {
  const before = block.length;
  for (let rest = difference; ; rest = Math.floor(rest / 128)) {
    if (block.length === block.bytes.length) {
      const larger = new Uint8Array(block.length * 2);
      larger.set(block.bytes);
      block.bytes = larger;
    }
    block.bytes[block.length] = rest > 127 ? (rest & 127) | 128 : rest;
    block.length += 1;
    if (rest <= 127) return block.length - before;
  }
}

/** The entries of blocks, each of which begins anew. */
function entriesOf(blocks: readonly Buffer[]): TermList {
  const entries = new Uint32Array(blocks.reduce((sum, one) => sum + one.length, 0));
  let count = 0;
  for (const block of blocks) {
    let no = 0;
    for (let at = 0; at < block.length; count += 1) {
      let [value, scale] = [0, 1];
      for (; (block[at] as number) > 127; at += 1, scale *= 128)
        value += ((block[at] as number) & 127) * scale;
      value += (block[at] as number) * scale;
      at += 1;
      no += noOf(value);
      entries[count] = (no << LEVEL_BITS) | levelOf(value);
    }
  }
  return entries.subarray(0, count);
}

/**
 * The chunks that have a term, or one of its synonyms; of a synonym of several terms all must be there. What
 * was deleted is among them.
 */
export function listOf(db: Sqlite.Database, tenant: number, { term, anyOf = [[term]] }: QueryTerm): TermList {
  return anyOf.map((all) => all.map((one) => ofTerm(db, tenant, one)).reduce(ofBoth)).reduce(ofEither);
}

function ofTerm(db: Sqlite.Database, tenant: number, term: string): TermList {
  const blocks = statement(db, 'select entries from lists where tenant = ? and term = ? order by first')
    .pluck()
    .all(tenant, term) as Buffer[];
  // One text of all numbers is read twice as fast as a row for each.
  const find = statement(db, 'select json_group_array(rowid) from terms where terms match ?').pluck();
  const nos = JSON.parse(find.get(`"${tokenOf(tenant, term)}"`) as string) as number[];
  return ofEither(entriesOf(blocks), Uint32Array.from(nos, (no) => no << LEVEL_BITS).sort());
}

/** Chunks of either list, at the higher level. */
function ofEither(a: TermList, b: TermList): TermList {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  const into = new Uint32Array(a.length + b.length);
  let [count, at, other] = [0, 0, 0];
  while (at < a.length && other < b.length) {
    const [one, two] = [a[at] as number, b[other] as number];
    const same = noOf(one) === noOf(two);
    into[count] = same ? Math.max(one, two) : Math.min(one, two);
    count += 1;
    if (same || one < two) at += 1;
    if (same || two < one) other += 1;
  }
  into.set(a.subarray(at), count);
  into.set(b.subarray(other), count + a.length - at);
  return into.subarray(0, count + a.length - at + b.length - other);
}

/** Chunks of both lists, at the lower level. */
function ofBoth(a: TermList, b: TermList): TermList {
  const into = new Uint32Array(Math.min(a.length, b.length));
  let [count, at, other] = [0, 0, 0];
  while (at < a.length && other < b.length) {
    const [one, two] = [a[at] as number, b[other] as number];
    const same = noOf(one) === noOf(two);
    if (same) {
      into[count] = Math.min(one, two);
      count += 1;
    }
    if (same || one < two) at += 1;
    if (same || two < one) other += 1;
  }
  return into.subarray(0, count);
}
