import type { Clock } from '../../common/clock.ts';
import { AppError, conflict, notFound } from '../../common/http/error.ts';
import { say } from '../../common/message.ts';
import { type ChannelName, channelNames, MAX_ITEMS } from '../../common/uplink/wire.ts';
import { siteMessages } from '../site-messages.ts';
import type { Accepted } from './answer.ts';
import { type Batch, cutCount, encode, requestText } from './batch/batch.ts';
import type { ParkedItem, ParkedRecord, ParkedState, UplinkStatePort } from './port.ts';
import type { UplinkSender } from './sender.ts';
import type { SourceItem } from './source.ts';

/** What a refused replay is told to wait, seconds. */
const RETRY_AFTER_S = 30;
/** Most parked items of one replay; the others are left for the next one. */
const MOST_PARKED = 100_000;

export interface ParkedOptions {
  uplink: UplinkStatePort;
  /** null while the uplink is not configured. */
  sender: UplinkSender | null;
  clock: Clock;
}

export interface ReplayResult {
  /** Accepted by headquarters now. */
  replayed: { channel: ChannelName; originId: number }[];
  /** Refused again, or no longer kept here. */
  refused: ParkedItem[];
}

/**
 * Items that headquarters refused: they are listed, and a person has them sent again or discards them
 * (DESIGN.md, "Uplink").
 */
export class ParkedService {
  readonly #options: ParkedOptions;

  constructor(options: ParkedOptions) {
    this.#options = options;
  }

  list(filter: { channel?: ChannelName; state?: ParkedState }, limit: number): ParkedRecord[] {
    return this.#options.uplink.parked(filter, limit);
  }

  /**
   * Sends parked items again, as they are in the store now. No cursor moves.
   * @throws AppError 404 for an id that is not parked, 409 when the uplink is off or out of step, 503 when
   *   headquarters does not answer
   */
  async replay(wanted: { channel?: ChannelName; originIds?: readonly number[] }): Promise<ReplayResult> {
    const sender = this.#options.sender;
    if (!sender) throw conflict('uplink_disabled', 'The uplink is off; set CORE_UPLINK_URL.');
    const result: ReplayResult = { replayed: [], refused: [] };
    for (const channel of channelNames) {
      if (wanted.channel !== undefined && wanted.channel !== channel) continue;
      const ids = this.#ids(channel, wanted.originIds);
      await new Replay(sender, this.#options.uplink, this.#options.clock, channel).run(ids, result);
    }
    await sender.alarms.parked(this.#options.uplink);
    return result;
  }

  /** @throws AppError 404 when it is not parked */
  async discard(channel: ChannelName, originId: number, actor: string): Promise<void> {
    if (!(await this.#options.uplink.discard(channel, originId, this.#options.clock.now(), actor)))
      throw notFound(`A parked item ${originId} of ${channel}`);
    await this.#options.sender?.alarms.parked(this.#options.uplink);
  }

  #ids(channel: ChannelName, wanted: readonly number[] | undefined): number[] {
    const parked = this.#options.uplink
      .parked({ channel, state: 'parked' }, MOST_PARKED)
      .map((item) => item.originId);
    if (!wanted) return parked;
    const known = new Set(parked);
    const missing = wanted.find((id) => !known.has(id));
    if (missing !== undefined) throw notFound(`A parked item ${missing} of ${channel}`);
    return [...new Set(wanted)].sort((a, b) => a - b);
  }
}

/** One replay of one channel; each of its batches is sent between two rounds of the sender. */
class Replay {
  #sender: UplinkSender;
  #uplink: UplinkStatePort;
  #clock: Clock;
  #channel: ChannelName;

  constructor(sender: UplinkSender, uplink: UplinkStatePort, clock: Clock, channel: ChannelName) {
    this.#sender = sender;
    this.#uplink = uplink;
    this.#clock = clock;
    this.#channel = channel;
  }

  async run(ids: readonly number[], result: ReplayResult): Promise<void> {
    const step = Math.min(this.#sender.batch, MAX_ITEMS);
    for (let at = 0; at < ids.length; at += step) {
      await this.#sender.exclusively(() => this.#some(ids.slice(at, at + step), result));
    }
  }

  async #some(ids: readonly number[], result: ReplayResult): Promise<void> {
    const items: SourceItem[] = [];
    const gone: ParkedItem[] = [];
    for (const id of ids) {
      const item = await this.#sender.channels[this.#channel].source.one(id);
      if (item) items.push(item);
      else
        gone.push(
          this.#refusal(
            id,
            'no_longer_kept',
            'it is no longer in the store of this site; only discarding it is left',
          ),
        );
    }
    if (gone.length > 0) await this.#settle([], gone, result);
    await this.#send(items, result);
  }

  /** Halves what is refused as a whole, until the item at fault is alone. */
  async #send(items: readonly SourceItem[], result: ReplayResult): Promise<void> {
    if (items.length === 0) return;
    const fit = cutCount(items);
    if (fit < items.length) {
      await this.#send(items.slice(0, fit), result);
      return this.#send(items.slice(fit), result);
    }
    const outcome = await this.#sender.hub.post(await this.#batch(items), new AbortController().signal);
    switch (outcome.kind) {
      case 'answered':
        return this.#answered(items, outcome.answer, result);
      case 'too_large':
        return this.#refused(items, 'too_large', 'headquarters takes no request of this size', result);
      case 'refused':
        return this.#refused(items, outcome.error, outcome.message, result);
      case 'cursor_ahead':
      case 'sender_rolled_back':
        this.#sender.kick();
        throw conflict(
          'uplink_out_of_step',
          'Headquarters and this site are comparing their positions; send the same request again in a ' +
            'moment.',
          true,
        );
      case 'failed':
      case 'unreachable':
        throw new AppError(
          503,
          'hub_unavailable',
          `Nothing was decided: ${say(siteMessages, outcome.fault, 'en')}.`,
          { retryAfterSeconds: RETRY_AFTER_S },
        );
    }
  }

  #answered(items: readonly SourceItem[], answer: Accepted, result: ReplayResult): Promise<void> {
    const refused = answer.rejected.map((item) => this.#refusal(item.originId, item.error, item.message));
    const bad = new Set(refused.map((item) => item.originId));
    const accepted = items.map((item) => item.position).filter((id) => !bad.has(id));
    return this.#settle(accepted, refused, result);
  }

  /** Headquarters refused these items as a whole: each half is tried by itself. */
  async #refused(
    items: readonly SourceItem[],
    error: string,
    message: string,
    result: ReplayResult,
  ): Promise<void> {
    if (items.length > 1) {
      const half = Math.ceil(items.length / 2);
      await this.#send(items.slice(0, half), result);
      return this.#send(items.slice(half), result);
    }
    const alone = items.map((item) => this.#refusal(item.position, error, message));
    return this.#settle([], alone, result);
  }

  /** A batch whose range is empty at the cursor, so that it moves nothing. */
  async #batch(items: readonly SourceItem[]): Promise<Batch> {
    const { cursor, cursorAt } = this.#uplink.channel(this.#channel);
    const envelope = this.#sender.envelope();
    const bounds = await this.#sender.channels[this.#channel].source.bounds();
    const encoded = await encode(
      requestText({ ...envelope, ...bounds }, { from: cursor, to: cursor, at: cursorAt }, items),
    );
    return {
      channel: this.#channel,
      epoch: envelope.epoch,
      head: bounds.head,
      after: cursor,
      from: cursor,
      to: cursor,
      ...encoded,
      marks: items.map(({ position, at }) => ({ position, at })),
      withheld: [],
      asked: 0,
      more: false,
    };
  }

  async #settle(
    accepted: readonly number[],
    refused: readonly ParkedItem[],
    result: ReplayResult,
  ): Promise<void> {
    await this.#uplink.replayed(this.#channel, accepted, refused, this.#clock.now());
    result.replayed.push(...accepted.map((originId) => ({ channel: this.#channel, originId })));
    result.refused.push(...refused);
  }

  #refusal(originId: number, error: string, message: string): ParkedItem {
    return { channel: this.#channel, originId, error, message };
  }
}
