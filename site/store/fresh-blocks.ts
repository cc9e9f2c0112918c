import type { DocFacts } from '../../common/core/event/record.ts';
import { BlockDraft, type DraftRow } from './block-draft.ts';

/** Whole blocks that wait to be written; more are made from the rows, as after a start. */
const MAX_FULL = 4;

/**
 * The blocks of the events that are just coming in, put together as these are committed, so that
 * their rows need not be read and taken apart again. They are a convenience: a block is here whole or not at all,
 * and one that is not is made from the rows.
 */
export class FreshBlocks {
  #positions: number;
  /** Last id that was committed. */
  #last: number;
  /** Id with which the next draft begins. */
  #begins: number;
  #draft: BlockDraft | null = null;
  #full: BlockDraft[] = [];
  /** Of the open transaction. */
  #added: { row: DraftRow; facts: DocFacts }[] = [];

  /** @param last newest id of the store */
  constructor(positions: number, last: number) {
    this.#positions = positions;
    this.#last = last;
    this.#begins = last + 1;
  }

  /** An event of the open transaction; ids ascend. */
  add(row: DraftRow, facts: DocFacts): void {
    this.#added.push({ row, facts });
  }

  /** A place in the open transaction to go back to. */
  mark(): number {
    return this.#added.length;
  }

  undoTo(mark: number): void {
    this.#added.length = mark;
  }

  committed(): void {
    for (const { row, facts } of this.#added) this.#take(row, facts);
    this.#added.length = 0;
  }

  /** The written blocks end here: the next begins with `first`, and another one `positions` ids later, and so on. */
  follow(first: number): void {
    const begins = this.#draft?.firstId ?? this.#begins;
    const toCome = this.#draft !== null || begins > this.#last;
    if (toCome && begins >= first && (begins - first) % this.#positions === 0) return;
    this.#draft = null;
    this.#full = [];
    const behind = Math.max(0, this.#last + 1 - first);
    this.#begins = first + Math.ceil(behind / this.#positions) * this.#positions;
  }

  /** Events were removed. What is here may hold them. */
  clear(): void {
    this.#draft = null;
    this.#full = [];
  }

  /** The whole block of these ids, which is the caller's from now on; null when it is to be made from the rows. */
  take(first: number, last: number): BlockDraft | null {
    while ((this.#full[0]?.firstId ?? Infinity) < first) this.#full.shift();
    const draft = this.#full[0];
    if (draft?.firstId !== first || draft.lastId !== last) return null;
    this.#full.shift();
    return draft;
  }

  #take(row: DraftRow, facts: DocFacts): void {
    const [id] = row;
    this.#last = id;
    if (this.#draft === null) {
      if (id !== this.#begins) return;
      this.#draft = new BlockDraft(id, this.#positions);
      this.#begins += this.#positions;
    }
    const draft = this.#draft;
    // Ids were left out: where the blocks begin is told by the next `follow`.
    if (id !== draft.next) {
      this.#draft = null;
      return;
    }
    draft.add(row, facts);
    if (id < draft.lastId) return;
    this.#draft = null;
    if (this.#full.push(draft) > MAX_FULL) this.#full = [];
  }
}
