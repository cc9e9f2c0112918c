import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { told } from '../../common/core/alarm/told.ts';
import type { IssuedKey, KeyService } from '../../common/core/key/service.ts';
import { AppError, conflict, fault, forbidden, notFound } from '../../common/http/error.ts';
import type { Logger } from '../../common/log.ts';
import type { Message, MessageOf } from '../../common/message.ts';
import {
  PROTOCOL,
  readSiteReport,
  type ChannelName,
  type Decision,
  type UplinkAnswer,
  type UplinkRequest,
} from '../../common/uplink/wire.ts';
import { hubMessages } from '../hub-messages.ts';
import { ReceiverAlarms } from './alarms.ts';
import { changeItems, eventItems, headOf } from './items.ts';
import type {
  BatchHead,
  ConflictRecord,
  PendingDecision,
  ReceiverPort,
  SiteRecord,
  StoreOutcome,
} from './port.ts';
import { SiteAlarmMirror } from './report.ts';
import { SenderWatch } from './senders.ts';
import { siteStates, type SiteStatus } from './status.ts';

export interface ReceiverOptions {
  receiver: ReceiverPort;
  keys: KeyService;
  alarms: AlarmPort;
  clock: Clock;
  log: Logger;
  /** Epoch of this store. */
  epoch: () => string;
  /** Name of this instance, under which it raises alarms. */
  instance: string;
  /** Told of events that came under keys that are taken. */
  onConflicts?: (count: number) => void;
}

const nameOf = (channel: ChannelName): Message => ({ code: `${channel}_channel`, params: {} });

export interface SiteWithKeys extends SiteRecord {
  keys: { keyId: string; createdAt: number; previousUntil: number | null }[];
}

/** Decisions that one answer carries at most. */
const MAX_DECISIONS = 50;
/** That a site was seen is written at most this often, ms. */
const SEEN_EVERY_MS = 5_000;

/**
 * Takes what the sites send, answers with what was decided here, and keeps their registry (design §6,
 * "Uplink").
 */
export class ReceiverService {
  /** Since the start. */
  readonly counts = { conflicts: 0, foreign: 0, refused: 0 };
  #options: ReceiverOptions;
  /** Monotonic ms at which `seen` was last written, by instance. */
  #seenAt = new Map<string, number>();

  #mirror: SiteAlarmMirror;
  #senders = new SenderWatch();
  #alarms: ReceiverAlarms;

  constructor(options: ReceiverOptions) {
    this.#options = options;
    this.#alarms = new ReceiverAlarms(options);
    this.#mirror = new SiteAlarmMirror(options.alarms);
  }

  /**
   * Stores one batch and answers its sender.
   * @param subject instance that the request was signed for
   * @throws AppError 400, 403 for another instance or an unknown site, 409 `cursor_ahead` or
   *   `sender_rolled_back` with `known` and `epoch`
   */
  async receive(channel: ChannelName, request: UplinkRequest, subject: string): Promise<UplinkAnswer> {
    const { receiver, epoch } = this.#options;
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
    const head = headOf(request);
    const outcome = await this.#store(channel, head, request.items);
    await this.#seen(request.instance, request.version);
    await this.#report(request);
    await this.#twoSenders(head);
    if (outcome.kind !== 'stored') throw await this.#outOfStep(channel, head, outcome);
    if (outcome.gap) await this.#gap(channel, head, outcome.gap);
    this.#count(outcome);
    await this.#alarms.of(request.instance, outcome);
    if (outcome.newStore && channel === 'events') await this.#newStore(head, outcome.newStore.held);
    const { accepted, duplicates, cursor, rejected } = outcome;
    const { decisions, waiting, held } = await receiver.pendingDecisions(
      request.instance,
      request.features ?? [],
      MAX_DECISIONS,
    );
    await this.#alarms.held(request.instance, held, request.version);
    return {
      protocol: PROTOCOL,
      epoch: epoch(),
      accepted,
      duplicates,
      cursor,
      rejected,
      decisions: decisions.map((one) => this.#named(one)),
      decisionsWaiting: waiting,
    };
  }

  #count({ conflicts, foreign, refused }: Extract<StoreOutcome, { kind: 'stored' }>): void {
    this.counts.conflicts += conflicts.length;
    this.counts.foreign += foreign.length;
    this.counts.refused += refused.length;
    if (conflicts.length > 0) this.#options.onConflicts?.(conflicts.length);
  }

  /** A site knows headquarters by its name. */
  #named({ merged_into_instance: from, ...decision }: PendingDecision): Decision {
    return {
      ...decision,
      ...(from === undefined || decision.merged_into_key === null
        ? {}
        : { merged_into_instance: from ?? this.#options.instance }),
    };
  }

  async #store(channel: ChannelName, head: BatchHead, values: readonly unknown[]): Promise<StoreOutcome> {
    const { receiver, clock } = this.#options;
    if (channel === 'events') {
      const { items, rejected } = await eventItems(values, head.instance);
      return receiver.storeEvents(head, items, rejected, clock.now());
    }
    const { items, rejected } = await changeItems(values, {
      sender: head.instance,
      self: this.#options.instance,
    });
    return receiver.storeChanges(head, items, rejected, clock.now(), () => clock.newId());
  }

  async #seen(instance: string, version: string): Promise<void> {
    const { receiver, clock } = this.#options;
    const now = clock.monotonic();
    if (now - (this.#seenAt.get(instance) ?? -Infinity) < SEEN_EVERY_MS) return;
    this.#seenAt.set(instance, now);
    await receiver.seen(instance, version, clock.now());
  }

  /** What is told of the machine comes beside the data and must not hold it up. */
  async #report({ instance, report: told }: UplinkRequest): Promise<void> {
    const { receiver, clock, log } = this.#options;
    if (told === undefined) return;
    const report = readSiteReport(told);
    if (report === null)
      return log.warn({ instance }, 'the report of a site is of a form that is not known here');
    try {
      await receiver.report(instance, report);
      // A site of this very name would clear the alarms of headquarters itself.
      if (instance !== this.#options.instance) await this.#mirror.follow(instance, report, clock.now());
    } catch (error) {
      log.warn({ err: error, instance }, 'the report of a site could not be kept');
    }
  }

  async #outOfStep(
    channel: ChannelName,
    head: BatchHead,
    outcome: Exclude<StoreOutcome, { kind: 'stored' }>,
  ): Promise<AppError> {
    const { known } = outcome;
    const details = {
      site: head.instance,
      channel,
      epoch: head.epoch,
      known,
      from: head.from,
      head: head.head,
    };
    const extra = { known, epoch: this.#options.epoch() };
    if (outcome.kind === 'cursor_ahead') {
      // A new store, or a new epoch of a site, begins at 0: that is no loss.
      if (known > 0) {
        await this.#alarm(
          'uplink_lost_data',
          'critical',
          head.instance,
          {
            code: 'uplink_lost_data',
            params: { channel: nameOf(channel), site: head.instance, known, sent: head.from },
          },
          details,
        );
      }
      return new AppError(
        409,
        'cursor_ahead',
        `Only what stands up to ${known} is held here; go back to it and send again from there.`,
        { extra },
      );
    }
    await this.#alarm(
      'uplink_rolled_back',
      'critical',
      head.instance,
      {
        code: 'uplink_rolled_back',
        params: { site: head.instance, channel: nameOf(channel), known, head: head.head },
      },
      details,
    );
    return new AppError(
      409,
      'sender_rolled_back',
      `Up to ${known} is held here, more than the sender ever had by its own account; take a new epoch ` +
        'and continue after it.',
      { extra },
    );
  }

  async #twoSenders({ instance, epoch }: BatchHead): Promise<void> {
    const found = this.#senders.saw(instance, epoch, this.#options.clock.monotonic());
    if (!found) return;
    await this.#alarm(
      'uplink_two_senders',
      'critical',
      instance,
      { code: 'uplink_two_senders', params: { site: instance } },
      { site: instance, ...found },
    );
  }

  async #gap(channel: ChannelName, head: BatchHead, gap: { from: number; to: number }): Promise<void> {
    await this.#alarm(
      'uplink_gap',
      'critical',
      head.instance,
      { code: 'uplink_gap', params: { site: head.instance, channel: nameOf(channel), ...gap } },
      { site: head.instance, channel, epoch: head.epoch, ...gap },
    );
  }

  async #newStore(head: BatchHead, held: number): Promise<void> {
    await this.#alarm(
      'site_store_new',
      'critical',
      head.instance,
      { code: 'site_store_new', params: { site: head.instance, held } },
      { site: head.instance, epoch: head.epoch, held, head: head.head, oldest: head.oldest },
    );
  }

  async #alarm(
    kind: string,
    severity: 'warning' | 'critical',
    site: string,
    message: MessageOf<typeof hubMessages>,
    details: object,
  ): Promise<void> {
    const { alarms, clock, instance, log } = this.#options;
    const text = told(hubMessages, message, details);
    log.warn({ alarm: kind, details }, text.message);
    await alarms.raise(
      { key: `${kind}:${site}`, instance, tenantCode: null, severity, ...text },
      clock.now(),
    );
  }

  /** What has been received, by site. @param tenantCode only sites of this tenant; null is every site */
  async status(tenantCode: string | null): Promise<SiteStatus[]> {
    const { receiver, clock } = this.#options;
    const [sites, sources, lastSeen, decisions] = await Promise.all([
      receiver.sites(),
      receiver.sources(),
      receiver.lastSeen(),
      receiver.decisionCounts(),
    ]);
    const shown = sites.filter(
      (site) => site.removedAt === null && (tenantCode === null || site.tenants.includes(tenantCode)),
    );
    return siteStates(shown, { sources, lastSeen, decisions }, clock.now());
  }

  /** Name of headquarters. */
  get instance(): string {
    return this.#options.instance;
  }

  /** Events that exist at sites and are not stored here. @param tenantCode null: every tenant */
  conflicts(
    filter: { instance?: string | undefined; tenantCode: string | null },
    limit: number,
  ): Promise<ConflictRecord[]> {
    return this.#options.receiver.conflicts(filter, limit);
  }

  /**
   * Registers a site and issues its key. @throws AppError 409 site_exists, site_continued, key_exists,
   * instance_taken
   */
  async addSite(
    site: { instance: string; tenants: string[]; keyId?: string | undefined },
    actor: string,
  ): Promise<{ instance: string } & IssuedKey> {
    const { receiver, keys, clock } = this.#options;
    if (site.instance === this.#options.instance)
      throw conflict(
        'instance_taken',
        `${site.instance} is headquarters itself; give the site a name of its own.`,
      );
    await receiver.addSite({ instance: site.instance, tenants: site.tenants }, clock.now(), actor);
    try {
      const key = await keys.issue(
        { purpose: 'site', tenantCode: null, subject: site.instance, keyId: site.keyId },
        actor,
      );
      return { instance: site.instance, ...key };
    } catch (error) {
      // Without a key it could never be used; the caller is to try again.
      await receiver.removeSite(site.instance, clock.now(), actor);
      throw error;
    }
  }

  async sites(): Promise<SiteWithKeys[]> {
    const [sites, keys] = await Promise.all([
      this.#options.receiver.sites(),
      this.#options.keys.list('site'),
    ]);
    return sites
      .filter((site) => site.removedAt === null)
      .map((site) => ({
        ...site,
        keys: keys
          .filter((key) => key.subject === site.instance)
          .map(({ keyId, createdAt, previousUntil }) => ({ keyId, createdAt, previousUntil })),
      }));
  }

  /** @throws AppError 404, 409 site_live, site_continued, 400 for a name that is its own or headquarters' */
  async changeSite(
    instance: string,
    change: { tenants?: string[]; continues?: string[] },
    actor: string,
  ): Promise<SiteRecord> {
    const { receiver, clock } = this.#options;
    if (change.continues?.some((name) => name === instance || name === this.#options.instance)) {
      throw fault('continues', 'must be names of sites that are no more, neither this site nor headquarters');
    }
    if (!(await receiver.changeSite(instance, change, clock.now(), actor)))
      throw notFound(`The site ${instance}`);
    const site = await receiver.site(instance);
    if (!site) throw conflict('site_changed', 'The site was changed at the same time; look again.');
    return site;
  }

  /** @throws AppError 404 when the site has no such key */
  async rotate(instance: string, keyId: string, overlapMs: number, actor: string): Promise<IssuedKey> {
    const { keys } = this.#options;
    const own = (await keys.list('site')).some((key) => key.keyId === keyId && key.subject === instance);
    if (!own) throw notFound(`The key ${keyId} of the site ${instance}`);
    return keys.rotate(keyId, 'site', overlapMs, actor);
  }

  /** The site is let in no more; what it brought stays. @throws AppError 404 */
  async removeSite(instance: string, actor: string): Promise<void> {
    const { receiver, keys, clock } = this.#options;
    if (!(await receiver.removeSite(instance, clock.now(), actor))) throw notFound(`The site ${instance}`);
    for (const key of await keys.list('site'))
      if (key.subject === instance) await keys.remove(key.keyId, 'site', actor);
  }
}
