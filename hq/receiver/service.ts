import { stampOf, type Clock } from '../../common/clock.ts';
import { AppError, forbidden } from '../../common/http/error.ts';
import { EVIDENCE, type EvidenceWant } from '../../common/uplink/evidence.ts';
import { MAX_ORDERS, type Order } from '../../common/uplink/order.ts';
import {
  HUB_FEATURES,
  ORDERS,
  PROTOCOL,
  type ChannelName,
  type Decision,
  type UplinkAnswer,
  type UplinkRequest,
} from '../../common/uplink/wire.ts';
import type { BatchAlarms } from './batch-alarms.ts';
import type { ChannelAlarms } from './channel-alarms.ts';
import { changeItems, eventItems, headOf, workItems } from './items.ts';
import type { OrderPort } from './order/port.ts';
import type { Contacts } from './contact/contacts.ts';
import type { QuietSite, QuietSites } from './contact/quiet.ts';
import type {
  BatchHead,
  DecisionPort,
  PendingDecision,
  ReceiverPort,
  StoredBatch,
  StoreOutcome,
} from './port.ts';
import type { SiteReports } from './report.ts';
import { SenderWatch } from './senders.ts';

export interface ReceiverOptions {
  receiver: ReceiverPort;
  contacts: Contacts;
  quiet: QuietSites;
  decisions: DecisionPort;
  orders: Pick<OrderPort, 'pending'>;
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
  /** What goes down beside the decisions. */
  beside: DownlinkExtras;
}

/** `looked`: what is wanted of the site was looked at, so that no file means that none is. */
export type DownlinkExtras = (
  request: UplinkRequest,
) => Promise<{ evidence: EvidenceWant[] | undefined; looked: boolean }>;

interface Downlink {
  pending: Awaited<ReturnType<DecisionPort['pending']>>;
  orders: Order[] | null;
  evidence: EvidenceWant[] | undefined;
}

/** Items that could not be taken, or decisions that a site did not carry out, since the start. */
export interface ReceiverCounts {
  conflicts: number;
  foreign: number;
  refused: number;
}

/** Decisions that one answer carries at most. */
const MAX_DECISIONS = 50;

/** Stores what the sites send, and answers with what was decided here (design §6, "Uplink"). */
export class ReceiverService {
  readonly counts: ReceiverCounts = { conflicts: 0, foreign: 0, refused: 0 };
  #receiver: ReceiverPort;
  #contacts: Contacts;
  #quiet: QuietSites;
  #decisions: DecisionPort;
  #orders: Pick<OrderPort, 'pending'>;
  #reports: SiteReports;
  #batchAlarms: BatchAlarms;
  #channelAlarms: ChannelAlarms;
  #clock: Clock;
  #epoch: () => string;
  #self: string;
  #onConflicts: (count: number) => void;
  #beside: DownlinkExtras;
  #senders = new SenderWatch();

  constructor(options: ReceiverOptions) {
    this.#receiver = options.receiver;
    this.#contacts = options.contacts;
    this.#quiet = options.quiet;
    this.#decisions = options.decisions;
    this.#orders = options.orders;
    this.#reports = options.reports;
    this.#batchAlarms = options.batchAlarms;
    this.#channelAlarms = options.channelAlarms;
    this.#clock = options.clock;
    this.#epoch = options.epoch;
    this.#self = options.self;
    this.#onConflicts = options.onConflicts;
    this.#beside = options.beside;
  }

  /**
   * Stores one batch and answers its sender.
   * @param subject instance that the request was signed for
   * @throws AppError 400, 403 for another instance or an unknown site, 409 `cursor_ahead` or
   *   `sender_rolled_back` with `known` and `epoch`
   */
  async receive(channel: ChannelName, request: UplinkRequest, subject: string): Promise<UplinkAnswer> {
    checkSender(request, subject);
    const head = headOf(request);
    const site = this.#quiet.of(head.instance, request.features ?? []);
    const empty = this.#quiet.isEmpty(site, channel, head, request.items.length);
    const outcome = empty ? nothingStored(head.to) : await this.#store(channel, head, request.items);
    await this.#contacts.note(request);
    await this.#reports.keep(request.instance, request.report);
    const epochs = this.#senders.saw(head.instance, head.epoch, this.#clock.monotonic());
    if (epochs) await this.#channelAlarms.twoSenders(head.instance, epochs);
    if (outcome.kind === 'cursor_ahead') throw await this.#cursorAhead(channel, head, outcome.known);
    if (outcome.kind === 'sender_rolled_back') throw await this.#rolledBack(channel, head, outcome.known);
    if (outcome.gap) await this.#channelAlarms.gap(channel, head, outcome.gap);
    this.#quiet.stored(site, channel, head.epoch, outcome.cursor);
    this.#count(outcome);
    await this.#batchAlarms.raise(head.instance, outcome);
    if (outcome.newStore && channel === 'events')
      await this.#channelAlarms.newStore(head, outcome.newStore.through);
    return this.#answer(request, outcome, site);
  }

  async #store(channel: ChannelName, head: BatchHead, values: readonly unknown[]): Promise<StoreOutcome> {
    const now = this.#clock.now();
    if (channel === 'events') {
      const { items, rejected } = await eventItems(values, head.instance);
      return this.#receiver.storeEvents(head, items, rejected, now);
    }
    if (channel === 'work') {
      const { items, rejected } = await workItems(values);
      return this.#receiver.storeWork(head, items, rejected, stampOf(this.#clock));
    }
    const names = { sender: head.instance, self: this.#self };
    const { items, rejected } = await changeItems(values, names);
    return this.#receiver.storeChanges(head, items, rejected, now, () => this.#clock.newId());
  }

  async #cursorAhead(channel: ChannelName, head: BatchHead, known: number): Promise<AppError> {
    // A new store, or a new epoch of a site, begins at 0: that is no loss.
    if (known > 0) await this.#channelAlarms.dataLost(channel, head, known);
    return new AppError(
      409,
      'cursor_ahead',
      `Only what stands up to ${known} is held here; go back to it and send again from there.`,
      { extra: { known, epoch: this.#epoch() } },
    );
  }

  async #rolledBack(channel: ChannelName, head: BatchHead, known: number): Promise<AppError> {
    await this.#channelAlarms.rolledBack(channel, head, known);
    return new AppError(
      409,
      'sender_rolled_back',
      `Up to ${known} is held here, more than the sender ever had by its own account; take a new epoch ` +
        'and continue after it.',
      { extra: { known, epoch: this.#epoch() } },
    );
  }

  #count({ conflicts, foreign, refused }: StoredBatch): void {
    this.counts.conflicts += conflicts.length;
    this.counts.foreign += foreign.length;
    this.counts.refused += refused.length;
    if (conflicts.length > 0) this.#onConflicts(conflicts.length);
  }

  async #answer(request: UplinkRequest, stored: StoredBatch, site: QuietSite): Promise<UplinkAnswer> {
    const { pending, orders, evidence } = this.#quiet.isQuiet(site, request.instance)
      ? nothingWaits(request)
      : await this.#downlink(request, site);
    await this.#batchAlarms.withheld(request.instance, pending.withheld, request.version);
    const tenants = await this.#quiet.tenantsOf(site, request.instance);
    const { accepted, duplicates, cursor, rejected } = stored;
    return {
      protocol: PROTOCOL,
      epoch: this.#epoch(),
      accepted,
      duplicates,
      cursor,
      rejected,
      decisions: pending.decisions.map((one) => this.#onTheWire(one)),
      decisionsWaiting: pending.waiting,
      ...(orders ? { orders } : {}),
      ...(evidence ? { evidence } : {}),
      ...(tenants ? { tenants } : {}),
      features: HUB_FEATURES,
    };
  }

  async #downlink(request: UplinkRequest, site: QuietSite): Promise<Downlink> {
    const { instance, features = [] } = request;
    // One after another: a batch holds one connection to the database, whatever is asked for it.
    const pending = await this.#decisions.pending(instance, features, MAX_DECISIONS);
    const orders = features.includes(ORDERS) ? await this.#orders.pending(instance, MAX_ORDERS) : null;
    const { evidence, looked } = await this.#beside(request);
    const none = pending.waiting === 0 && (orders?.length ?? 0) === 0 && (evidence?.length ?? 0) === 0;
    if (looked || !none) site.nothingWaits = none;
    return { pending, orders, evidence };
  }

  /** The store writes null for headquarters; a site knows headquarters by its name. */
  #onTheWire({ merged_into_instance: from, ...decision }: PendingDecision): Decision {
    if (decision.merged_into_key === null) return decision;
    return { ...decision, merged_into_instance: from ?? this.#self };
  }
}

/** @throws AppError 403 for another instance than that of the key, 400 protocol_unsupported */
function checkSender(request: UplinkRequest, subject: string): void {
  if (request.instance !== subject) {
    throw forbidden(
      `This key is of the site ${subject}; it cannot speak for ${request.instance}. CORE_INSTANCE ` +
        'there must be the name registered here.',
    );
  }
  if (request.protocol > PROTOCOL) {
    throw new AppError(
      400,
      'protocol_unsupported',
      `Protocol ${request.protocol} is not spoken here, only up to ${PROTOCOL}; update headquarters.`,
      { extra: { protocol: PROTOCOL } },
    );
  }
}

/** What an empty call comes to whose position is the one held. */
const nothingStored = (cursor: number): StoredBatch => ({
  kind: 'stored',
  ...{ accepted: 0, duplicates: 0, cursor, rejected: [], gap: null, conflicts: [], foreign: [] },
  ...{ refused: [], refusedOrders: [], sameAs: null, newStore: null },
});

const nothingWaits = ({ features = [] }: UplinkRequest): Downlink => ({
  pending: { decisions: [], waiting: 0, withheld: 0 },
  orders: features.includes(ORDERS) ? [] : null,
  evidence: features.includes(EVIDENCE) ? [] : undefined,
});
