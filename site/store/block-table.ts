import type Database from 'better-sqlite3';
import type { Judged } from '../../common/core/event/record.ts';
import { judgementOf } from '../../common/core/event/facts.ts';
import type { VerdictValue } from '../../common/core/verdict/schema.ts';
import { bufferOf, decodeCells, decodeTimes, GONE, GroupList, type Place, type SealedBlock, type Times } from './event-block.ts';
import { textOf, type BlockGroups, type GroupKey } from './block-groups.ts';

interface Head {
  firstId: number;
  positions: number;
  /** Earliest and latest time of occurrence; null where no event has one. */
  minAt: number | null;
  maxAt: number | null;
  groups: Buffer;
}

/** A block as a reader sees it; its columns are read when they are asked for. */
export interface Block extends Omit<Head, 'groups'> {
  list: GroupList;
  cells(): Uint16Array;
  times(): Times;
  /** Number of the place of each position, and the places. */
  places(): { numbers: Uint16Array; names: Place[] };
}

/** The verdict of an event, as it is now. */
export interface Judgement {
  eventId: number;
  verdict: VerdictValue;
  /** Machine judgement that came with it. */
  judged: Judged | null;
}

/**
 * The group of an event once it is judged. A verdict that brought no judgement leaves that of the event, since a site
 * never replaces a verdict.
 */
export const judgedGroup = (group: GroupKey, { verdict, judged }: Judgement): GroupKey =>
  ({ ...group, verdict, ...(judged === null ? {} : judgementOf(judged, null)) });

/** The rows of blocks. */
export class BlockTable {
  #groups: BlockGroups;
  #sql: ReturnType<typeof prepare>;

  constructor(sqlite: Database.Database, groups: BlockGroups) {
    this.#groups = groups;
    this.#sql = prepare(sqlite);
  }

  /** The last block that begins below `id`. */
  before(id: number): Block | null {
    const head = this.#sql.before.get(id);
    if (!head) return null;
    const { firstId, positions } = head;
    return {
      ...head, list: GroupList.decode(head.groups), cells: () => this.#cells(firstId),
      times: () => {
        const { base, data } = present(this.#sql.times.get(firstId), firstId);
        return decodeTimes(base, data, positions);
      },
      places: () => {
        const { names, data } = present(this.#sql.places.get(firstId), firstId);
        return { numbers: decodeCells(data), names: JSON.parse(names) as Place[] };
      },
    };
  }

  /** Events in the blocks that begin up to `id`. */
  count(id: number): number {
    let events = 0;
    for (const groups of this.#sql.lists.all(id)) for (const count of GroupList.decode(groups).counts) events += count;
    return events;
  }

  insert(block: SealedBlock): void {
    const { firstId, positions, minAt, maxAt, groups, cells, times, places } = block;
    this.#sql.insert.run(firstId, positions, minAt, maxAt, groups, cells);
    this.#sql.insertTimes.run(firstId, times.base, times.data);
    this.#sql.insertPlaces.run(firstId, places.names, places.data);
  }

  /** Moves events to the groups that their verdicts ask for; the same again changes nothing. To be called in a transaction. */
  rejudge(ascending: readonly Judgement[]): void {
    for (const [block, judgements] of this.byBlock(ascending, ({ eventId }) => eventId)) {
      const cells = block.cells();
      let changed = false;
      for (const judgement of judgements) {
        const at = judgement.eventId - block.firstId;
        const cell = cells[at] ?? GONE;
        if (cell === GONE) continue;
        const group = this.groupIn(block, cell);
        const next = judgedGroup(group, judgement);
        if (textOf(next) === textOf(group)) continue;
        block.list.leave(cell);
        cells[at] = block.list.enter(this.#groups.ensure(next));
        changed = true;
      }
      if (changed) this.#update(block, cells);
    }
  }

  /** Takes events out, and removes blocks that hold no event any more; to be called in a transaction. */
  forget(ids: readonly number[]): void {
    const ascending = [...ids].sort((a, b) => a - b);
    for (const [block, gone] of this.byBlock(ascending, (id) => id)) {
      const cells = block.cells();
      for (const id of gone) {
        const cell = cells[id - block.firstId] ?? GONE;
        if (cell !== GONE) block.list.leave(cell);
        cells[id - block.firstId] = GONE;
      }
      if (block.list.isEmpty) for (const statement of this.#sql.remove) statement.run(block.firstId);
      else this.#update(block, cells);
    }
  }

  groupIn(block: Block, cell: number): GroupKey {
    return this.#groups.get(block.list.ids[cell] ?? 0);
  }

  /** Items by the block that holds their events; those that are in no block are left out. */
  *byBlock<T>(ascending: readonly T[], idOf: (item: T) => number): Generator<[Block, T[]]> {
    for (let at = 0; at < ascending.length; ) {
      const id = idOf(ascending[at] as T);
      const block = this.before(id + 1);
      const end = block ? block.firstId + block.positions : id;
      const first = at;
      while (at < ascending.length && (at === first || idOf(ascending[at] as T) < end)) at += 1;
      if (block && id < end) yield [block, ascending.slice(first, at)];
    }
  }

  #cells(firstId: number): Uint16Array {
    return decodeCells(present(this.#sql.cells.get(firstId), firstId).cells);
  }

  #update({ firstId, list }: Block, cells: Uint16Array): void {
    this.#sql.update.run(list.encode(), bufferOf(cells), firstId);
  }
}

function present<T>(row: T | undefined, firstId: number): T {
  if (row === undefined) throw new Error(`the block of event ${firstId} lacks a column`);
  return row;
}

function prepare(sqlite: Database.Database) {
  const tables = ['event_blocks', 'event_block_times', 'event_block_places'];
  return {
    before: sqlite.prepare<[number], Head>(
      `SELECT first_id AS firstId, positions, min_at AS minAt, max_at AS maxAt, groups FROM event_blocks
       WHERE first_id < ? ORDER BY first_id DESC LIMIT 1`,
    ),
    lists: sqlite.prepare<[number], Buffer>('SELECT groups FROM event_blocks WHERE first_id <= ?').pluck(),
    cells: sqlite.prepare<[number], { cells: Buffer }>('SELECT cells FROM event_blocks WHERE first_id = ?'),
    times: sqlite.prepare<[number], { base: number; data: Buffer }>('SELECT base, data FROM event_block_times WHERE first_id = ?'),
    places: sqlite.prepare<[number], { names: string; data: Buffer }>('SELECT places AS names, data FROM event_block_places WHERE first_id = ?'),
    insert: sqlite.prepare<[number, number, number | null, number | null, Buffer, Buffer]>(
      'INSERT INTO event_blocks (first_id, positions, min_at, max_at, groups, cells) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    insertTimes: sqlite.prepare<[number, number, Buffer]>('INSERT INTO event_block_times (first_id, base, data) VALUES (?, ?, ?)'),
    insertPlaces: sqlite.prepare<[number, string, Buffer]>('INSERT INTO event_block_places (first_id, places, data) VALUES (?, ?, ?)'),
    update: sqlite.prepare<[Buffer, Buffer, number]>('UPDATE event_blocks SET groups = ?, cells = ? WHERE first_id = ?'),
    remove: tables.map((table) => sqlite.prepare<[number]>(`DELETE FROM ${table} WHERE first_id = ?`)),
  };
}
