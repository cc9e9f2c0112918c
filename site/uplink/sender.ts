import { setImmediate as nextTurnOfTheEventLoop } from 'node:timers/promises';
import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { EventPort } from '../../common/core/event/port.ts';
import type { VerdictPort } from '../../common/core/verdict/port.ts';
import type { HttpClient } from '../../common/http/client.ts';
import type { SigningKey } from '../../common/http/signature.ts';
import type { Logger } from '../../common/log.ts';
import { Loop, type RoundResult } from '../../common/loop.ts';
import { say } from '../../common/message.ts';
import type { ChannelName } from '../../common/uplink/wire.ts';
import { siteMessages, type LinkFault } from '../site-messages.ts';
import { UplinkAlarms } from './alarms.ts';
import { Attempts } from './attempts.ts';
import type { Batch } from './batch.ts';
import { Channel } from './channel.ts';
import { Decisions, type ApplyDecision } from './decisions.ts';
import { Hub } from './hub.ts';
import type { UplinkStatePort } from './port.ts';
import { hostPortOf, LinkWatch, probeTcp, type Probe } from './probe.ts';
import { Settlement } from './settlement.ts';
import { changeSource, eventSource, type Source } from './source.ts';
import { Turns } from './turns.ts';

/** During a backlog of events the verdicts get a turn after so many batches. */
const EVENT_TURNS = 4;
/** The verdicts channel compares positions with headquarters at least this often, ms. */
const VERDICTS_CALL_MS = 60_000;
/** A report costs a write of the disk: in a stream of verdicts it goes along no more often than this, ms. */
const REPORT_EVERY_MS = 15_000;

export interface UplinkStore {
  events: EventPort;
  verdicts: VerdictPort;
  uplink: UplinkStatePort;
  epoch(): string;
  /** Takes a new epoch and continues event ids after `known`. */
  renewEpoch(known: number): Promise<unknown>;
}

export interface UplinkSenderOptions {
  store: UplinkStore;
  applyDecision: ApplyDecision;
  client: HttpClient;
  /** Read for each request. @throws Error with what is wrong with it */
  key: () => SigningKey;
  /** Address of headquarters, CORE_UPLINK_URL. */
  url: string;
  instance: string;
  version: string;
  /** CORE_UPLINK_INTERVAL_MS; default 3000. */
  interval?: number;
  /** CORE_UPLINK_BATCH; default 200, at most 1000. */
  batch?: number;
  clock: Clock;
  log: Logger;
  alarms: AlarmPort;
  random?: () => number;
  /** Opens a TCP connection to headquarters; null when it opened. */
  probe?: Probe;
}

export type LinkState = 'never' | 'up' | 'down';

/**
 * Sends events and verdict changes to headquarters, one request at a time
 * (spec 2, "Uplink configuration"; design §6, "Uplink"). Invariants: the cursor
 * of a channel moves only to what headquarters answered, together with what it
 * refused; at most two batches are in memory, the one that is under way and the
 * one behind it; nothing is ever given up without being parked.
 */
export class UplinkSender {
  readonly loop: Loop;
  readonly sources: Record<ChannelName, Source>;
  readonly channels: Record<ChannelName, Channel>;
  readonly linkAttempts = new Attempts();
  readonly alarms: UplinkAlarms;
  readonly decisions: Decisions;
  readonly hub: Hub;
  readonly interval: number;
  readonly batch: number;
  link: LinkState;
  #options: UplinkSenderOptions;
  #settlement: Settlement;
  #watch: LinkWatch;
  #probe: Probe;
  #turns = new Turns();
  #eventTurns = 0;
  #report: (() => Promise<string>) | null = null;
  /** Monotonic ms of the last report. */
  #reportedAt = -Infinity;

  constructor(options: UplinkSenderOptions) {
    const { store, clock, log } = options;
    this.#options = options;
    this.interval = options.interval ?? 3_000;
    this.batch = options.batch ?? 200;
    this.hub = new Hub(options);
    this.alarms = new UplinkAlarms(options.alarms, options.instance, clock);
    this.sources = {
      events: eventSource(store.events),
      verdicts: changeSource(store.verdicts, () => this.channels.events.state.cursor),
    };
    const channel = (name: ChannelName, callEvery: number): Channel =>
      new Channel({
        source: this.sources[name],
        uplink: store.uplink,
        batch: this.batch,
        callEvery,
        envelope: () => this.envelope(),
        ...(name === 'verdicts' ? { report: () => this.#tellReport() } : {}),
      });
    this.channels = {
      events: channel('events', this.interval),
      verdicts: channel('verdicts', Math.max(VERDICTS_CALL_MS, this.interval)),
    };
    this.link = this.channels.events.state.lastAckAt === null ? 'never' : 'down';
    this.decisions = new Decisions(options.applyDecision, log);
    this.#settlement = new Settlement({
      store,
      channels: this.channels,
      alarms: this.alarms,
      decisions: this.decisions,
      clock,
      log,
      random: options.random ?? Math.random,
    });
    const target = hostPortOf(options.url);
    this.#probe = options.probe ?? ((signal) => probeTcp(target, signal));
    this.#watch = new LinkWatch({ probe: this.#probe, onReturn: () => this.kick() });
    this.loop = new Loop({
      name: 'uplink',
      interval: this.interval,
      log,
      monotonic: () => clock.monotonic(),
      round: (signal) => this.round(signal),
      ...(options.random ? { random: options.random } : {}),
    });
  }

  /**
   * What goes to headquarters with the verdicts channel, once a minute at least. To be called before `start`.
   */
  reportWith(report: () => Promise<string>): void {
    this.#report = report;
  }

  /** What it cannot tell must not hold the rest up. */
  async #tellReport(): Promise<string | null> {
    if (this.#now() - this.#reportedAt < REPORT_EVERY_MS) return null;
    this.#reportedAt = this.#now();
    try {
      return (await this.#report?.()) ?? null;
    } catch (error) {
      this.#options.log.warn({ err: error }, 'the report to headquarters could not be made');
      return null;
    }
  }

  start(): void {
    this.loop.start();
  }

  async stop(): Promise<void> {
    await this.loop.stop();
    await this.#watch.stop();
  }

  /** Tries at once, also out of a backoff: the link is back, or a person asks. */
  kick(): void {
    this.linkAttempts.hasten();
    for (const channel of Object.values(this.channels)) channel.attempts.hasten();
    this.loop.kick();
  }

  /** Something new waits: wakes the sender when it is idle, never out of a backoff. */
  notify(): void {
    if (this.linkAttempts.nextAt <= this.#now()) this.loop.kick();
  }

  envelope(): { version: string; instance: string; epoch: string } {
    const { version, instance, store } = this.#options;
    return { version, instance, epoch: store.epoch() };
  }

  /** Runs `work` between two rounds, so that positions stand still meanwhile. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(work);
  }

  /** Makes one request, to the channel whose turn it is, when one is due. */
  round(signal: AbortSignal): Promise<RoundResult> {
    return this.#turns.run(() => this.#round(signal));
  }

  async #round(signal: AbortSignal): Promise<RoundResult> {
    if (this.linkAttempts.nextAt > this.#now()) return this.#pause();
    if (this.linkAttempts.failures > 0) {
      const fault = await this.#probe(signal);
      if (fault !== null) return this.#unreachable({ code: 'hub_unreachable', params: { fault } }, signal);
    }
    const channels = [this.channels.events, this.channels.verdicts];
    for (const channel of this.#eventTurns >= EVENT_TURNS ? channels.reverse() : channels) {
      if (channel.dueAt > this.#now()) continue;
      const batch = await channel.take(channel.callAt <= this.#now());
      const empty = batch.to === batch.after;
      if (channel.name === 'verdicts') this.#eventTurns = 0;
      if (empty && channel.callAt > this.#now()) continue;
      return this.#send(channel, batch, signal);
    }
    return this.#pause();
  }

  async #send(channel: Channel, batch: Batch, signal: AbortSignal): Promise<RoundResult> {
    if (channel.name === 'events') this.#eventTurns += 1;
    const [outcome] = await Promise.all([this.hub.post(batch, signal), this.#prepareNext(channel, batch)]);
    if (signal.aborted && outcome.kind === 'unreachable') return { again: false };
    if (outcome.kind === 'unreachable') {
      if (outcome.late) channel.shrink(batch);
      return this.#unreachable(outcome.fault, signal);
    }
    await this.#answered(outcome.kind !== 'failed');
    await this.#settlement.settle(channel, batch, outcome);
    return { again: true };
  }

  /** While headquarters works on a batch, the next one is read and encoded. */
  async #prepareNext(channel: Channel, batch: Batch): Promise<void> {
    // Never more than two in memory: not while the other channel has one ready.
    if (!batch.more || Object.values(this.channels).some((other) => other.hasReady)) return;
    // First the request leaves, then the store is read.
    await nextTurnOfTheEventLoop();
    try {
      await channel.makeReady(batch.to);
    } catch (error) {
      // The round that needs the batch reads it again and reports a lasting fault.
      this.#options.log.warn(
        { err: error, channel: channel.name },
        'the next uplink batch could not be prepared',
      );
    }
  }

  async #answered(good: boolean): Promise<void> {
    const returned = this.link !== 'up' && good;
    this.link = good ? 'up' : this.link === 'never' ? 'never' : 'down';
    this.linkAttempts.succeeded();
    await this.#watch.stop(true);
    // While the link was down headquarters may have been replaced or restored.
    if (!returned) return;
    this.#reportedAt = -Infinity;
    for (const channel of Object.values(this.channels)) channel.callSoon();
  }

  #unreachable(fault: LinkFault, signal: AbortSignal): RoundResult {
    if (signal.aborted) return { again: false };
    const retryInMs = this.linkAttempts.failed(fault, this.#now(), (this.#options.random ?? Math.random)());
    if (this.link === 'up') this.link = 'down';
    for (const channel of Object.values(this.channels)) channel.forget();
    const reason = say(siteMessages, fault, 'en');
    this.#options.log.warn({ failures: this.linkAttempts.failures, retryInMs, reason }, 'uplink is down');
    this.#watch.start();
    return this.#pause();
  }

  /** Until the next try, the end of a channel's calm, or the next call that is due although nothing waits. */
  #pause(): RoundResult {
    const now = this.#now();
    const due = Object.values(this.channels).map((channel) =>
      channel.dueAt > now ? channel.dueAt : channel.callAt,
    );
    const next = Math.max(Math.min(...due), this.linkAttempts.nextAt);
    return { again: false, pauseMs: Math.max(1, Math.min(next - now, this.#longestPause())) };
  }

  /** The loop never sleeps longer, so that its end of round shows that it lives. */
  #longestPause(): number {
    return Math.max(this.interval, this.linkAttempts.nextAt - this.#now());
  }

  #now(): number {
    return this.#options.clock.monotonic();
  }
}
