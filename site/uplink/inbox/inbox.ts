import { backoffDelay } from '../../../common/backoff.ts';
import type { Clock } from '../../../common/clock.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import {
  type InboxAnswer,
  type InboxItem,
  type InboxKind,
  inboxKinds,
  type WaitingCounts,
} from '../../../common/uplink/inbox.ts';
import type { Carried, InboxCount, InboxPort, TakenItem, WaitingItem } from './port.ts';

/**
 * Items that one round carries out, and those that are under way at a time: they share writes to the disk.
 */
const ITEMS = 500;
const AT_ONCE = 50;
/** Between rounds that nothing triggers, ms. */
const INTERVAL_MS = 3_000;
/** Tries after which an item that fails is told of. */
const MANY = 5;
const BACKOFF = { first: 1_000, cap: 60_000, jitter: 0.2 };

/** How one kind is carried out. */
export interface InboxDriver {
  /**
   * Of what an item is; later ones on the same wait for it. null: it says none, and is a subject of its own.
   */
  subjectOf(body: unknown): string | null;
  /**
   * Carries it out or refuses it, and notes the answer, which goes up by its own way. Doing it again changes
   * nothing. @throws Error when neither is possible now
   */
  carryOut(body: unknown): Promise<Carried>;
}

export interface InboxOptions {
  inbox: InboxPort;
  drivers: Readonly<Record<InboxKind, InboxDriver>>;
  clock: Clock;
  log: Logger;
  /** Told of items that failed in many tries, when their number may have changed. */
  onFailing: (count: number, reason: string) => Promise<void>;
  random?: () => number;
}

/**
 * Carries out what headquarters has for this site, each thing once and in order. An item is stored here
 * first, so that headquarters need not send it again; one that fails holds back only what is on the same
 * subject, and is tried again.
 */
export class Inbox {
  readonly loop: Loop;
  /** Since the start, by kind. */
  readonly counts: Readonly<Record<InboxKind, { carriedOut: number; refused: number; failed: number }>>;
  /** Items that wait at headquarters still, by its last answer; null: it has not answered yet. */
  waitingThere: WaitingCounts | null = null;
  readonly #options: InboxOptions;
  readonly #random: () => number;
  /** Whether anything failed since the last look at what fails for good. */
  #look = true;

  constructor(options: InboxOptions) {
    const { clock, log, random = Math.random } = options;
    this.#options = options;
    this.#random = random;
    const none = () => ({ carriedOut: 0, refused: 0, failed: 0 });
    this.counts = {
      ...{ decision: none(), order: none(), group_order: none() },
      ...{ want: none(), library: none(), settings: none(), request: none() },
      upgrade: none(),
    };
    this.loop = new Loop({
      name: 'inbox',
      interval: INTERVAL_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: (signal) => this.round(signal),
      random,
    });
  }

  /** Where headquarters is to go on. */
  get place(): ReturnType<InboxPort['place']> {
    return this.#options.inbox.place();
  }

  count(kind: InboxKind): InboxCount {
    return this.#options.inbox.count(kind);
  }

  /** Stores what an answer brought; it is carried out soon after. */
  async take({ items, epoch, through, waiting }: InboxAnswer): Promise<void> {
    const place = this.place;
    if (items.length > 0 || place.through !== through || place.hubEpoch !== epoch)
      await this.#options.inbox.take(
        items.flatMap((item) => this.#taken(item)),
        { hubEpoch: epoch, through },
        this.#now(),
      );
    this.waitingThere = waiting;
    if (items.length > 0) this.loop.kick();
  }

  /** Of a kind that is not known here headquarters sends nothing; what it sends all the same is left out. */
  #taken({ kind, id, body }: InboxItem): TakenItem[] {
    if (!inboxKinds.includes(kind)) {
      this.#options.log.error({ kind, id }, 'headquarters sent what this version does not know');
      return [];
    }
    const subject = this.#options.drivers[kind].subjectOf(body) ?? id;
    return [{ kind, id, body, subject: `${kind} ${subject}` }];
  }

  async round(signal: AbortSignal): Promise<RoundResult> {
    const items = this.#options.inbox.due(this.#now(), ITEMS);
    const failed = new Set<string>();
    for (const wave of wavesOf(items)) {
      if (signal.aborted) return { again: false };
      const going = wave.filter(({ subject }) => !failed.has(subject));
      const done = await Promise.all(going.map((item) => this.#carry(item)));
      going.forEach(({ subject }, at) => done[at] || failed.add(subject));
      await this.#options.inbox.done(going.filter((_, at) => done[at]).map(({ seq }) => seq));
    }
    await this.#tell();
    if (items.length === ITEMS) return { again: true };
    const next = this.#options.inbox.nextDueAt(this.#now());
    return { again: false, pauseMs: next === null ? INTERVAL_MS : Math.max(1, next - this.#now()) };
  }

  async #tell(): Promise<void> {
    if (!this.#look) return;
    const { count, reason } = this.#options.inbox.failing(MANY);
    await this.#options.onFailing(count, reason);
    // What fails now may be done by any later round.
    this.#look = count > 0;
  }

  /** @returns whether it is done */
  async #carry(item: WaitingItem): Promise<boolean> {
    const counts = this.counts[item.kind];
    try {
      const carried = await this.#options.drivers[item.kind].carryOut(JSON.parse(item.body));
      if (carried === 'carried_out') counts.carriedOut += 1;
      if (carried === 'refused') counts.refused += 1;
      return true;
    } catch (error) {
      counts.failed += 1;
      this.#look = true;
      const { kind, id, failures } = item;
      const retryInMs = backoffDelay(failures + 1, BACKOFF, this.#random());
      this.#options.log.error(
        { err: error, kind, id, failures: failures + 1, retryInMs },
        'what headquarters wants could not be carried out',
      );
      const reason = error instanceof Error ? error.message : String(error);
      await this.#options.inbox.failed(item, reason, this.#now() + retryInMs);
      return false;
    }
  }

  #now(): number {
    return this.#options.clock.now();
  }
}

/** Items in their order, as many at a time as there are without two on one subject. Pure. */
export function wavesOf<T extends { subject: string }>(items: readonly T[], most = AT_ONCE): T[][] {
  const waves: T[][] = [];
  let subjects = new Set<string>();
  for (const item of items) {
    const wave = waves.at(-1);
    if (!wave || wave.length === most || subjects.has(item.subject)) {
      waves.push([item]);
      subjects = new Set([item.subject]);
    } else {
      wave.push(item);
      subjects.add(item.subject);
    }
  }
  return waves;
}
