import type { Entry } from '../../../common/core/event/index/entry.ts';

/** Entries that are kept; when there are more, they are made from the rows, as after a start. */
const MAX_KEPT = 8_192;

/**
 * The entries of events that have just come in, as they were when these were committed, so that their rows
 * need not be read and parsed again. Either every event after `#since` is here, or it is read from the rows.
 */
export class FreshEntries {
  #entries: Entry[] = [];
  /** Every committed event with a larger id is here. */
  #since: number;
  #last: number;
  /** Of the open transaction. */
  #added: Entry[] = [];
  #incomplete = false;

  /** @param last newest id of the store */
  constructor(last: number) {
    this.#since = last;
    this.#last = last;
  }

  /** An event of the open transaction; ids ascend. */
  add(entry: Entry): void {
    this.#added.push(entry);
  }

  /** A savepoint: the state within the open transaction that can be restored. */
  mark(): number {
    return this.#added.length;
  }

  undoTo(mark: number): void {
    this.#added.length = mark;
  }

  committed(): void {
    this.#last = this.#added.at(-1)?.id ?? this.#last;
    if (this.#incomplete || this.#entries.length + this.#added.length > MAX_KEPT) {
      this.#entries = [];
      this.#since = this.#last;
    } else for (const entry of this.#added) this.#entries.push(entry);
    this.#incomplete = false;
    this.#added.length = 0;
  }

  /** Events were removed in the open transaction. What is here may hold them. */
  forget(): void {
    this.#incomplete = true;
  }

  /** To be called when entries that were handed out were not used: they are read from their rows then. */
  distrust(): void {
    this.#entries = [];
    this.#since = this.#last;
  }

  /**
   * The first events after an id, up to another; null when some are not here. They are the caller's from now
   * on.
   */
  take(after: number, through: number, limit: number): Entry[] | null {
    if (after < this.#since) return null;
    let [from, end] = [0, 0];
    while ((this.#entries[from]?.id ?? Infinity) <= after) from += 1;
    for (end = from; end - from < limit && (this.#entries[end]?.id ?? Infinity) <= through;) end += 1;
    const entries = this.#entries.slice(from, end);
    this.#entries.splice(0, end);
    this.#since = Math.max(this.#since, entries.at(-1)?.id ?? after);
    return entries;
  }
}
