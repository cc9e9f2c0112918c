import { randomBytes } from 'node:crypto';
import type { Clock } from '../../common/clock.ts';
import { conflict, notFound } from '../../common/http/error.ts';
import { AddressRefused, checkLiteral, type Networks } from '../../common/http/outbound/address.ts';
import type { SecretVault } from '../../common/secret/secret.ts';
import { formatBeijing, type SubscribableType } from './business-event.ts';
import { byOf, type Caller, sees } from './caller.ts';
import { disabledFields } from './decide.ts';
import { fault } from './integration-fault-messages.ts';
import type { DeliveryFilter, DeliveryPort, ListPosition, SendOutcome, WebhookPort } from './port.ts';
import type {
  AttemptRecord,
  DeliveryCounts,
  DeliveryRecord,
  Status,
  Subscribed,
  WebhookRecord,
} from './record.ts';
import { sampleOf } from './sample-events.ts';

/** Records that are shown of one webhook (spec 1, "Limits"). */
export const SHOWN_DELIVERIES = 50;
/** Events that one recovery brings back. */
export const RECOVERED_AT_ONCE = 1_000;
const RECOVERY_DAYS = 14;
const DAY_MS = 86_400_000;

export interface WebhookServiceOptions {
  webhooks: WebhookPort;
  deliveries: DeliveryPort;
  vault: SecretVault;
  clock: Clock;
  /** Where callbacks may lie. */
  networks: Networks;
}

export interface NewWebhook {
  tenantCode: string;
  name: string;
  url: string;
  /** left out: one is made. */
  secret?: string | undefined;
  events: Subscribed;
  status: Status;
}

/** 256 random bits in the form of Standard Webhooks. */
const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Webhooks and their deliveries, as people manage them (spec 1). */
export class WebhookService {
  readonly #options: WebhookServiceOptions;

  constructor(options: WebhookServiceOptions) {
    this.#options = options;
  }

  /** @returns the webhook with its secret, which is not shown again @throws 400 */
  async create(wanted: NewWebhook, caller: Caller): Promise<{ webhook: WebhookRecord; secret: string }> {
    this.#checkAddress(wanted.url);
    const by = byOf(caller, this.#options.clock);
    const { secret = newSigningSecret(), ...rest } = wanted;
    const id = by.newId();
    const webhook: WebhookRecord = {
      ...rest,
      id,
      secretRef: this.#options.vault.put(id, secret),
      previousRef: null,
      previousUntil: null,
      failures: 0,
      createdAt: by.now,
      updatedAt: by.now,
      ...disabledFields(rest.status, { at: by.now, by: caller.name }),
    };
    await this.#options.webhooks.create(webhook, by);
    return { webhook, secret };
  }

  list(tenantCode: string | null, after: ListPosition | null, limit: number): Promise<WebhookRecord[]> {
    return this.#options.webhooks.list(tenantCode, after, limit);
  }

  /** @throws 404 */
  get(id: string, caller: Caller): Promise<WebhookRecord> {
    return this.#own(id, caller);
  }

  /** @throws 400, 404 */
  async change(
    id: string,
    wanted: {
      name?: string | undefined;
      url?: string | undefined;
      events?: Subscribed | undefined;
      status?: Status | undefined;
      /** Why it is disabled. */
      disabledReason?: string | undefined;
    },
    caller: Caller,
  ): Promise<WebhookRecord> {
    await this.#own(id, caller);
    if (wanted.url !== undefined) this.#checkAddress(wanted.url);
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const change = { ...given, disabledBy: caller.name };
    return (
      (await this.#options.webhooks.change(id, change, byOf(caller, this.#options.clock))) ??
      missing('The webhook')
    );
  }

  /** @throws 404 */
  async remove(id: string, caller: Caller): Promise<void> {
    await this.#own(id, caller);
    if (!(await this.#options.webhooks.remove(id, byOf(caller, this.#options.clock)))) missing('The webhook');
  }

  /** Both secrets sign until the overlap is over. @throws 404 */
  async rotate(
    id: string,
    { secret = newSigningSecret(), overlapMs }: { secret?: string | undefined; overlapMs: number },
    caller: Caller,
  ): Promise<{ webhook: WebhookRecord; secret: string }> {
    await this.#own(id, caller);
    const by = byOf(caller, this.#options.clock);
    const webhook =
      (await this.#options.webhooks.rotate(
        id,
        this.#options.vault.put(id, secret),
        by.now + overlapMs,
        by,
      )) ?? missing('The webhook');
    return { webhook, secret };
  }

  /**
   * @param type of a business event with made-up data; undefined: a test
   * @throws 404, 409 webhook_disabled
   */
  async test(id: string, type: SubscribableType | undefined, caller: Caller): Promise<DeliveryRecord> {
    await this.#own(id, caller);
    const by = byOf(caller, this.#options.clock);
    return queued(
      await this.#options.deliveries.test(
        id,
        type === undefined
          ? {
              event: 'webhook.test',
              message: 'This is a test event of Fieldline.',
              at: formatBeijing(by.now),
            }
          : sampleOf(type, by.now),
        by,
      ),
    );
  }

  /** @throws 404, 409 webhook_disabled */
  async resend(deliveryId: string, caller: Caller): Promise<DeliveryRecord> {
    const delivery = await this.#options.deliveries.get(deliveryId);
    if (!delivery || !sees(caller, delivery)) missing('The delivery');
    return queued(await this.#options.deliveries.resend(deliveryId, byOf(caller, this.#options.clock)));
  }

  /** @throws 400, 404, 409 webhook_disabled */
  async recover(id: string, since: number, caller: Caller): Promise<{ count: number; more: boolean }> {
    await this.#own(id, caller);
    const by = byOf(caller, this.#options.clock);
    if (since < by.now - RECOVERY_DAYS * DAY_MS)
      throw fault('since', 'recovery_too_far', { days: RECOVERY_DAYS });
    const outcome = await this.#options.deliveries.recover(id, since, RECOVERED_AT_ONCE, by);
    if (outcome.kind === 'missing') missing('The webhook');
    if (outcome.kind === 'disabled') throw disabled();
    return outcome;
  }

  /** Also those of a webhook that was deleted. @throws 404 */
  async deliveries(
    id: string,
    filter: DeliveryFilter,
    after: ListPosition | null,
    caller: Caller,
  ): Promise<DeliveryRecord[]> {
    const webhook = await this.#options.webhooks.getEver(id);
    if (!webhook || !sees(caller, webhook)) missing('The webhook');
    return this.#options.deliveries.ofWebhook(webhook, filter, { after, limit: SHOWN_DELIVERIES + 1 });
  }

  /** With what was sent, and what came of each attempt. @throws 404 */
  async delivery(
    id: string,
    caller: Caller,
  ): Promise<{
    delivery: DeliveryRecord;
    webhook: WebhookRecord | null;
    body: string | null;
    made: AttemptRecord[];
  }> {
    const delivery = await this.#options.deliveries.get(id);
    if (!delivery || !sees(caller, delivery)) missing('The delivery');
    const [webhook, body, made] = await Promise.all([
      this.#options.webhooks.get(delivery.webhookId),
      this.#options.deliveries.body(delivery),
      this.#options.deliveries.attempts(delivery),
    ]);
    return { delivery, webhook, body, made };
  }

  /** Deliveries of the last 24 hours, of each of these webhooks that has any. */
  lastDay(webhooks: readonly WebhookRecord[]): Promise<Map<string, DeliveryCounts>> {
    return this.#options.deliveries.countsSince(webhooks, this.#options.clock.now() - DAY_MS);
  }

  async #own(id: string, caller: Caller): Promise<WebhookRecord> {
    const webhook = await this.#options.webhooks.get(id);
    return webhook && sees(caller, webhook) ? webhook : missing('The webhook');
  }

  /** A literal address is judged at once; a name when connecting, each time. */
  #checkAddress(url: string): void {
    try {
      checkLiteral(new URL(url).hostname, this.#options.networks);
    } catch (error) {
      if (error instanceof AddressRefused)
        throw fault('callback_url', 'callback_outside', { host: error.host });
      throw error;
    }
  }
}

const disabled = () =>
  conflict('webhook_disabled', 'The webhook is disabled and is sent nothing. Enable it first.');

function queued(outcome: SendOutcome): DeliveryRecord {
  if (outcome.kind === 'disabled') throw disabled();
  return outcome.kind === 'queued' ? outcome.delivery : missing('The webhook');
}

function missing(what: string): never {
  throw notFound(what);
}
