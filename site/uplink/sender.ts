import { setImmediate as nextTurnOfTheEventLoop } from 'node:timers/promises';
import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import type { HttpClient } from '../../common/http/outbound/client.ts';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import type { Logger } from '../../common/log.ts';
import { Loop, type RoundResult } from '../../common/loop.ts';
import type { ChannelName } from '../../common/uplink/wire.ts';
import type { LinkFault } from '../site-messages.ts';
import { UplinkAlarms } from './alarms.ts';
import type { Batch } from './batch.ts';
import { Channel } from './channel.ts';
import { Decisions, type ApplyDecision } from './decisions.ts';
import type { EvidenceSender } from './evidence/sender.ts';
import { Hub } from './hub.ts';
import { Link } from './link.ts';
import { Mutex } from './mutex.ts';
import type { UplinkStatePort, UplinkStore } from './port.ts';
import type { NotificationHandover } from './notification/sender.ts';
import { hostPortOf, probeTcp, type Probe } from './probe.ts';
import { Report } from './report.ts';
import { Settlement } from './settlement.ts';
import { changeSource, eventSource, workSource, type Source } from './source.ts';
import type { Orders } from './work/orders.ts';
import { WorkSender } from './work/sender.ts';

/** During a backlog of events the verdicts channel comes first after this many batches of events. */
const EVENT_BATCHES_IN_A_ROW = 4;
/** The verdicts channel compares positions with headquarters at least this often, ms. */
const VERDICTS_CALL_MS = 60_000;
/** So does the channel of tasks and groups. */
const WORK_CALL_MS = 300_000;

export interface UplinkSenderOptions {
  store: UplinkStore;
  applyDecision: ApplyDecision;
  /** What headquarters wants done to tasks. */
  orders: Pick<Orders, 'take'>;
  /** What travels beside the channels. */
  evidence: Pick<EvidenceSender, 'answered'>;
  notifications: Pick<NotificationHandover, 'answered'>;
  client: HttpClient;
  /** Read for each request. @throws Error that says why it cannot be read */
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
  /** Makes what headquarters is told of this machine, as JSON text; goes with the verdicts channel. */
  report?: (sender: UplinkSender) => Promise<string>;
}

/**
 * Sends events and verdict changes to headquarters, one request at a time (spec 2, "Uplink configuration";
 * design §6, "Uplink"). Invariants: the cursor of a channel moves only to what headquarters answered,
 * together with what it refused; at most two batches are in memory, the one in flight and the next; no item
 * is given up without being parked.
 */
export class UplinkSender {
  readonly loop: Loop;
  readonly channels: Record<ChannelName, Channel>;
  readonly link: Link;
  readonly alarms: UplinkAlarms;
  readonly decisions: Decisions;
  readonly hub: Hub;
  /** What goes up beside events and verdicts. */
  readonly work: WorkSender;
  /** Most items of one request. */
  readonly batch: number;
  /** Goes with every request. */
  readonly envelope: () => { version: string; instance: string; epoch: string };
  #interval: number;
  #clock: Clock;
  #log: Logger;
  #settlement: Settlement;
  /** The channels that the rounds of this sender serve. */
  #cursors: readonly [Channel, Channel];
  #report: Report | null;
  #mutex = new Mutex();
  #eventBatchesInARow = 0;

  constructor(options: UplinkSenderOptions) {
    const { store, clock, log, report, random = Math.random } = options;
    this.#clock = clock;
    this.#log = log;
    this.#interval = options.interval ?? 3_000;
    this.batch = options.batch ?? 200;
    this.envelope = () => ({ version: options.version, instance: options.instance, epoch: store.epoch() });
    this.hub = new Hub(options);
    this.alarms = new UplinkAlarms(options.alarms, options.instance, clock);
    this.decisions = new Decisions(options.applyDecision, log);
    this.#report = report ? new Report(() => report(this), clock, log) : null;
    const events = this.#channel(store.uplink, eventSource(store.events), this.#interval);
    const verdicts = this.#channel(
      store.uplink,
      changeSource(store.verdicts, () => events.state.cursor),
      Math.max(VERDICTS_CALL_MS, this.#interval),
      this.#report,
    );
    const work = this.#channel(
      store.uplink,
      workSource(store.work, () => events.state.cursor),
      Math.max(WORK_CALL_MS, this.#interval),
    );
    this.channels = { events, verdicts, work };
    this.#cursors = [events, verdicts];
    const target = hostPortOf(options.url);
    this.link = new Link(
      events.state.lastAckAt !== null,
      options.probe ?? ((signal) => probeTcp(target, signal)),
      () => this.kick(),
      { clock, log, random },
    );
    this.#settlement = new Settlement({
      store,
      channels: this.channels,
      alarms: this.alarms,
      decisions: this.decisions,
      orders: options.orders,
      evidence: options.evidence,
      onFeatures: (features) => {
        this.work.answered(features);
        options.notifications.answered(features);
      },
      clock,
      log,
      random,
    });
    this.work = new WorkSender({
      channel: work,
      hub: this.hub,
      link: this.link,
      settlement: this.#settlement,
      mutex: this.#mutex,
      draining: () => this.#cursors.some((channel) => channel.draining),
      epoch: () => store.epoch(),
      interval: this.#interval,
      clock,
      log,
      random,
    });
    this.loop = new Loop({
      name: 'uplink',
      interval: this.#interval,
      log,
      monotonic: () => clock.monotonic(),
      round: (signal) => this.round(signal),
      random,
    });
  }

  #channel(
    uplink: UplinkStatePort,
    source: Source,
    callEvery: number,
    report: Report | null = null,
  ): Channel {
    const { batch, envelope } = this;
    return new Channel({ source, uplink, batch, callEvery, envelope, report });
  }

  start(): void {
    this.loop.start();
    this.work.loop.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.loop.stop(), this.work.loop.stop()]);
    await this.link.stop();
  }

  /** Ends every backoff and tries at once: the link is back, or a person asks for it. */
  kick(): void {
    this.link.attempts.hasten();
    for (const channel of Object.values(this.channels)) channel.attempts.hasten();
    this.loop.kick();
    this.work.loop.kick();
  }

  /** Something new is to be sent: wakes an idle sender, but ends no backoff. */
  notify(): void {
    if (!this.link.backingOff) this.loop.kick();
  }

  /** Runs `work` between two rounds, so that no position changes meanwhile. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#mutex.run(work);
  }

  /** Makes one request when one is due, on the channel that comes first. */
  round(signal: AbortSignal): Promise<RoundResult> {
    return this.#mutex.run(() => this.#round(signal));
  }

  async #round(signal: AbortSignal): Promise<RoundResult> {
    if (this.link.backingOff) return this.#pause();
    const fault = await this.link.fault(signal);
    if (fault) return this.#unreachable(fault, signal);
    const channels = [...this.#cursors];
    for (const channel of this.#eventBatchesInARow >= EVENT_BATCHES_IN_A_ROW
      ? channels.reverse()
      : channels) {
      if (channel.dueAt > this.#now()) continue;
      const batch = await channel.take(channel.callAt <= this.#now());
      const empty = batch.to === batch.after;
      if (channel.name === 'verdicts') this.#eventBatchesInARow = 0;
      if (empty && channel.callAt > this.#now()) continue;
      return this.#send(channel, batch, signal);
    }
    return this.#pause();
  }

  async #send(channel: Channel, batch: Batch, signal: AbortSignal): Promise<RoundResult> {
    if (channel.name === 'events') this.#eventBatchesInARow += 1;
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
    if (!batch.more || this.#cursors.some((other) => other.hasReady)) return;
    // Reading the store must not delay the request that is about to leave.
    await nextTurnOfTheEventLoop();
    try {
      await channel.makeReady(batch.to);
    } catch (error) {
      // The round that needs the batch reads it again, and fails if the fault lasts.
      this.#log.warn({ err: error, channel: channel.name }, 'the next uplink batch could not be prepared');
    }
  }

  async #answered(good: boolean): Promise<void> {
    const cameUp = await this.link.answered(good);
    // While the link was down headquarters may have been replaced or restored.
    if (!cameUp) return;
    this.#report?.makeDue();
    for (const channel of Object.values(this.channels)) channel.callSoon();
  }

  #unreachable(fault: LinkFault, signal: AbortSignal): RoundResult {
    if (signal.aborted) return { again: false };
    this.link.failed(fault);
    for (const channel of this.#cursors) channel.forget();
    return this.#pause();
  }

  /**
   * Until the next attempt, the end of a channel's pause, or the next call that is due although nothing
   * waits.
   */
  #pause(): RoundResult {
    const now = this.#now();
    const due = this.#cursors.map((channel) => (channel.dueAt > now ? channel.dueAt : channel.callAt));
    const next = Math.max(Math.min(...due), this.link.attempts.nextAt);
    return { again: false, pauseMs: Math.max(1, Math.min(next - now, this.#longestPause())) };
  }

  /** A bound on the pause of the loop, so that the ends of its rounds show that it works. */
  #longestPause(): number {
    return Math.max(this.#interval, this.link.attempts.nextAt - this.#now());
  }

  #now(): number {
    return this.#clock.monotonic();
  }
}
