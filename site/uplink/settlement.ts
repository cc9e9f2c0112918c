import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import { type Message, say } from '../../common/message.ts';
import type { ChannelName } from '../../common/uplink/wire.ts';
import { siteMessages } from '../site-messages.ts';
import type { UplinkAlarms } from './alarms.ts';
import type { Accepted, Outcome } from './answer.ts';
import type { Batch } from './batch/batch.ts';
import type { Channel } from './channel.ts';
import type { ParkedItem, UplinkStatePort } from './port.ts';

export interface SettlementOptions {
  store: { uplink: UplinkStatePort; epoch(): string; renewEpoch(known: number): Promise<unknown> };
  channels: Record<ChannelName, Channel>;
  alarms: UplinkAlarms;
  /** Told of each answer of headquarters to a batch. */
  onAnswer: (answer: Accepted) => void;
  clock: Clock;
  log: Logger;
  random: () => number;
}

/** Carries out what an answer means: cursors, parked items, alarms, and the next attempt. */
export class Settlement {
  readonly #options: SettlementOptions;
  #parkedChecked = false;

  constructor(options: SettlementOptions) {
    this.#options = options;
  }

  async settle(channel: Channel, batch: Batch, outcome: Outcome): Promise<void> {
    switch (outcome.kind) {
      case 'answered':
        return this.#answered(channel, batch, outcome.answer);
      case 'cursor_ahead':
        return this.#hubLostData(channel, batch, outcome.known, outcome.epoch);
      case 'sender_rolled_back':
        return this.#restored(channel, batch, outcome.known);
      case 'too_large':
      case 'refused': {
        const [error, message] =
          outcome.kind === 'refused'
            ? [outcome.error, outcome.message]
            : ['too_large', 'headquarters takes no request of this size'];
        this.#options.log.warn(
          {
            channel: channel.name,
            from: batch.from,
            to: batch.to,
            items: batch.marks.length,
            error,
            reason: message,
          },
          'uplink batch refused',
        );
        channel.refused(batch, error, message);
        return;
      }
      case 'failed':
        return this.#failed(channel, outcome);
    }
  }

  async #answered(channel: Channel, batch: Batch, answer: Accepted): Promise<void> {
    await this.#noteEpoch(channel, answer.epoch);
    const parked = parkedOf(channel.name, batch, answer);
    if (answer.cursor > batch.after) {
      await this.#options.store.uplink.advance(
        {
          channel: channel.name,
          hubEpoch: answer.epoch,
          cursor: answer.cursor,
          cursorAt: cursorTime(channel, batch, answer.cursor),
          accepted: answer.accepted,
          duplicates: answer.duplicates,
          parked,
        },
        this.#options.clock.now(),
      );
      channel.moved(answer.epoch, answer.cursor, cursorTime(channel, batch, answer.cursor));
    } else await this.#noteAnswer(channel, answer.epoch);
    if (answer.cursor < batch.to) channel.forget();
    channel.answered(batch, this.#options.clock);
    await this.#options.alarms.clear('clock_skewed');
    if (!batch.more) await this.#caughtUp();
    // A change settles the parked item of what it changes.
    const settles = channel.name === 'verdicts' && batch.marks.length > 0;
    if (parked.length > 0 || settles || !this.#parkedChecked)
      await this.#options.alarms.parked(this.#options.store.uplink);
    this.#parkedChecked = true;
    await this.#options.alarms.doubled(answer.doubled);
    this.#options.onAnswer(answer);
  }

  /**
   * An answer to a request without items moves no cursor; the first one, or one of another hub, is stored.
   */
  async #noteAnswer(channel: Channel, hubEpoch: string): Promise<void> {
    const { lastAckAt, hubEpoch: remembered, cursor, cursorAt } = channel.state;
    if (lastAckAt !== null && remembered === hubEpoch) return;
    await this.#options.store.uplink.advance(
      { channel: channel.name, hubEpoch, cursor, cursorAt, accepted: 0, duplicates: 0, parked: [] },
      this.#options.clock.now(),
    );
    channel.readState();
  }

  async #noteEpoch(channel: Channel, epoch: string): Promise<void> {
    const remembered = channel.state.hubEpoch;
    if (!remembered || remembered === epoch) return;
    for (const each of Object.values(this.#options.channels)) each.callSoon();
    await this.#options.alarms.raise(
      'uplink_hub_epoch_changed',
      'warning',
      { code: 'uplink_hub_epoch_changed', params: {} },
      { before: remembered, now: epoch },
    );
  }

  async #caughtUp(): Promise<void> {
    if (Object.values(this.#options.channels).some(({ behind }) => behind)) return;
    await this.#options.alarms.clear('uplink_hub_lost_data');
  }

  async #hubLostData(channel: Channel, batch: Batch, known: number, epoch: string | null): Promise<void> {
    const { state } = channel;
    if (known >= state.cursor) {
      const fault = { code: 'hub_misses', params: { channel: nameOf(channel), known } } as const;
      return this.#failed(channel, { kind: 'failed', fault, retryAfterMs: 0, skewSeconds: null });
    }
    // This refusal may be the first answer of another store of headquarters. Its epoch is compared before the
    // rewind below stores it.
    if (epoch !== null) await this.#noteEpoch(channel, epoch);
    channel.lost();
    for (const each of Object.values(this.#options.channels)) {
      each.forget();
      each.callSoon();
    }
    await this.#options.store.uplink.rewind(channel.name, known, epoch ?? state.hubEpoch ?? '');
    channel.readState();
    await this.#options.alarms.raise(
      'uplink_hub_lost_data',
      'critical',
      { code: 'uplink_hub_lost_data', params: { channel: nameOf(channel), known, sent: batch.from } },
      { channel: channel.name, known, cursor: batch.from },
    );
  }

  /**
   * This site's own store was restored from an older copy: it takes a new epoch and sends everything again,
   * and headquarters recognises what it has.
   */
  async #restored(channel: Channel, batch: Batch, known: number): Promise<void> {
    const before = this.#options.store.epoch();
    await this.#options.store.renewEpoch(channel.name === 'events' ? known : 0);
    for (const each of Object.values(this.#options.channels)) {
      each.forget();
      each.callSoon();
      await this.#options.store.uplink.rewind(each.name, 0, each.state.hubEpoch ?? '');
      each.readState();
    }
    // Headquarters may repeat this answer: the backoff keeps the exchange slow.
    channel.attempts.failed(
      { code: 'store_older', params: {} },
      this.#options.clock.monotonic(),
      this.#options.random(),
    );
    this.#options.log.error(
      { channel: channel.name, known, from: batch.from, before, epoch: this.#options.store.epoch() },
      'this store is an old copy; it continues under a new epoch',
    );
    await this.#options.alarms.raise(
      'store_restored',
      'critical',
      { code: 'store_restored', params: { channel: nameOf(channel), known } },
      { channel: channel.name, known, epochBefore: before, epoch: this.#options.store.epoch() },
    );
  }

  async #failed(channel: Channel, outcome: Extract<Outcome, { kind: 'failed' }>): Promise<void> {
    channel.forget();
    const retryInMs = channel.attempts.failed(
      outcome.fault,
      this.#options.clock.monotonic(),
      this.#options.random(),
      outcome.retryAfterMs,
    );
    const reason = say(siteMessages, outcome.fault, 'en');
    this.#options.log.warn(
      { channel: channel.name, failures: channel.attempts.failures, retryInMs, reason },
      'uplink request failed',
    );
    if (outcome.skewSeconds === null) return;
    await this.#options.alarms.raise(
      'clock_skewed',
      'critical',
      { code: 'clock_skewed', params: { fault: outcome.fault } },
      { seconds: outcome.skewSeconds },
    );
  }
}

const nameOf = ({ name }: Channel): Message => ({ code: `${name}_channel`, params: {} });

/** What headquarters refused of the range that it answered, and what was left out of the request. */
function parkedOf(channel: ChannelName, batch: Batch, answer: Accepted): ParkedItem[] {
  const refused = answer.rejected.map(({ originId, error, message }) => ({
    channel,
    originId,
    error,
    message,
  }));
  return [...refused, ...batch.withheld].filter((item) => item.originId <= answer.cursor);
}

/** Time of the last change at or before `cursor`. */
function cursorTime(channel: Channel, batch: Batch, cursor: number): number | null {
  return batch.marks.findLast((mark) => mark.position <= cursor)?.at ?? channel.state.cursorAt;
}
