/** Names that an answer lists: enough to see which fields a sender has wrong. */
const MAX_NAMES = 50;

/** Names of members that no event has, over all events of a request. */
export class IgnoredNames {
  /** Members beyond those that are named. */
  more = 0;
  #names = new Set<string>();

  get names(): string[] {
    return [...this.#names];
  }

  note(name: string): void {
    if (this.#names.has(name)) return;
    if (this.#names.size < MAX_NAMES) this.#names.add(name);
    else this.more += 1;
  }
}
