/**
 * One page of a b-tree, and the records in it (https://www.sqlite.org/fileformat2.html, "B-tree Pages",
 * "Record Format"). Nothing of what it says is believed before it was checked: a cell that makes no sense is
 * left out, the others are read.
 */
export const PAGE_BYTES = 4096;

export type Value = number | bigint | string | Buffer | null;

export interface Row {
  /** null: of an index, or of a table without numbered rows. */
  rowid: number | null;
  values: Value[];
}

export interface Page {
  kind: 'table' | 'index';
  /** Pages below it; empty for a leaf. */
  children: number[];
  rows: Row[];
  /** Number of cells that could not be read. */
  faults: number;
}

/** Reads a page by its number; null where there is none. */
export type ReadPage = (page: number) => Buffer | null;

const INTERIOR_INDEX = 2;
const INTERIOR_TABLE = 5;
const LEAF_INDEX = 10;
const LEAF_TABLE = 13;
/** Bytes of a payload that stay in the page, at least, and at most in a table leaf and in an index. */
const MIN_LOCAL = Math.floor(((PAGE_BYTES - 12) * 32) / 255) - 23;
const MAX_LOCAL_TABLE = PAGE_BYTES - 35;
const MAX_LOCAL_INDEX = Math.floor(((PAGE_BYTES - 12) * 64) / 255) - 23;
/** No row is as large as this, bytes. */
const MAX_PAYLOAD = 64 * 1024 ** 2;
const FAULT = new Error('not a cell');

const headerAt = (number: number): number => (number === 1 ? 100 : 0);

/** Whether the head of a page is that of a b-tree. */
export function isPage(page: Buffer, number: number): boolean {
  const at = headerAt(number);
  const type = page[at] ?? 0;
  if (type !== INTERIOR_INDEX && type !== INTERIOR_TABLE && type !== LEAF_INDEX && type !== LEAF_TABLE)
    return false;
  const cells = page.readUInt16BE(at + 3);
  const content = page.readUInt16BE(at + 5);
  return at + (type > 8 ? 8 : 12) + 2 * cells <= PAGE_BYTES && content <= PAGE_BYTES;
}

/** @returns null for what is no page of a b-tree */
export function readPage(page: Buffer, number: number, read: ReadPage): Page | null {
  if (!isPage(page, number)) return null;
  const at = headerAt(number);
  const type = page[at] ?? 0;
  const interior = type === INTERIOR_INDEX || type === INTERIOR_TABLE;
  const found: Page = {
    kind: type === LEAF_TABLE || type === INTERIOR_TABLE ? 'table' : 'index',
    children: [],
    rows: [],
    faults: 0,
  };
  const first = at + (interior ? 12 : 8);
  const cells = page.readUInt16BE(at + 3);
  let used = first + 2 * cells;
  for (let cell = 0; cell < cells; cell += 1) {
    try {
      used += takeCell(found, { page, at: page.readUInt16BE(first + 2 * cell), interior, read });
    } catch (error) {
      if (error !== FAULT && !(error instanceof RangeError)) throw error;
      found.faults += 1;
    }
  }
  if (interior) found.children.push(page.readUInt32BE(at + 8));
  if (found.kind === 'table') dropUnordered(found);
  if (used + freeIn(page, at, first + 2 * cells) !== PAGE_BYTES && found.faults === 0) found.faults = 1;
  return found;
}

/**
 * Bytes of a page that no cell takes: between the pointers and the cells, in the chain of free blocks, and
 * in pieces too small for it.
 */
function freeIn(page: Buffer, at: number, afterPointers: number): number {
  let free = page.readUInt16BE(at + 5) - afterPointers + (page[at + 7] ?? 0);
  let block = page.readUInt16BE(at + 1);
  for (let before = 0; block > before && block + 4 <= PAGE_BYTES;) {
    free += page.readUInt16BE(block + 2);
    before = block;
    block = page.readUInt16BE(block);
  }
  return free;
}

interface CellAt {
  page: Buffer;
  at: number;
  interior: boolean;
  read: ReadPage;
}

/** A cell takes this many bytes at least: so large is a free block. */
const MIN_CELL = 4;

/** @returns bytes that it takes in the page */
function takeCell(found: Page, { page, at, interior, read }: CellAt): number {
  if (at < 8 || at >= PAGE_BYTES) throw FAULT;
  if (interior) found.children.push(page.readUInt32BE(at));
  if (interior && found.kind === 'table') return varint(page, at + 4)[1] - at;
  const [length, afterLength] = varint(page, interior ? at + 4 : at);
  const [rowid, start] = found.kind === 'table' ? varint(page, afterLength) : [null, afterLength];
  const { payload, end } = payloadOf(page, {
    start,
    length,
    most: found.kind === 'table' ? MAX_LOCAL_TABLE : MAX_LOCAL_INDEX,
    read,
  });
  found.rows.push({ rowid, values: recordOf(payload) });
  return Math.max(end - at, MIN_CELL);
}

/** Rows of a table stand in the order of their numbers: one that does not has a wrong number. */
function dropUnordered(found: Page): void {
  let last = -1;
  const kept = found.rows.filter(({ rowid }, index) => {
    const next = found.rows[index + 1]?.rowid ?? Number.MAX_SAFE_INTEGER;
    const fits = (rowid ?? 0) > last && ((rowid ?? 0) < next || next <= last);
    if (fits) last = rowid ?? 0;
    return fits;
  });
  found.faults += found.rows.length - kept.length;
  found.rows = kept;
}

interface PayloadAt {
  start: number;
  length: number;
  /** Bytes that stay in the page at most. */
  most: number;
  read: ReadPage;
}

/** @returns the payload, and where the cell ends in the page */
function payloadOf(page: Buffer, { start, length, most, read }: PayloadAt): { payload: Buffer; end: number } {
  if (length < 1 || length > MAX_PAYLOAD) throw FAULT;
  const spill = MIN_LOCAL + ((length - MIN_LOCAL) % (PAGE_BYTES - 4));
  const local = length <= most ? length : spill <= most ? spill : MIN_LOCAL;
  if (start + local > PAGE_BYTES) throw FAULT;
  if (local === length) return { payload: page.subarray(start, start + local), end: start + local };
  const parts = [page.subarray(start, start + local)];
  let next = page.readUInt32BE(start + local);
  for (let left = length - local; left > 0;) {
    const more = read(next);
    if (more === null) throw FAULT;
    const part = more.subarray(4, 4 + Math.min(left, PAGE_BYTES - 4));
    parts.push(Buffer.from(part));
    left -= part.length;
    next = more.readUInt32BE(0);
  }
  return { payload: Buffer.concat(parts), end: start + local + 4 };
}

function recordOf(payload: Buffer): Value[] {
  const [headerBytes, first] = varint(payload, 0);
  const types: number[] = [];
  let at = first;
  while (at < headerBytes) {
    const [type, next] = varint(payload, at);
    types.push(type);
    at = next;
  }
  if (at !== headerBytes) throw FAULT;
  const values = types.map((type) => {
    const bytes = sizeOf(type);
    if (at + bytes > payload.length) throw FAULT;
    at += bytes;
    return valueOf(payload, { type, at: at - bytes, bytes });
  });
  if (at !== payload.length) throw FAULT;
  return values;
}

function sizeOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  const bytes = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type];
  if (bytes === undefined) throw FAULT;
  return bytes;
}

function valueOf(payload: Buffer, { type, at, bytes }: { type: number; at: number; bytes: number }): Value {
  if (type === 0) return null;
  if (type === 7) return payload.readDoubleBE(at);
  if (type === 8 || type === 9) return type - 8;
  if (type >= 12)
    return type % 2 === 0
      ? Buffer.from(payload.subarray(at, at + bytes))
      : payload.toString('utf8', at, at + bytes);
  if (bytes <= 6) return payload.readIntBE(at, bytes);
  const long = payload.readBigInt64BE(at);
  return BigInt.asIntN(54, long) === long ? Number(long) : long;
}

/**
 * Numbers that no row has, negative ones and those beyond 2^53, are faults. @returns the number and where it
 * ends
 */
function varint(bytes: Buffer, at: number): [number, number] {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = bytes[at + index];
    if (byte === undefined) throw FAULT;
    value = value * 128 + (byte & 0x7f);
    if (value > Number.MAX_SAFE_INTEGER) throw FAULT;
    if (byte < 0x80) return [value, at + index + 1];
  }
  throw FAULT;
}
