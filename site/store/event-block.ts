/**
 * A block: the short columns of a stretch of events, position by position from its first id. The
 * block lists the groups that its events are in, each with its count; the cell of an event is the
 * place of its group in this list. So a filter looks at the groups of a block first, and at the
 * cells only when one of them matches; and the counts are the statistics of a block that lies in a
 * window as a whole.
 */
import type { DocFacts } from '../../common/core/event/record.ts';

/** Cell of a position whose event is not kept. */
export const GONE = 0xffff;
/** Every event may have a group of its own, and move a few times. */
export const MAX_POSITIONS = 16_000;
/** Time of an event without one, where times are 32 bits. */
const UNDATED = 0xffff_ffff;

/** `[siteRef, cameraRef]`. */
export type Place = [string | null, string | null];

export interface SealedBlock {
  firstId: number;
  positions: number;
  minAt: number | null;
  maxAt: number | null;
  groups: Buffer;
  cells: Buffer;
  times: { base: number; data: Buffer };
  places: { names: string; data: Buffer };
}

/** The groups of a block: their numbers, and how many of its events are in each. */
export class GroupList {
  #ids: number[] = [];
  #counts: number[] = [];
  #places: Map<number, number> | null = null;

  static decode(data: Buffer): GroupList {
    const list = new GroupList();
    const pairs = new Uint32Array(copyOf(data));
    for (let at = 0; at < pairs.length; at += 2) {
      list.#ids.push(pairs[at] ?? 0);
      list.#counts.push(pairs[at + 1] ?? 0);
    }
    return list;
  }

  encode(): Buffer {
    return bufferOf(Uint32Array.from(this.#ids.flatMap((id, index) => [id, this.#counts[index] ?? 0])));
  }

  get ids(): readonly number[] {
    return this.#ids;
  }

  get counts(): readonly number[] {
    return this.#counts;
  }

  get isEmpty(): boolean {
    return this.#counts.every((count) => count === 0);
  }

  /** Counts one more event of a group. @returns its cell */
  enter(id: number): number {
    this.#places ??= new Map(this.#ids.map((known, index) => [known, index]));
    let cell = this.#places.get(id);
    if (cell === undefined) {
      cell = this.#ids.push(id) - 1;
      this.#counts.push(0);
      this.#places.set(id, cell);
    }
    this.#counts[cell] = (this.#counts[cell] ?? 0) + 1;
    return cell;
  }

  leave(cell: number): void {
    this.#counts[cell] = (this.#counts[cell] ?? 0) - 1;
  }
}

/** Collects the events of a block. Groups are given by a number of the caller's own until it knows those of the store. */
export class BlockBuilder {
  #firstId: number;
  #list = new GroupList();
  #cells: Uint16Array;
  #times: Float64Array;
  #places: Uint16Array;
  #placeNumbers = new Map<string, number>();
  #placeNames: Place[] = [];

  constructor(firstId: number, positions: number) {
    this.#firstId = firstId;
    this.#cells = new Uint16Array(positions).fill(GONE);
    this.#times = new Float64Array(positions).fill(Number.NaN);
    this.#places = new Uint16Array(positions);
  }

  /** @param occurredAt epoch ms */
  add(id: number, group: number, occurredAt: number | null, { siteRef, cameraRef }: Pick<DocFacts, 'siteRef' | 'cameraRef'>): void {
    const at = id - this.#firstId;
    this.#cells[at] = this.#list.enter(group);
    this.#times[at] = occurredAt ?? Number.NaN;
    this.#places[at] = this.#placeOf([siteRef, cameraRef]);
  }

  /** Group of an event, by the caller's number; null when there is no such event. */
  groupOf(id: number): number | null {
    const cell = this.#cells[id - this.#firstId] ?? GONE;
    return cell === GONE ? null : (this.#list.ids[cell] ?? null);
  }

  /** Puts an event that is here into another group. */
  move(id: number, group: number): void {
    const at = id - this.#firstId;
    this.#list.leave(this.#cells[at] ?? GONE);
    this.#cells[at] = this.#list.enter(group);
  }

  /** @param numberOf the store's number of a group; asked only for those that have events */
  finish(numberOf: (group: number) => number): SealedBlock {
    const dated = this.#times.filter((time) => !Number.isNaN(time));
    const minAt = dated.length > 0 ? dated.reduce((a, b) => Math.min(a, b)) : null;
    const maxAt = dated.length > 0 ? dated.reduce((a, b) => Math.max(a, b)) : null;
    return {
      firstId: this.#firstId, positions: this.#cells.length, minAt, maxAt, ...this.#grouped(numberOf),
      times: encodeTimes(this.#times, minAt ?? 0, maxAt ?? 0), places: { names: JSON.stringify(this.#placeNames), data: bufferOf(this.#places) },
    };
  }

  /** Groups that all events have left are left out. */
  #grouped(numberOf: (group: number) => number): Pick<SealedBlock, 'groups' | 'cells'> {
    const { ids, counts } = this.#list;
    const pairs: number[] = [];
    const cellOf = ids.map((group, cell) => (counts[cell] === 0 ? GONE : pairs.push(numberOf(group), counts[cell] ?? 0) / 2 - 1));
    return { groups: bufferOf(Uint32Array.from(pairs)), cells: bufferOf(this.#cells.map((cell) => cellOf[cell] ?? GONE)) };
  }

  #placeOf(place: Place): number {
    const key = `${place[0] ?? ''}\n${place[1] ?? ''}\n${place[0] === null}${place[1] === null}`;
    const known = this.#placeNumbers.get(key);
    if (known !== undefined) return known;
    this.#placeNumbers.set(key, this.#placeNames.length);
    return this.#placeNames.push(place) - 1;
  }
}

/** Times of occurrence: as 32-bit distances from a base, or whole where the block spans more than 49 days. */
export interface Times {
  base: number;
  data: Uint32Array | Float64Array;
}

export function decodeTimes(base: number, data: Buffer, positions: number): Times {
  const bytes = copyOf(data);
  return { base, data: bytes.byteLength === positions * 4 ? new Uint32Array(bytes) : new Float64Array(bytes) };
}

/** A window in the numbers of `data`: `from <= data[at] && data[at] < to`. @param since @param until epoch ms */
export function boundsIn({ base, data }: Times, since: number, until: number): { from: number; to: number } {
  const short = data instanceof Uint32Array;
  return { from: since - base, to: short ? Math.min(until - base, UNDATED) : until - base };
}

function encodeTimes(times: Float64Array, minAt: number, maxAt: number): { base: number; data: Buffer } {
  if (maxAt - minAt >= UNDATED) return { base: 0, data: bufferOf(times) };
  return { base: minAt, data: bufferOf(Uint32Array.from(times, (time) => (Number.isNaN(time) ? UNDATED : time - minAt))) };
}

export const decodeCells = (data: Buffer): Uint16Array => new Uint16Array(copyOf(data));

// Little-endian on every platform that the program runs on (arm64, x64).
export const bufferOf = (numbers: Uint16Array | Uint32Array | Float64Array): Buffer => Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
// A copy, since a Buffer may begin anywhere and a typed array may not.
const copyOf = (data: Buffer): ArrayBuffer => data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength) as ArrayBuffer;
