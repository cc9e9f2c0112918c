import { Loop, type RoundResult } from '../../../common/loop.ts';
import { HEARTBEAT_MS, INBOX_PATH, type InboxAnswer, MAX_HOLD_MS } from '../../../common/uplink/inbox.ts';
import { FEATURES, PROTOCOL } from '../../../common/uplink/wire.ts';
import { readInbox } from '../answer.ts';
import { Attempts } from '../attempts.ts';
import { HubCalls } from '../hub-calls.ts';
import type { Link } from '../link.ts';
import type { Report } from '../report.ts';
import type { SenderOptions } from '../sender-options.ts';
import type { Inbox } from './inbox.ts';

/** The answer is late so long after the hold is over, ms: the link is dead, or something between cut it. */
const GRACE_MS = 10_000;
/** Headquarters is silent for no longer, ms; a space comes with each `HEARTBEAT_MS`. */
const SILENT_MS = HEARTBEAT_MS + 5_000;
/** Shortest hold that is tried where something between ends calls early or keeps the spaces back, ms. */
const SHORTEST_HOLD_MS = 5_000;
/** Between an answer and the next call, ms: what was decided in one breath comes together. */
const PAUSE_MS = 100;

export interface InboxPollOptions {
  sender: Pick<SenderOptions, 'pollClient' | 'holdMs' | 'key' | 'url' | 'clock' | 'log'>;
  inbox: Inbox;
  link: Link;
  envelope: () => { version: string; instance: string; epoch: string };
  /** Told of each answer whose events headquarters takes of this site. */
  onTenants: (tenants: readonly string[] | null) => void;
  /** The positions are to be compared with headquarters: it may be gone, or another. */
  onDoubt: () => void;
  /** What headquarters is told of this machine; null: nothing. */
  report: Report;
  /** Between two calls where headquarters does not hold them, ms. */
  interval: number;
  random: () => number;
}

/**
 * Asks headquarters what stands in the inbox of this site after what is stored here (common/uplink/inbox.ts).
 * The call is held until something does, and goes by a connection of its own, so that nothing new waits for
 * it. Where a critical alarm begins or ends, the call that is open is given up for one that tells it: it
 * waits for no batch on a slow link.
 */
export class InboxPoll {
  readonly loop: Loop;
  readonly #options: InboxPollOptions;
  readonly #calls: HubCalls;
  #attempts = new Attempts();
  #holdMs: number;
  /** Of the headquarters that answered last. */
  #hubEpoch = '';
  /** Headquarters is to be told of this machine with the next call. */
  #reportDue = false;
  #break = new AbortController();

  constructor(options: InboxPollOptions) {
    this.#options = options;
    const { interval, random } = options;
    const { pollClient: client, key, url, clock, log } = options.sender;
    this.#holdMs = options.sender.holdMs ?? MAX_HOLD_MS;
    this.#calls = new HubCalls({ client, key, url, clock });
    this.loop = new Loop({
      name: 'uplink inbox',
      interval,
      log,
      monotonic: () => clock.monotonic(),
      round: (signal) => this.round(signal),
      random,
    });
  }

  /**
   * Headquarters is to be told of this machine at once: the call that is open makes way for one that does.
   * @returns false where no call is held; the channels then tell it
   */
  breakIn(): boolean {
    if (!this.#options.link.held || !this.#options.report.known) return false;
    this.#reportDue = true;
    this.#break.abort();
    this.loop.kick();
    return true;
  }

  /** Makes one call, and stores what its answer brings. */
  async round(stop: AbortSignal): Promise<RoundResult> {
    const { link, sender, interval } = this.#options;
    if (link.state !== 'up' || link.backingOff) return this.#rest();
    const wait = this.#attempts.nextAt - sender.clock.monotonic();
    if (wait > 0) return { again: false, pauseMs: Math.min(wait, interval) };
    this.#break = new AbortController();
    const signal = AbortSignal.any([stop, this.#break.signal]);
    const { body, told } = await this.#request();
    const bounds = { timeoutMs: this.#holdMs + GRACE_MS, silentMs: SILENT_MS };
    const how = { body, type: 'application/json', signal, ...bounds };
    const http = await this.#calls.send('POST', INBOX_PATH, how);
    if (stop.aborted) return { again: false };
    if ('kind' in http) {
      if (signal.aborted) return { again: true };
      this.#holdMs = Math.min(this.#holdMs, Math.max(SHORTEST_HOLD_MS, this.#holdMs / 2));
      return this.#failed(http.retryAfterMs, http.unreachable);
    }
    const answer = http.status === 200 ? readInbox(http) : null;
    if (answer === null) return this.#failed(this.#calls.failed(http).retryAfterMs, http.status >= 500);
    await this.#take(answer);
    if (told) this.#reportDue = false;
    if (signal.aborted || answer.items.length > 0) return { again: true };
    return { again: false, pauseMs: answer.held ? PAUSE_MS : interval };
  }

  async #request(): Promise<{ body: Buffer; told: boolean }> {
    const { envelope, inbox, report } = this.#options;
    const { hubEpoch, through } = inbox.place;
    const place = { hold_ms: this.#holdMs, after: through, hub_epoch: hubEpoch };
    const told = this.#reportDue ? await report.now() : null;
    const start = JSON.stringify({ protocol: PROTOCOL, features: FEATURES, ...envelope(), ...place });
    const text = told === null ? start : `${start.slice(0, -1)},"report":${told}}`;
    return { body: Buffer.from(text), told: told !== null };
  }

  async #take(answer: InboxAnswer): Promise<void> {
    const { inbox, link, onDoubt, onTenants } = this.#options;
    this.#attempts.succeeded();
    link.held = answer.held;
    if (this.#hubEpoch !== '' && this.#hubEpoch !== answer.epoch) onDoubt();
    this.#hubEpoch = answer.epoch;
    onTenants(answer.tenants ?? null);
    await inbox.take(answer);
  }

  /** @param doubtful whether headquarters may be gone */
  #failed(retryAfterMs: number, doubtful: boolean): RoundResult {
    const { sender, link, random, interval, onDoubt } = this.#options;
    const { clock, log } = sender;
    const fault = { code: 'hub_answered', params: { said: INBOX_PATH } } as const;
    const waitMs = this.#attempts.failed(fault, clock.monotonic(), random(), retryAfterMs);
    log.debug({ failures: this.#attempts.failures, waitMs, holdMs: this.#holdMs }, 'the inbox was not read');
    if (link.held || doubtful) onDoubt();
    link.held = false;
    return { again: false, pauseMs: Math.min(waitMs, interval) };
  }

  #rest(): RoundResult {
    this.#options.link.held = false;
    return { again: false };
  }
}
