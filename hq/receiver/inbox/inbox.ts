import type { Clock } from '../../../common/clock.ts';
import type { Logger } from '../../../common/log.ts';
import {
  INBOX_TARGET_BYTES,
  type InboxItem,
  MAX_INBOX_ITEMS,
  type WaitingCounts,
} from '../../../common/uplink/inbox.ts';
import type { QuietSite, QuietSites } from '../contact/quiet.ts';
import type { InboxEntry, InboxPort, InboxReader } from './port.ts';

/** A number of waiting items is counted anew after this, ms. */
const COUNTED_MS = 2_000;

/** The site that is answered, as its call names it. */
export interface Caller {
  instance: string;
  features?: string[] | undefined;
  after: number;
  /** Epoch of headquarters that gave `after`. */
  hub_epoch: string;
}

export interface Page {
  items: InboxItem[];
  /** Where the site stands once it has stored them. */
  through: number;
  /** Those that stand after them. */
  waiting: WaitingCounts;
}

export interface InboxOptions {
  inbox: InboxPort;
  readers: readonly InboxReader[];
  quiet: QuietSites;
  /** Epoch of this store. */
  epoch: () => string;
  clock: Pick<Clock, 'monotonic'>;
  log: Logger;
}

/** Reads what waits for a site, or knows that nothing does. */
export class Inbox {
  readonly #options: InboxOptions;
  #readers: ReadonlyMap<string, InboxReader>;
  #counted = new Map<string, { at: number; waiting: WaitingCounts }>();

  constructor(options: InboxOptions) {
    this.#options = options;
    this.#readers = new Map(options.readers.map((reader) => [reader.kind, reader]));
  }

  /** @param site its record, taken before anything was read for the call */
  async after(caller: Caller, site: QuietSite): Promise<Page> {
    const { instance, features = [] } = caller;
    const after = caller.hub_epoch === this.#options.epoch() ? caller.after : 0;
    if (this.#options.quiet.isQuiet(site, instance, after))
      return { items: [], through: after, waiting: site.waiting };
    const kinds = features.filter((kind) => this.#readers.has(kind));
    const { items, through, more } = await this.#page(instance, kinds, after);
    const waiting = more
      ? await this.#many(instance, through)
      : await this.#options.inbox.waiting(instance, through);
    if (items.length === 0) Object.assign(site, { quietAfter: through, waiting });
    return { items, through, waiting };
  }

  /** The next items; past those for which there is nothing left to carry out. */
  async #page(
    instance: string,
    kinds: readonly string[],
    after: number,
  ): Promise<Omit<Page, 'waiting'> & { more: boolean }> {
    for (let at = after; ;) {
      const { from, entries } = await this.#options.inbox.page(instance, {
        after: at,
        kinds,
        limit: MAX_INBOX_ITEMS,
      });
      const { items, through } = await this.#read(instance, from, entries);
      const more = entries.length === MAX_INBOX_ITEMS || through !== (entries.at(-1)?.no ?? from);
      if (items.length > 0 || entries.length === 0) return { items, through, more };
      at = through;
    }
  }

  /** As many as one answer carries; an entry that stands for nothing any more is passed over. */
  async #read(
    instance: string,
    from: number,
    entries: readonly InboxEntry[],
  ): Promise<{ items: InboxItem[]; through: number }> {
    const bodies = await this.#bodies(instance, entries);
    const items: InboxItem[] = [];
    let bytes = 0;
    let through = from;
    for (const entry of entries) {
      const body = bodies.get(keyOf(entry));
      if (body !== undefined) {
        bytes += Buffer.byteLength(JSON.stringify(body));
        if (bytes > INBOX_TARGET_BYTES && items.length > 0) break;
        items.push({ no: entry.no, kind: entry.kind, id: entry.id, body });
      }
      through = entry.no;
    }
    return { items, through };
  }

  async #bodies(instance: string, entries: readonly InboxEntry[]): Promise<Map<string, unknown>> {
    const bodies = new Map<string, unknown>();
    for (const [kind, reader] of this.#readers) {
      const ofKind = entries.filter((entry) => entry.kind === kind);
      if (ofKind.length === 0) continue;
      const read = await this.#readKind(reader, instance, ofKind);
      for (const [id, body] of read) bodies.set(`${kind} ${id}`, body);
    }
    return bodies;
  }

  /** One that cannot be read holds back none of the others, and comes again behind them. */
  async #readKind(
    reader: InboxReader,
    instance: string,
    entries: readonly InboxEntry[],
  ): Promise<ReadonlyMap<string, unknown>> {
    try {
      const read = await reader.read(entries);
      await this.#options.inbox.remove(entries.filter(({ id }) => !read.has(id)));
      return read;
    } catch (error) {
      const [only] = entries;
      if (only && entries.length === 1) {
        const { kind, id } = only;
        this.#options.log.error({ err: error, instance, kind, id }, 'what waits for a site cannot be read');
        await this.#options.inbox.again([only]);
        return new Map();
      }
    }
    const found = new Map<string, unknown>();
    for (const entry of entries)
      for (const [id, body] of await this.#readKind(reader, instance, [entry])) found.set(id, body);
    return found;
  }

  /** True within two seconds: a site that takes down thousands asks many times in one. */
  async #many(instance: string, after: number): Promise<WaitingCounts> {
    const now = this.#options.clock.monotonic();
    const counted = this.#counted.get(instance);
    if (counted && now - counted.at < COUNTED_MS) return counted.waiting;
    const waiting = await this.#options.inbox.waiting(instance, after);
    this.#counted.set(instance, { at: now, waiting });
    return waiting;
  }
}

const keyOf = ({ kind, id }: InboxEntry): string => `${kind} ${id}`;
