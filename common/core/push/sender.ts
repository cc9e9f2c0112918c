import { backoffDelay } from '../../backoff.ts';
import { type Clock, stampOf } from '../../clock.ts';
import { JobLoop } from '../../job-loop.ts';
import { holdingLease } from '../../lease.ts';
import type { Logger } from '../../log.ts';
import type { RoundResult } from '../../loop.ts';
import type { SealedVault } from '../../secret/secret.ts';
import type { AlarmPort } from '../alarm/port.ts';
import type { EventBounds, EventPort } from '../event/port.ts';
import type { Watermark } from '../event/watermark.ts';
import { sealAccess } from '../evidence/access.ts';
import type { SubscriptionPort, SubscriptionRecord } from '../subscription/port.ts';
import { type Batch, scanEvents } from '../subscription/scan.ts';
import { pushFailingAlarm, pushMissedAlarm } from './alarms.ts';
import { isDue, PUSH_BACKOFF, sameFilters } from './decide.ts';
import type { PushLease, PushPort } from './port.ts';
import type { PushPost } from './post.ts';
import { readReceipt, type Receipt } from './receipt.ts';

/** Spec 2, "Limits": a round every 3 seconds, at most 100 events per round and subscription. */
const INTERVAL_MS = 3_000;
const MAX_EVENTS = 100;
/** Characters of event text of one push; a push of unusually large events ends early. */
const MAX_TEXT = 4 * 1024 * 1024;
/** Consumers that are pushed to at once. */
const AT_ONCE = 32;
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/**
 * Events that the filters removed are passed over in memory; the position follows when it lies this far
 * behind.
 */
const PASS_OVER = 1_000;
/** Failures in a row from which on a person is told. */
const ALARM_AT = 10;

export interface PushSenderOptions {
  push: PushPort;
  subscriptions: SubscriptionPort;
  events: EventPort;
  watermark: Watermark;
  alarms: AlarmPort;
  post: PushPost;
  /** Seals what opens the addresses that receipts name. */
  vault: SealedVault;
  clock: Clock;
  log: Logger;
  /** Name of this instance, for its alarms. */
  self: string;
  random?: () => number;
}

const UNREADABLE: Receipt = { jobs: [], faults: 1, lastFault: 'the receipt is too large to be read' };

/** Pushes events to the consumers that gave an address (spec 2, "Optional push"). */
export class PushSender extends JobLoop {
  readonly counts = { pushes: 0, events: 0, failed: 0, receiptFaults: 0 };
  readonly #options: PushSenderOptions;
  #random: () => number;
  /** How far a consumer's filters were found to let nothing through. */
  #passed = new Map<string, { seen: SubscriptionRecord; upTo: number }>();

  constructor(options: PushSenderOptions) {
    const { clock, log } = options;
    super({
      name: 'push',
      interval: INTERVAL_MS,
      concurrency: AT_ONCE,
      clock,
      log,
      onError: (error, consumer) =>
        log.warn({ err: error, consumer }, 'a push could not be settled; it is repeated'),
    });
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  /** Starts a push to every consumer that is due, and waits for none. */
  override async round(): Promise<RoundResult> {
    const wanted = (await this.#options.subscriptions.list()).filter(
      (one) => one.enabled && one.pushUrl !== null,
    );
    if (wanted.length === 0) return { again: false };
    const bounds = await this.#options.events.bounds();
    this.#options.watermark.observe(bounds.highWaterMark, this.#options.clock.monotonic());
    const states = new Map((await this.#options.push.states()).map((state) => [state.consumer, state]));
    const now = this.#options.clock.now();
    const due = wanted
      .filter((one) => isDue(states.get(one.consumer), now) && this.#from(one) !== bounds.highWaterMark)
      // Where there is not room for all, whoever has waited longest goes first.
      .sort((a, b) => (states.get(a.consumer)?.nextAt ?? 0) - (states.get(b.consumer)?.nextAt ?? 0));
    for (const one of due) {
      const failures = states.get(one.consumer)?.failures ?? 0;
      this.inFlight.start(one.consumer, (signal) => this.#serve(one, failures, bounds, signal));
    }
    return { again: false };
  }

  /** Where to go on looking: beyond what was looked at before and let nothing through. */
  #from(seen: SubscriptionRecord): number {
    const passed = this.#passed.get(seen.consumer);
    return passed && passed.seen.pushCursor === seen.pushCursor && sameFilters(passed.seen, seen)
      ? passed.upTo
      : seen.pushCursor;
  }

  async #serve(
    seen: SubscriptionRecord,
    failures: number,
    bounds: EventBounds,
    signal: AbortSignal,
  ): Promise<void> {
    const lease: PushLease = { consumer: seen.consumer, token: this.#options.clock.newId(), until: 0 };
    if (seen.pushCursor > bounds.highWaterMark) {
      return this.#withLease(seen, lease, signal, () =>
        this.#fail(
          lease,
          failures,
          `the position ${seen.pushCursor} is beyond the newest event ${bounds.highWaterMark}: the store ` +
            'was restored from an older copy',
        ),
      );
    }
    const after = Math.max(this.#from(seen), bounds.oldest - 1);
    const batch = await scanEvents(
      { events: this.#options.events, watermark: this.#options.watermark, clock: this.#options.clock },
      seen,
      {
        after,
        limit: MAX_EVENTS,
        includeTest: false,
        highWaterMark: bounds.highWaterMark,
        maxText: MAX_TEXT,
      },
    );
    if (batch.items.length === 0 && batch.nextCursor - seen.pushCursor < PASS_OVER) {
      this.#passed.set(seen.consumer, { seen, upTo: batch.nextCursor });
      return;
    }
    await this.#withLease(seen, lease, signal, async (leased) => {
      if (seen.pushCursor < bounds.oldest - 1) await this.#tellMissed(seen, bounds.oldest);
      if (batch.items.length === 0) await this.#passOver(lease, batch.nextCursor);
      else await this.#send(seen, { lease, batch, failures }, leased);
    });
  }

  async #withLease(
    seen: SubscriptionRecord,
    lease: PushLease,
    signal: AbortSignal,
    work: (leased: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const extend = (): PushLease => Object.assign(lease, { until: this.#options.clock.now() + LEASE_MS });
    if (!(await this.#options.push.claim(seen, extend(), this.#options.clock.now()))) return;
    this.#passed.delete(seen.consumer);
    await holdingLease(() => this.#options.push.renew(extend()), RENEW_MS, signal, work);
  }

  async #send(
    seen: SubscriptionRecord,
    turn: { lease: PushLease; batch: Batch; failures: number },
    leased: AbortSignal,
  ): Promise<void> {
    const { lease, batch, failures } = turn;
    const outcome = await this.#options.post(seen, batch, leased);
    if ('error' in outcome) {
      // A stop is no failure of the consumer's; what was sent is sent again after the start.
      if (!leased.aborted) await this.#fail(lease, failures, outcome.error);
      return;
    }
    const receipt =
      outcome.receipt === null
        ? UNREADABLE
        : readReceipt(outcome.receipt, {
            consumer: seen.consumer,
            events: batch.items,
            newId: () => this.#options.clock.newId(),
            seal: (access) => sealAccess(this.#options.vault, access),
          });
    this.counts.pushes += 1;
    this.counts.events += batch.items.length;
    await this.#deliver(lease, batch.nextCursor, receipt, failures);
  }

  async #passOver(lease: PushLease, cursor: number): Promise<void> {
    await this.#options.push.delivered(
      lease,
      { pushed: false, cursor, jobs: [], receiptFaults: 0, lastReceiptFault: null },
      stampOf(this.#options.clock),
    );
  }

  async #deliver(lease: PushLease, cursor: number, receipt: Receipt, failures: number): Promise<void> {
    this.counts.receiptFaults += receipt.faults;
    const settled = await this.#options.push.delivered(
      lease,
      {
        pushed: true,
        cursor,
        jobs: receipt.jobs,
        receiptFaults: receipt.faults,
        lastReceiptFault: receipt.lastFault,
      },
      stampOf(this.#options.clock),
    );
    if (settled && failures >= ALARM_AT)
      await this.#options.alarms.clear(
        `push_failing:${lease.consumer}`,
        this.#options.self,
        this.#options.clock.now(),
      );
  }

  async #fail(lease: PushLease, failures: number, error: string): Promise<void> {
    this.counts.failed += 1;
    const now = this.#options.clock.now();
    const delay = Math.min(PUSH_BACKOFF.cap, backoffDelay(failures + 1, PUSH_BACKOFF, this.#random()));
    const settled = await this.#options.push.failed(lease, error.slice(0, 1_000), now + delay);
    if (!settled || failures + 1 < ALARM_AT) return;
    await this.#options.alarms.raise(
      pushFailingAlarm(this.#options.self, lease.consumer, failures + 1, error),
      now,
    );
  }

  async #tellMissed(seen: SubscriptionRecord, oldest: number): Promise<void> {
    await this.#options.alarms.raise(
      pushMissedAlarm(this.#options.self, seen, oldest),
      this.#options.clock.now(),
    );
  }
}
