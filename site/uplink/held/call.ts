import { Loop, type RoundResult } from '../../../common/loop.ts';
import { HEARTBEAT_MS, MAX_HOLD_MS } from '../../../common/uplink/held.ts';
import { FEATURES, HELD_CALLS, PROTOCOL } from '../../../common/uplink/wire.ts';
import { type HeldAnswer, readHeld } from '../answer.ts';
import { Attempts } from '../attempts.ts';
import { HubCalls } from '../hub-calls.ts';
import type { Link } from '../link.ts';
import type { Mutex } from '../mutex.ts';
import type { Report } from '../report.ts';
import type { SenderOptions } from '../sender-options.ts';
import type { Settlement } from '../settlement.ts';

const TARGET = '/api/core/uplink/held';
/** The answer is late so long after the hold is over, ms: the link is dead, or something between cut it. */
const GRACE_MS = 10_000;
/** Headquarters is silent for no longer, ms; a space comes with each `HEARTBEAT_MS`. */
const SILENT_MS = HEARTBEAT_MS + 5_000;
/** Shortest hold that is tried where something between ends calls early or keeps the spaces back, ms. */
const SHORTEST_HOLD_MS = 5_000;
/** Between an answer and the next call, ms: what was decided in one breath comes together. */
const PAUSE_MS = 100;

export interface HeldCallOptions {
  sender: Pick<SenderOptions, 'heldClient' | 'key' | 'url' | 'clock' | 'log'>;
  link: Link;
  settlement: Settlement;
  /** Held while an answer is carried out. */
  mutex: Mutex;
  envelope: () => { version: string; instance: string; epoch: string };
  /** The positions are to be compared with headquarters: it may be gone, or another. */
  onDoubt: () => void;
  /** What headquarters is told of this machine; null: nothing. */
  report: Report | null;
  /** Between two calls where headquarters does not hold them, ms. */
  interval: number;
  random: () => number;
}

/**
 * Keeps one call open at headquarters, which is answered when something waits there (common/uplink/held.ts).
 * It goes by a connection of its own, so that nothing new waits for it. Where it does not work, the calls of
 * the channels bring everything as before. Where a critical alarm begins or ends, the call that is open is
 * given up for one that tells it: it waits for no batch on a slow link.
 */
export class HeldCall {
  readonly loop: Loop;
  readonly #options: HeldCallOptions;
  readonly #calls: HubCalls | null;
  #attempts = new Attempts();
  #holdMs = MAX_HOLD_MS;
  #understood = false;
  #working = false;
  /** What the last answer told, and of which headquarters. */
  #mark = '';
  #hubEpoch = '';
  /** Headquarters is to be told of this machine with the next call. */
  #reportDue = false;
  #break = new AbortController();

  constructor(options: HeldCallOptions) {
    this.#options = options;
    const { heldClient: client, key, url } = options.sender;
    this.#calls = client ? new HubCalls({ client, key, url, clock: options.sender.clock }) : null;
    const { interval, random } = options;
    const { clock, log } = options.sender;
    this.loop = new Loop({
      name: 'uplink held call',
      interval,
      log,
      monotonic: () => clock.monotonic(),
      round: (signal) => this.round(signal),
      random,
    });
  }

  /** Whether what waits at headquarters comes by this call. */
  get working(): boolean {
    return this.#working;
  }

  /** @param features of headquarters, as its last answer names them */
  answered(features: readonly string[]): void {
    const before = this.#understood;
    this.#understood = features.includes(HELD_CALLS);
    if (this.#understood && !before) this.loop.kick();
    if (!this.#understood) this.#working = false;
  }

  /**
   * Headquarters is to be told of this machine at once: the call that is open makes way for one that does.
   * @returns false where no call is held; the channels then tell it
   */
  breakIn(): boolean {
    if (!this.#working || !this.#options.report) return false;
    this.#reportDue = true;
    this.#break.abort();
    this.loop.kick();
    return true;
  }

  /** Makes one call, and carries out what its answer brings. */
  async round(stop: AbortSignal): Promise<RoundResult> {
    const { link, sender, interval } = this.#options;
    const calls = this.#calls;
    if (!calls || !this.#understood || link.state !== 'up' || link.backingOff) return this.#rest();
    const wait = this.#attempts.nextAt - sender.clock.monotonic();
    if (wait > 0) return { again: false, pauseMs: Math.min(wait, interval) };
    this.#break = new AbortController();
    const signal = AbortSignal.any([stop, this.#break.signal]);
    const { body, told } = await this.#request();
    const timeoutMs = this.#holdMs + GRACE_MS;
    const bounds = { timeoutMs, silentMs: SILENT_MS };
    const http = await calls.send('POST', TARGET, { body, type: 'application/json', signal, ...bounds });
    if (stop.aborted) return { again: false };
    if ('kind' in http) {
      if (signal.aborted) return { again: true };
      this.#holdMs = Math.max(SHORTEST_HOLD_MS, this.#holdMs / 2);
      return this.#failed(http.retryAfterMs, http.unreachable);
    }
    const answer = http.status === 200 ? readHeld(http) : null;
    if (answer === null) return this.#failed(calls.failed(http).retryAfterMs, http.status >= 500);
    await this.#take(answer);
    if (signal.aborted) return { again: true };
    if (told) this.#reportDue = false;
    return { again: false, pauseMs: answer.held ? PAUSE_MS : interval };
  }

  async #request(): Promise<{ body: Buffer; told: boolean }> {
    const { envelope, report } = this.#options;
    const hold = { hold_ms: this.#holdMs, known: this.#mark };
    const told = this.#reportDue && report ? await report.now() : null;
    const start = JSON.stringify({ protocol: PROTOCOL, features: FEATURES, ...envelope(), ...hold });
    const text = told === null ? start : `${start.slice(0, -1)},"report":${told}}`;
    return { body: Buffer.from(text), told: told !== null };
  }

  async #take(answer: HeldAnswer): Promise<void> {
    const { settlement, mutex, onDoubt } = this.#options;
    this.#attempts.succeeded();
    this.#working = answer.held;
    this.#mark = answer.mark;
    if (this.#hubEpoch !== '' && this.#hubEpoch !== answer.epoch) onDoubt();
    this.#hubEpoch = answer.epoch;
    await mutex.run(() => settlement.takeDown(answer));
  }

  /** @param doubtful whether headquarters may be gone */
  #failed(retryAfterMs: number, doubtful: boolean): RoundResult {
    const { sender, random, interval, onDoubt } = this.#options;
    const { clock, log } = sender;
    this.#mark = '';
    const fault = { code: 'hub_answered', params: { said: TARGET } } as const;
    const waitMs = this.#attempts.failed(fault, clock.monotonic(), random(), retryAfterMs);
    log.debug({ failures: this.#attempts.failures, waitMs, holdMs: this.#holdMs }, 'a held call failed');
    if (this.#working || doubtful) onDoubt();
    this.#working = false;
    return { again: false, pauseMs: Math.min(waitMs, interval) };
  }

  #rest(): RoundResult {
    this.#working = false;
    return { again: false };
  }
}
