import { EVIDENCE, type EvidenceWant } from '../../../common/uplink/evidence.ts';
import { MAX_ORDERS, type Order } from '../../../common/uplink/order.ts';
import { type Decision, ORDERS } from '../../../common/uplink/wire.ts';
import type { BatchAlarms } from '../batch-alarms.ts';
import type { QuietSite, QuietSites } from '../contact/quiet.ts';
import type { OrderPort } from '../order/port.ts';
import type { DecisionPort, PendingDecision } from '../port.ts';

/** Decisions that one answer carries at most. */
const MAX_DECISIONS = 50;

/** The site that is answered, as its call names it. */
export interface Caller {
  instance: string;
  version: string;
  /** Of its store. */
  epoch: string;
  features?: string[] | undefined;
}

/** What goes down to a site with an answer. */
export interface Downlink {
  decisions: Decision[];
  decisionsWaiting: number;
  orders?: Order[];
  evidence?: EvidenceWant[];
  /** Tenants whose events it may bring. */
  tenants?: readonly string[];
}

/** `looked`: what is wanted of the site was looked at, so that no file means that none is. */
export type DownlinkExtras = (
  caller: Caller,
) => Promise<{ evidence: EvidenceWant[] | undefined; looked: boolean }>;

export interface DownlinkOptions {
  decisions: Pick<DecisionPort, 'pending'>;
  orders: Pick<OrderPort, 'pending'>;
  /** What goes down beside the decisions. */
  beside: DownlinkExtras;
  batchAlarms: BatchAlarms;
  quiet: QuietSites;
  /** Name of headquarters. */
  self: string;
}

/** Reads what waits for a site, or knows that nothing does. */
export class Downlinks {
  #decisions: Pick<DecisionPort, 'pending'>;
  #orders: Pick<OrderPort, 'pending'>;
  #beside: DownlinkExtras;
  #batchAlarms: BatchAlarms;
  #quiet: QuietSites;
  #self: string;

  constructor(options: DownlinkOptions) {
    this.#decisions = options.decisions;
    this.#orders = options.orders;
    this.#beside = options.beside;
    this.#batchAlarms = options.batchAlarms;
    this.#quiet = options.quiet;
    this.#self = options.self;
  }

  /** @param site its record, taken before anything was read for the call */
  async of(caller: Caller, site: QuietSite): Promise<Downlink> {
    const tenants = await this.#quiet.tenantsOf(site, caller.instance);
    return { ...(await this.#waiting(caller, site)), ...(tenants ? { tenants } : {}) };
  }

  async #waiting(caller: Caller, site: QuietSite): Promise<Downlink> {
    if (!this.#quiet.isQuiet(site, caller.instance)) return this.#read(caller, site);
    await this.#batchAlarms.withheld(caller.instance, 0, caller.version);
    return nothingWaits(caller);
  }

  async #read(caller: Caller, site: QuietSite): Promise<Downlink> {
    const { instance, version, features = [] } = caller;
    // One after another: a call holds one connection to the database, whatever is asked for it.
    const pending = await this.#decisions.pending(instance, features, MAX_DECISIONS);
    const orders = features.includes(ORDERS) ? await this.#orders.pending(instance, MAX_ORDERS) : null;
    const { evidence, looked } = await this.#beside(caller);
    await this.#batchAlarms.withheld(instance, pending.withheld, version);
    const none = pending.waiting === 0 && (orders?.length ?? 0) === 0 && (evidence?.length ?? 0) === 0;
    if (looked || !none) site.nothingWaits = none;
    return {
      decisions: pending.decisions.map((one) => this.#onTheWire(one)),
      decisionsWaiting: pending.waiting,
      ...(orders ? { orders } : {}),
      ...(evidence ? { evidence } : {}),
    };
  }

  /** The store writes null for headquarters; a site knows headquarters by its name. */
  #onTheWire({ merged_into_instance: from, ...decision }: PendingDecision): Decision {
    if (decision.merged_into_key === null) return decision;
    return { ...decision, merged_into_instance: from ?? this.#self };
  }
}

const nothingWaits = ({ features = [] }: Caller): Downlink => ({
  decisions: [],
  decisionsWaiting: 0,
  ...(features.includes(ORDERS) ? { orders: [] } : {}),
  ...(features.includes(EVIDENCE) ? { evidence: [] } : {}),
});
