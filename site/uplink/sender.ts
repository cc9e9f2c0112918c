import type { Clock } from '../../common/clock.ts';
import { Loop, type RoundResult } from '../../common/loop.ts';
import type { ChannelName } from '../../common/uplink/wire.ts';
import type { LinkFault } from '../site-messages.ts';
import { UplinkAlarms } from './alarms.ts';
import type { Accepted } from './answer.ts';
import type { Next } from './batch/ahead.ts';
import { Dispatch } from './batch/dispatch.ts';
import { ChangeSender } from './changes/sender.ts';
import type { Channel } from './channel.ts';
import { createChannels } from './channels.ts';
import { Hub } from './hub.ts';
import type { Inbox } from './inbox/inbox.ts';
import { InboxPoll } from './inbox/poll.ts';
import { createLink, type Link } from './link.ts';
import { Mutex } from './mutex.ts';
import { Report } from './report.ts';
import type { SenderOptions } from './sender-options.ts';
import { Settlement } from './settlement.ts';

/**
 * Sends events, and beside them the log of changes, to headquarters (spec 2, "Uplink configuration";
 * DESIGN.md, "Uplink"), and settles one answer at a time. Invariants: the cursor of a channel moves only to
 * what headquarters answered, together with what it refused; at most two batches of events are in memory, the
 * one in flight and the next, which may be in flight too; no item is given up without being parked.
 */
export class UplinkSender {
  readonly loop: Loop;
  readonly channels: Record<ChannelName, Channel>;
  readonly link: Link;
  readonly alarms: UplinkAlarms;
  readonly inbox: Inbox;
  readonly hub: Hub;
  /** Sends what goes up beside events. */
  readonly changes: ChangeSender;
  readonly poll: InboxPoll;
  /** Most items of one request. */
  readonly batch: number;
  /** Whose events headquarters takes of this site; null until it says so. */
  tenants: readonly string[] | null = null;
  /** Goes with every request. */
  readonly envelope: () => { version: string; instance: string; epoch: string };
  #interval: number;
  #clock: Clock;
  #dispatch: Dispatch;
  #settlement: Settlement;
  /** What headquarters is told of this machine; goes with the channel of changes. */
  readonly report: Report;
  #mutex = new Mutex();

  constructor(options: SenderOptions) {
    const { store, clock, log, random = Math.random } = options;
    this.#clock = clock;
    this.#interval = options.interval ?? 3_000;
    this.batch = options.batch ?? 200;
    this.envelope = () => ({ version: options.version, instance: options.instance, epoch: store.epoch() });
    this.hub = new Hub(options);
    this.alarms = new UplinkAlarms(options.alarms, options.instance, clock);
    this.inbox = options.inbox;
    this.report = new Report(clock, log);
    const answered = store.uplink.channel('events').lastAckAt !== null;
    this.link = createLink({ ...options, random }, answered);
    const { batch, envelope } = this;
    this.channels = createChannels(store, { batch, envelope }, this.report, {
      interval: this.#interval,
      held: () => this.link.held,
    });
    const { events } = this.channels;
    this.#dispatch = new Dispatch({ hub: this.hub, channel: events, clock, log, random });
    this.#settlement = this.#createSettlement(options, random);
    this.changes = this.#createChangeSender(options, random);
    this.poll = this.#createPoll(options, random);
    this.link.onReturn(() => this.kick());
    options.alarms.onChange(({ severity }) => severity === 'critical' && this.#tellInHaste());
    this.loop = new Loop({
      name: 'uplink',
      interval: this.#interval,
      log,
      monotonic: () => clock.monotonic(),
      round: (signal) => this.round(signal),
      random,
    });
  }

  #createSettlement({ store, evidence, notifications, clock, log }: SenderOptions, random: () => number) {
    const { channels, alarms } = this;
    // Any channel's: one may wait for another, and is empty until that is done.
    const draining = (): boolean => Object.values(channels).some((each) => each.draining);
    const onAnswer = ({ tenants }: Accepted): void => {
      this.tenants = tenants;
      evidence.answered(draining);
      notifications.answered();
    };
    return new Settlement({ store, channels, alarms, onAnswer, clock, log, random });
  }

  #createChangeSender({ store, clock, log }: SenderOptions, random: () => number): ChangeSender {
    const { events, verdicts: channel } = this.channels;
    return new ChangeSender({
      channel,
      hub: this.hub,
      link: this.link,
      settlement: this.#settlement,
      mutex: this.#mutex,
      draining: () => events.draining,
      head: () => store.changes.head(),
      epoch: () => store.epoch(),
      interval: this.#interval,
      clock,
      log,
      random,
    });
  }

  #createPoll(options: SenderOptions, random: () => number): InboxPoll {
    return new InboxPoll({
      sender: options,
      inbox: this.inbox,
      link: this.link,
      envelope: this.envelope,
      onTenants: (tenants) => (this.tenants = tenants),
      onDoubt: () => this.#doubt(),
      report: this.report,
      interval: this.#interval,
      random,
    });
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    for (const channel of Object.values(this.channels)) channel.forget();
    await this.link.stop();
  }

  /** Ends every backoff and tries at once: the link is back, or a person asks for it. */
  kick(): void {
    this.link.attempts.hasten();
    for (const channel of Object.values(this.channels)) channel.attempts.hasten();
    this.loop.kick();
    this.changes.loop.kick();
    this.poll.loop.kick();
  }

  /** Something new is to be sent: wakes an idle sender, but ends no backoff. */
  notify(): void {
    if (this.link.backingOff) return;
    this.loop.kick();
    this.changes.loop.kick();
  }

  /** Runs `work` between two rounds, so that no position changes meanwhile. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#mutex.run(work);
  }

  /** Sends one batch of events when one is due. */
  round(signal: AbortSignal): Promise<RoundResult> {
    return this.#mutex.run(() => this.#round(signal));
  }

  async #round(signal: AbortSignal): Promise<RoundResult> {
    if (this.link.backingOff) return this.#pause();
    const fault = await this.link.fault(signal);
    if (fault) return this.#unreachable(fault, signal);
    const { events } = this.channels;
    if (events.dueAt > this.#now()) return this.#pause();
    const next = await events.take(events.callAt <= this.#now());
    const nothing = next.batch.to === next.batch.after;
    return nothing && events.callAt > this.#now() ? this.#pause() : this.#send(events, next, signal);
  }

  async #send(channel: Channel, next: Next, signal: AbortSignal): Promise<RoundResult> {
    const { batch } = next;
    const outcome = await this.#dispatch.send(next, signal);
    if (outcome === null) return { again: true };
    if (signal.aborted && outcome.kind === 'unreachable') return { again: false };
    if (outcome.kind === 'unreachable') {
      if (outcome.late) channel.shrink(batch);
      return this.#unreachable(outcome.fault, signal, outcome.late);
    }
    await this.#answered(channel, outcome.kind !== 'failed');
    await this.#settlement.settle(channel, batch, outcome);
    // What names these events may go up now.
    this.changes.loop.kick();
    return { again: true };
  }

  async #answered(by: Channel, good: boolean): Promise<void> {
    const cameUp = await this.link.answered(good);
    // While the link was down headquarters may have been replaced or restored.
    if (!cameUp) return;
    this.report.makeDue();
    for (const channel of Object.values(this.channels)) if (channel !== by) channel.callSoon();
    this.poll.loop.kick();
  }

  /** A critical alarm began or ended: headquarters hears of it at once. */
  #tellInHaste(): void {
    if (this.poll.breakIn() || !this.report.known) return;
    this.report.makeDue();
    this.channels.verdicts.callSoon();
    this.notify();
  }

  /** All positions are to be compared with headquarters. */
  #doubt(): void {
    for (const channel of Object.values(this.channels)) channel.callSoon();
    this.notify();
  }

  get #loops(): readonly Loop[] {
    return [this.loop, this.changes.loop, this.poll.loop, this.inbox.loop];
  }

  #unreachable(fault: LinkFault, signal: AbortSignal, silent = false): RoundResult {
    if (signal.aborted) return { again: false };
    this.link.failed(fault, silent);
    for (const channel of Object.values(this.channels)) channel.forget();
    return this.#pause();
  }

  /** Until the next attempt, the end of the channel's pause, or the next call although nothing waits. */
  #pause(): RoundResult {
    const now = this.#now();
    const { dueAt, callAt } = this.channels.events;
    const next = Math.max(dueAt > now ? dueAt : callAt, this.link.attempts.nextAt);
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
