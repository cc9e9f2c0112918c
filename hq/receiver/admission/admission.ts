import { AppError } from '../../../common/http/error.ts';
import { counter, type Metric } from '../../../common/metrics.ts';
import type { ChannelName } from '../../../common/uplink/wire.ts';
import { FairQueue, type QueuedBatch } from './queue.ts';

const MIB = 1024 * 1024;

export interface AdmissionLimits {
  /** Batches that are parsed and stored at a time, whatever their size. */
  atOnce: number;
  /**
   * As many of events, which are stored together and take one connection to the database, as long as they
   * have no more bytes, as they came, than `togetherBytes`.
   */
  together: number;
  togetherBytes: number;
  /** Bytes that wait, as they came. */
  waitingBytes: number;
  /** Further bytes that only batches of at most `small` bytes may take: whoever has little gets in. */
  reserveBytes: number;
  small: number;
  /** Of the bytes that wait, those up to which the second batch of a site is let in. */
  secondBytes: number;
  /** Longest wait, ms: a site gives up an answer after a minute. */
  waitMs: number;
}

export const UPLINK_LIMITS: AdmissionLimits = {
  atOnce: 3,
  together: 64,
  togetherBytes: MIB / 4,
  waitingBytes: 24 * MIB,
  reserveBytes: 8 * MIB,
  small: 16 * 1024,
  secondBytes: 4 * MIB,
  waitMs: 20_000,
};

/** The channel whose batches are stored together. */
const TOGETHER: ChannelName = 'events';
/** How much of the measured pace the last batch makes. */
const SMOOTHING = 0.05;
/** What a refused site is asked to wait lies between these shares of what the queue takes to empty. */
const JITTER = { from: 0.75, to: 1.5 };
const LONGEST_ASKED_S = 120;

interface Batch {
  bytes: number;
  channel: string;
}

interface Turn extends QueuedBatch, Batch {
  begin: () => void;
}

/**
 * Lets batches of sites in, a few at a time; the others wait as they came, unparsed, and what does not fit is
 * refused before any work is done on it. Invariant: what has begun is ended by the function that `enter`
 * returned, once.
 */
export class Admission {
  /** Batches that were refused for want of room. */
  refused = 0;
  #limits: AdmissionLimits;
  #groupOf: (site: string) => string;
  #monotonic: () => number;
  #random: () => number;
  #queue = new FairQueue<Turn>();
  /** What is worked on; `alone`: batches of other channels than events. */
  #running = { batches: 0, alone: 0, bytes: 0 };
  /** Batches of each channel of a site that wait or are worked on. */
  #inside = new Map<string, number>();
  /** Bytes that are worked on each ms, all slots together; null: not measured yet. */
  #pace: number | null = null;

  /** @param groupOf the tenants of a site, as one name */
  constructor(
    limits: AdmissionLimits,
    {
      groupOf,
      monotonic,
      random = Math.random,
    }: { groupOf: (site: string) => string; monotonic: () => number; random?: () => number },
  ) {
    this.#limits = limits;
    this.#groupOf = groupOf;
    this.#monotonic = monotonic;
    this.#random = random;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  get waitingBytes(): number {
    return this.#queue.bytes;
  }

  /**
   * Waits for the turn of a batch.
   * @param channel the second of one channel of a site, which is sent while the first is here, has less room:
   *   it comes again when the first was answered
   * @returns to be called when it is answered @throws AppError 503 `uplink_full`
   */
  async enter(site: string, bytes: number, channel = ''): Promise<() => void> {
    const line = `${channel} ${site}`;
    const others = this.#inside.get(line) ?? 0;
    const batch = { bytes, channel };
    const waits = this.#queue.size > 0 || !this.#hasRoom(batch);
    if (waits) this.#mustFit(bytes, others > 0);
    this.#inside.set(line, others + 1);
    try {
      if (waits) await this.#turn(site, batch);
      else this.#count(batch, 1);
    } catch (error) {
      this.#leave(line);
      throw error;
    }
    const began = this.#monotonic();
    return () => {
      this.#leave(line);
      this.#left(batch, this.#monotonic() - began);
    };
  }

  /** Whether a batch may begin now. */
  #hasRoom({ bytes, channel }: Batch): boolean {
    const { atOnce, together, togetherBytes } = this.#limits;
    if (channel !== TOGETHER && this.#running.alone >= atOnce) return false;
    const { batches } = this.#running;
    return batches < atOnce || (batches < together && this.#running.bytes + bytes <= togetherBytes);
  }

  #count({ bytes, channel }: Batch, one: 1 | -1): void {
    this.#running.batches += one;
    this.#running.bytes += one * bytes;
    if (channel !== TOGETHER) this.#running.alone += one;
  }

  /** Those whose turn it is begin, as many as there is room for. */
  #beginNext(): void {
    for (;;) {
      const next = this.#queue.take((one) => this.#hasRoom(one));
      if (!next) return;
      this.#count(next, 1);
      next.begin();
    }
  }

  #leave(line: string): void {
    const others = (this.#inside.get(line) ?? 1) - 1;
    if (others > 0) this.#inside.set(line, others);
    else this.#inside.delete(line);
  }

  #turn(site: string, batch: Batch): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        clearTimeout(late);
        resolve();
      };
      const turn: Turn = { site, group: this.#groupOf(site), ...batch, begin };
      const late = setTimeout(() => {
        this.#queue.remove(turn);
        this.#beginNext();
        reject(this.#full(this.#limits.waitMs));
      }, this.#limits.waitMs);
      this.#queue.add(turn);
    });
  }

  #left(batch: Batch, tookMs: number): void {
    const pace = (batch.bytes / Math.max(1, tookMs)) * this.#running.batches;
    // An idle hub is not measured: small batches that are alone say nothing of what it can do. Nor do those
    // that took no time, since their callers had gone.
    if (this.#queue.size > 0 && tookMs >= 1)
      this.#pace = this.#pace === null ? pace : this.#pace + SMOOTHING * (pace - this.#pace);
    this.#count(batch, -1);
    this.#beginNext();
  }

  #mustFit(bytes: number, second: boolean): void {
    const { waitingBytes, reserveBytes, small, waitMs, secondBytes } = this.#limits;
    const most = second ? secondBytes : waitingBytes + (bytes <= small ? reserveBytes : 0);
    const wait = this.#pace === null ? 0 : this.#queue.bytes / this.#pace;
    if (this.#queue.bytes + bytes > most || (wait > waitMs && bytes > small)) throw this.#full(wait);
  }

  /** @param wait what the queue takes to empty, ms */
  #full(wait: number): AppError {
    this.refused += 1;
    const jitter = JITTER.from + (JITTER.to - JITTER.from) * this.#random();
    const seconds = Math.min(Math.max(1, Math.ceil((wait * jitter) / 1000)), LONGEST_ASKED_S);
    return new AppError(
      503,
      'uplink_full',
      `Headquarters works, but ${this.#queue.size} batches of sites wait to be stored, as many as it lets ` +
        'wait; nothing of this one was stored. Send it again later.',
      { retryAfterSeconds: seconds },
    );
  }
}

export const admissionMetrics = (admission: Admission): Metric[] => [
  {
    name: 'fieldline_uplink_batches_waiting',
    help: 'Batches of sites that wait for their turn to be stored',
    type: 'gauge',
    read: () => admission.waiting,
  },
  {
    name: 'fieldline_uplink_batches_waiting_bytes',
    help: 'Bytes of the batches that wait, as they came',
    type: 'gauge',
    read: () => admission.waitingBytes,
  },
  counter(
    'fieldline_uplink_batches_refused_total',
    'Batches of sites refused with 503 because as many wait as may, since start',
    () => admission.refused,
  ),
];
