import { type Clock, stampOf } from '../../common/clock.ts';
import { AppError } from '../../common/http/error.ts';
import {
  BATCH_MISSING,
  type ChannelName,
  HUB_FEATURES,
  PROTOCOL,
  type UplinkAnswer,
  type UplinkRequest,
} from '../../common/uplink/wire.ts';
import { SenderWatch } from './admission/senders.ts';
import { Succession } from './admission/succession.ts';
import type { BatchAlarms } from './alarm/batch-alarms.ts';
import type { ChannelAlarms } from './alarm/channel-alarms.ts';
import type { Contacts } from './contact/contacts.ts';
import type { QuietSite, QuietSites } from './contact/quiet.ts';
import { changeItems, eventItems, headOf } from './items.ts';
import type { BatchHead, ReceiverPort, StoredBatch, StoreOutcome } from './port.ts';
import type { SiteReports } from './report.ts';
import { checkSender } from './sender.ts';

export interface ReceiverOptions {
  receiver: ReceiverPort;
  contacts: Contacts;
  quiet: QuietSites;
  reports: SiteReports;
  batchAlarms: BatchAlarms;
  channelAlarms: ChannelAlarms;
  clock: Clock;
  /** Epoch of this store. */
  epoch: () => string;
  /** Name of headquarters. */
  self: string;
  /** Told how many events of a batch came under idempotency keys of other events. */
  onConflicts: (count: number) => void;
}

/** Items that could not be taken, or decisions that a site did not carry out, since the start. */
export interface ReceiverCounts {
  conflicts: number;
  foreign: number;
  refused: number;
  failed: number;
}

/** Stores what the sites send (DESIGN.md, "Uplink"). */
export class ReceiverService {
  readonly counts: ReceiverCounts = { conflicts: 0, foreign: 0, refused: 0, failed: 0 };
  readonly #options: ReceiverOptions;
  #senders = new SenderWatch();
  #succession = new Succession();

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  /**
   * Stores one batch and answers its sender.
   * @param caller `subject`: the instance that the request was signed for; `gone`: whether it has hung up
   * @throws AppError 400, 403 for another instance or an unknown site, 409 `cursor_ahead`,
   *   `sender_rolled_back` or `batch_missing` with `known` and `epoch`
   */
  async receive(
    channel: ChannelName,
    request: UplinkRequest,
    { subject, gone }: { subject: string; gone: () => boolean },
  ): Promise<UplinkAnswer> {
    checkSender(request, subject);
    const head = headOf(request);
    const site = this.#options.quiet.of(head.instance, request.features ?? []);
    const empty = this.#options.quiet.isEmpty(site, channel, head, request.items.length);
    const outcome = empty ? nothingStored(head.to) : await this.#store(channel, head, request.items);
    await this.#options.contacts.note(request);
    await this.#options.reports.keep(request.instance, request.report);
    const epochs = this.#senders.saw(head.instance, head.epoch, this.#options.clock.monotonic());
    if (epochs) await this.#options.channelAlarms.twoSenders(head.instance, epochs);
    if (outcome.kind === 'early') throw this.#missing(outcome.known);
    if (outcome.kind === 'cursor_ahead') throw await this.#cursorAhead(channel, head, outcome.known);
    if (outcome.kind === 'sender_rolled_back') {
      // What a hub that was frozen reads late is older than what another has stored meanwhile, and proves
      // nothing; a site that did go back comes again with it.
      if (!gone()) await this.#options.channelAlarms.rolledBack(channel, head, outcome.known);
      throw this.#rolledBack(outcome.known);
    }
    if (outcome.gap) await this.#options.channelAlarms.gap(channel, head, outcome.gap);
    this.#options.quiet.stored(site, channel, head.epoch, outcome.cursor);
    this.#count(outcome);
    await this.#options.batchAlarms.raise(head.instance, channel, outcome);
    if (outcome.newStore && channel === 'events')
      await this.#options.channelAlarms.newStore(head, outcome.newStore);
    return this.#answer(head.instance, outcome, site);
  }

  /** Stores a batch once the one before it was stored, and reads it meanwhile. */
  async #store(channel: ChannelName, head: BatchHead, values: readonly unknown[]): Promise<StoreOutcome> {
    const place = this.#succession.enter(channel, head);
    try {
      const write = await this.#read(channel, head, values);
      await place.before();
      let outcome = await write();
      while (outcome.kind === 'early' && (await place.again())) outcome = await write();
      return outcome;
    } finally {
      place.end();
    }
  }

  /** Checks the items. @returns stores them */
  async #read(
    channel: ChannelName,
    head: BatchHead,
    values: readonly unknown[],
  ): Promise<() => Promise<StoreOutcome>> {
    if (channel === 'events') {
      const { items, rejected } = await eventItems(values, head.instance);
      return () => this.#options.receiver.storeEvents(head, items, rejected, this.#options.clock.now());
    }
    const names = { sender: head.instance, self: this.#options.self };
    const { items, rejected } = await changeItems(values, names);
    return () => this.#options.receiver.storeChanges(head, items, rejected, stampOf(this.#options.clock));
  }

  #missing(known: number): AppError {
    return new AppError(
      409,
      BATCH_MISSING,
      `The batch before this one did not come; up to ${known} is held here. Send this one again after it.`,
      { extra: { known, epoch: this.#options.epoch() } },
    );
  }

  async #cursorAhead(channel: ChannelName, head: BatchHead, known: number): Promise<AppError> {
    // A new store, or a new epoch of a site, begins at 0: that is no loss.
    if (known > 0) await this.#options.channelAlarms.dataLost(channel, head, known);
    return new AppError(
      409,
      'cursor_ahead',
      `Only what stands up to ${known} is held here; go back to it and send again from there.`,
      { extra: { known, epoch: this.#options.epoch() } },
    );
  }

  #rolledBack(known: number): AppError {
    return new AppError(
      409,
      'sender_rolled_back',
      `Up to ${known} is held here, more than the sender ever had by its own account; take a new epoch ` +
        'and continue after it.',
      { extra: { known, epoch: this.#options.epoch() } },
    );
  }

  #count({ conflicts, foreign, refused, failed }: StoredBatch): void {
    this.counts.failed += failed.length;
    this.counts.conflicts += conflicts.length;
    this.counts.foreign += foreign.length;
    this.counts.refused += refused.length;
    if (conflicts.length > 0) this.#options.onConflicts(conflicts.length);
  }

  async #answer(instance: string, stored: StoredBatch, site: QuietSite): Promise<UplinkAnswer> {
    const tenants = await this.#options.quiet.tenantsOf(site, instance);
    const { accepted, duplicates, cursor, rejected } = stored;
    const doubled = this.#senders.doubled(instance, this.#options.clock.monotonic());
    return {
      protocol: PROTOCOL,
      epoch: this.#options.epoch(),
      accepted,
      duplicates,
      cursor,
      rejected,
      ...(tenants ? { tenants } : {}),
      ...(doubled ? { doubled } : {}),
      features: HUB_FEATURES,
    };
  }
}

/** What an empty call comes to whose position is the one held. */
const nothingStored = (cursor: number): StoredBatch => ({
  kind: 'stored',
  ...{ accepted: 0, duplicates: 0, cursor, rejected: [], gap: null, conflicts: [], foreign: [] },
  ...{ refused: [], refusedOrders: [], failed: [], sameAs: null, newStore: null },
});
