import type { Clock } from '../../common/clock.ts';
import { type ChannelName, MAX_ITEMS } from '../../common/uplink/wire.ts';
import { Attempts } from './attempts.ts';
import { Ahead, type Next } from './batch/ahead.ts';
import { type Batch, cutCount, encode, type Envelope, requestText } from './batch/batch.ts';
import type { ChannelState, ParkedItem, UplinkStatePort } from './port.ts';
import type { Report } from './report.ts';
import type { Source } from './source.ts';

/**
 * After a batch that emptied the channel the next one waits this long, ms, so that a stream of single events
 * is sent in few requests.
 */
const COALESCE_MS = 100;

export interface ChannelOptions {
  source: Source;
  uplink: UplinkStatePort;
  /** Most items of one request. */
  batch: number;
  /** A call is due this long after the last answer, ms, also with nothing to send. */
  callEvery: () => number;
  /** Head of the requests, without the members that the source provides. */
  envelope: () => Omit<Envelope, 'head' | 'oldest' | 'report'>;
  /** Goes with the requests of this channel; null: none. Asked for only when a request is to be sent. */
  report: Report | null;
}

/**
 * The sending side of one channel between two rounds: what is prepared, how much is sent at once, what is
 * left out.
 */
export class Channel {
  readonly name: ChannelName;
  readonly source: Source;
  readonly attempts = new Attempts();
  /** What follows the batch that is on its way. */
  readonly ahead = new Ahead();
  readonly #options: ChannelOptions;
  /** Items read for the next batch; less than `batch` while headquarters refuses larger ones. */
  #limit: number;
  #withheld = new Map<number, ParkedItem>();
  /** Copy of the stored state, which only this process writes; the totals are those of the last reading. */
  state: ChannelState;
  /** Wall clock of the last answer since start, epoch ms; empty calls move no stored state. */
  lastAckAt: number | null = null;
  #answeredAt = -Infinity;
  /** How often a call was asked for soon, and how often of that the last answer knew. */
  #asked = 1;
  #askedOfAnswer = 0;
  #coalescesUntil = 0;
  #behind = false;
  #draining = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.source = options.source;
    this.name = options.source.name;
    this.state = options.uplink.channel(this.name);
    this.#limit = Math.min(Math.max(options.batch, 1), MAX_ITEMS);
  }

  /** Monotonic ms before which nothing is to be sent. */
  get dueAt(): number {
    return Math.max(this.attempts.nextAt, this.#coalescesUntil);
  }

  /** Monotonic ms at which a call is due although there may be nothing to send. */
  get callAt(): number {
    return this.#asked > this.#askedOfAnswer ? -Infinity : this.#answeredAt + this.#options.callEvery();
  }

  /**
   * Headquarters is to be called soon, also with nothing to send; a call that is under way is none, since it
   * was made before.
   */
  callSoon(): void {
    this.#asked += 1;
  }

  /** The store has just stored this position, so that it need not be read again. */
  moved(hubEpoch: string, cursor: number, cursorAt: number | null): void {
    this.state = { ...this.state, hubEpoch, cursor, cursorAt };
  }

  /** Reads the state again after any other write of it. */
  readState(): void {
    this.state = this.#options.uplink.channel(this.name);
  }

  /**
   * The batch after the cursor: the one that was sent ahead or kept ready when it fits, otherwise a new one.
   * @param due a call is due, even if nothing waits
   */
  async take(due: boolean): Promise<Next> {
    const { cursor } = this.state;
    const next = this.ahead.take(cursor, this.#options.envelope().epoch);
    if (next) return next;
    const batch = await this.#prepare(cursor, due);
    // The last batch was as large as it could be, and there was nothing behind it after all.
    if (!batch.more && batch.to === batch.after) this.#draining = false;
    return { batch, sent: null };
  }

  /** Prepares the batch after `cursor` and keeps it ready. */
  async makeReady(cursor: number): Promise<void> {
    this.ahead.keep(await this.#prepare(cursor, false));
  }

  /** Headquarters answered `batch`, whole or in part. */
  answered(batch: Batch, clock: Pick<Clock, 'now' | 'monotonic'>): void {
    this.attempts.succeeded();
    this.lastAckAt = clock.now();
    this.#answeredAt = clock.monotonic();
    this.#askedOfAnswer = Math.max(this.#askedOfAnswer, batch.asked);
    this.#coalescesUntil = batch.more ? 0 : this.#answeredAt + COALESCE_MS;
    for (const item of batch.withheld) this.#withheld.delete(item.originId);
    this.#limit = Math.min(this.#limit * 2, this.#options.batch, MAX_ITEMS);
    this.#draining = batch.more;
    this.ahead.settled(this.state.cursor >= batch.to);
    if (!batch.more) this.#behind = false;
  }

  /** Whether more items wait behind the last batch that headquarters answered, as far as has been looked. */
  get draining(): boolean {
    return this.#draining;
  }

  /**
   * Headquarters lost data that it had confirmed. It counts as behind until the channel has been empty once.
   */
  lost(): void {
    this.#behind = true;
  }

  /** Headquarters still lacks something that it once had. */
  get behind(): boolean {
    return this.#behind;
  }

  /**
   * Headquarters refused `batch` as a whole: the next one is half as large. An item that is refused alone is
   * left out, and is parked once headquarters has answered the same range without it. If headquarters does
   * not answer that either, the item was not the cause, and nothing is parked.
   */
  refused(batch: Batch, error: string, message: string): void {
    const [only] = batch.marks;
    if (only && batch.marks.length === 1) {
      this.#withheld.set(only.position, { channel: this.name, originId: only.position, error, message });
    }
    this.shrink(batch);
  }

  /** The next batch is half as large as this one. */
  shrink(batch: Batch): void {
    this.ahead.halt();
    this.#limit = Math.max(1, Math.floor(batch.marks.length / 2));
  }

  /** Drops what follows and the list of items left out. */
  forget(): void {
    this.ahead.halt();
    this.#withheld.clear();
  }

  async #prepare(after: number, due: boolean): Promise<Batch> {
    const { source } = this;
    const asked = this.#asked;
    const limit = this.#limit;
    const read = await source.read(after, limit);
    const { head, oldest } = await source.bounds();
    const items = read.slice(0, cutCount(read, source.targetBytes));
    const sent = items.filter((item) => !this.#withheld.has(item.position));
    const last = items.at(-1);
    const from = source.sparse ? after : Math.max(after, Math.min(oldest, items[0]?.position ?? oldest) - 1);
    // Where items between are gone, headquarters is to be told of the gap once all before it has come.
    const joined = this.state.cursor < after && from === after;
    const held = joined ? { held: this.state.cursor } : {};
    const cursor = { from, to: last?.position ?? from, ...held, at: last?.at ?? null };
    const start = this.#options.envelope();
    const report = due || cursor.to > after ? ((await this.#options.report?.next()) ?? null) : null;
    const encoded = await encode(
      requestText({ ...start, head, oldest, ...(report === null ? {} : { report }) }, cursor, sent),
    );
    return {
      channel: this.name,
      epoch: start.epoch,
      head,
      after,
      from,
      to: cursor.to,
      ...encoded,
      marks: sent.map(({ position, at }) => ({ position, at })),
      asked,
      withheld: items.flatMap((item) => this.#withheld.get(item.position) ?? []),
      more:
        items.length < read.length ||
        read.length === limit ||
        // What is read of a sparse channel is bounded by bytes too.
        (source.sparse && items.length > 0 && cursor.to < head),
    };
  }
}
