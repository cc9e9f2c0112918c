/** What a batch waits with. */
export interface QueuedBatch {
  /** Of whom it is; batches of one site keep their order. */
  site: string;
  /** Tenants of the site, as one name; they share the work alike, whatever the number of their sites. */
  group: string;
  bytes: number;
}

interface Entry<T extends QueuedBatch> {
  one: T;
  /** Work that its site is to have been given before, in bytes; see `FairQueue`. */
  start: number;
}

interface Group<T extends QueuedBatch> {
  entries: Entry<T>[];
  /** The same of the group. */
  start: number;
}

/**
 * Whose turn is next, by start-time fair queueing over bytes: first the group that was given least, then its
 * site that was given least. A site with little to send is soon through, however much waits at others, and
 * one that was away gains nothing by it. Pure.
 */
export class FairQueue<T extends QueuedBatch> {
  #groups = new Map<string, Group<T>>();
  /** What each was given up to now, as of a clock that runs with the work; only of those beyond it. */
  #given = { group: new Map<string, number>(), site: new Map<string, number>() };
  /** The clocks: the start of what was taken last. */
  #now = { group: 0, site: 0 };
  size = 0;
  bytes = 0;

  add(one: T): void {
    const group = this.#groups.get(one.group) ?? { entries: [], start: this.#startOf('group', one.group) };
    this.#groups.set(one.group, group);
    const start = this.#startOf('site', one.site);
    this.#given.site.set(one.site, start + one.bytes);
    group.entries.push({ one, start });
    this.size += 1;
    this.bytes += one.bytes;
  }

  /**
   * @param fits whether the one whose turn it is may go; nobody goes before it
   * @returns undefined: nobody waits, or it may not
   */
  take(fits: (one: T) => boolean = () => true): T | undefined {
    const [name, group] = least([...this.#groups], ([, { start }]) => start) ?? [];
    if (name === undefined || !group) return undefined;
    const entry = least(group.entries, ({ start }) => start) as Entry<T>;
    if (!fits(entry.one)) return undefined;
    group.entries.splice(group.entries.indexOf(entry), 1);
    this.#now.site = Math.max(this.#now.site, entry.start);
    this.#now.group = Math.max(this.#now.group, group.start);
    group.start += entry.one.bytes;
    this.#given.group.set(name, group.start);
    this.#removed(group, entry.one);
    return entry.one;
  }

  /** It waits no longer; nothing happens when it was taken before. */
  remove(one: T): void {
    const group = this.#groups.get(one.group);
    const index = group?.entries.findIndex((entry) => entry.one === one) ?? -1;
    if (!group || index < 0) return;
    group.entries.splice(index, 1);
    this.#removed(group, one);
  }

  #removed(group: Group<T>, one: T): void {
    if (group.entries.length === 0) this.#groups.delete(one.group);
    this.size -= 1;
    this.bytes -= one.bytes;
    if (this.size === 0) this.#forget();
  }

  #startOf(kind: 'group' | 'site', name: string): number {
    return Math.max(this.#now[kind], this.#given[kind].get(name) ?? 0);
  }

  /** With nobody waiting all begin alike again. */
  #forget(): void {
    this.#given = { group: new Map(), site: new Map() };
    this.#now = { group: 0, site: 0 };
  }
}

/** The first of those with the smallest value. */
function least<E>(all: readonly E[], value: (one: E) => number): E | undefined {
  let found: E | undefined;
  for (const one of all) if (found === undefined || value(one) < value(found)) found = one;
  return found;
}
