import { stampOf, type Clock } from '../../clock.ts';
import { badRequest, conflict, notFound, type Fault } from '../../http/error.ts';
import { readSecret, SecretError, type SecretSources, type SecretVault } from '../../secret.ts';
import { isHttpUrl } from '../../core/event/schema.ts';
import type { NotificationRecord } from '../../core/notification/record.ts';
import { smsPlaceholders } from './message.ts';
import type { ChannelPort } from './port.ts';
import type { ChannelRecord } from './record.ts';
import type { ChannelChange, ChannelInput } from './schema.ts';
import type { NotificationSender } from './sender.ts';

export interface ChannelServiceOptions {
  channels: ChannelPort;
  sender: Pick<NotificationSender, 'send'>;
  vault: SecretVault;
  secrets: SecretSources;
  clock: Clock;
}

/** Channels of tenants. Addresses and secrets that are given in clear go to the vault; only references are stored. */
export class ChannelService {
  #options: ChannelServiceOptions;

  constructor(options: ChannelServiceOptions) {
    this.#options = options;
  }

  list(tenantCode: string | null): Promise<ChannelRecord[]> {
    return this.#options.channels.list(tenantCode);
  }

  /** @throws AppError 400 naming every fault, 409 channel_exists */
  async create(input: ChannelInput, actor: string): Promise<ChannelRecord> {
    const faults = [...formFaults(input.channel, input.format, input), ...this.#addressFaults(input)];
    if (input.url === undefined && input.url_ref === undefined) faults.push({ path: 'url', message: 'is required: give url or url_ref' });
    if (input.channel === 'sms' && input.recipients === undefined) faults.push({ path: 'recipients', message: 'is required for sms' });
    if (faults.length > 0) throw badRequest(faults);
    const { clock } = this.#options;
    const stamp = stampOf(clock);
    const id = stamp.newId();
    const way = this.#way(id, input);
    const channel: ChannelRecord = {
      id, tenantCode: input.tenant_code, name: input.name, channel: input.channel, format: input.format, urlRef: way.urlRef ?? '', urlHost: way.urlHost ?? '',
      secretRef: way.secretRef ?? null, recipients: input.recipients ?? [], bodyTemplate: input.body_template ?? null, contentType: input.content_type ?? null,
      enabled: input.enabled ?? true, createdAt: stamp.now, updatedAt: stamp.now,
    };
    return this.#save(channel, way.made, () => this.#options.channels.create(channel, actor, stamp));
  }

  /** @throws AppError 400, 404, 409 channel_exists */
  async change(id: string, input: ChannelChange, actor: string): Promise<ChannelRecord> {
    const prior = await this.#options.channels.get(id);
    if (!prior) throw notFound(`Channel ${id}`);
    const faults = [...formFaults(prior.channel, prior.format, input), ...this.#addressFaults(input)];
    if (faults.length > 0) throw badRequest(faults);
    const stamp = stampOf(this.#options.clock);
    const way = this.#way(id, input);
    const channel: ChannelRecord = {
      ...prior, name: input.name ?? prior.name, urlRef: way.urlRef ?? prior.urlRef, urlHost: way.urlHost ?? prior.urlHost, secretRef: way.secretRef ?? prior.secretRef,
      recipients: input.recipients ?? prior.recipients, bodyTemplate: input.body_template ?? prior.bodyTemplate, contentType: input.content_type ?? prior.contentType,
      enabled: input.enabled ?? prior.enabled, updatedAt: stamp.now,
    };
    const saved = await this.#save(channel, way.made, () => this.#options.channels.change(channel, actor, stamp));
    if (channel.urlRef !== prior.urlRef) this.#options.vault.forget(prior.urlRef);
    if (prior.secretRef !== null && channel.secretRef !== prior.secretRef) this.#options.vault.forget(prior.secretRef);
    return saved;
  }

  /** @throws AppError 404 */
  async remove(id: string, actor: string): Promise<ChannelRecord> {
    const removed = await this.#options.channels.remove(id, actor, stampOf(this.#options.clock));
    if (!removed) throw notFound(`Channel ${id}`);
    this.#options.vault.forget(removed.urlRef);
    if (removed.secretRef !== null) this.#options.vault.forget(removed.secretRef);
    return removed;
  }

  /** Sends one message now, which is stored nowhere. @throws AppError 404 */
  async test(id: string): Promise<{ taken: boolean; error: string | null }> {
    const channel = await this.#options.channels.get(id);
    if (!channel) throw notFound(`Channel ${id}`);
    const { clock, sender } = this.#options;
    const now = clock.now();
    const message: NotificationRecord = {
      id: clock.newId(), seq: 0, tenantCode: channel.tenantCode, eventId: null, taskId: null, kind: 'task', channel: channel.channel, channelId: id, ruleName: null, severity: 'low',
      message: '【测试】Fieldline 通知通道测试。This is a test of the channel.', isTest: true, state: 'pending', attempts: 0, nextAt: now, lastError: null, createdAt: now, settledAt: null,
    };
    const error = await sender.send(channel, message);
    return { taken: error === null, error };
  }

  async #save(channel: ChannelRecord, made: readonly string[], write: () => ReturnType<ChannelPort['create']>): Promise<ChannelRecord> {
    const outcome = await write();
    if (outcome.kind === 'saved') return outcome.channel;
    for (const ref of made) this.#options.vault.forget(ref);
    if (outcome.kind === 'no_channel') throw notFound(`Channel ${channel.id}`);
    throw conflict('channel_exists', `The tenant has a channel ${channel.name} already; change that one, or give another name.`);
  }

  /** References for what was given; `made` are those that the vault keeps for it. */
  #way(id: string, { url, url_ref, secret, secret_ref }: ChannelChange): { urlRef?: string; urlHost?: string; secretRef?: string; made: string[] } {
    const { vault, secrets } = this.#options;
    const made: string[] = [];
    const kept = (name: string, text: string): string => {
      const ref = vault.put(name, text);
      made.push(ref);
      return ref;
    };
    const urlRef = url === undefined ? url_ref : kept(`channel-url-${id}`, url);
    const secretRef = secret === undefined ? secret_ref : kept(`channel-secret-${id}`, secret);
    return {
      made, ...(urlRef === undefined ? {} : { urlRef, urlHost: new URL(url ?? readSecret(urlRef, secrets)).host }), ...(secretRef === undefined ? {} : { secretRef }),
    };
  }

  #addressFaults({ url, url_ref, secret, secret_ref }: ChannelChange): Fault[] {
    const faults: Fault[] = [];
    if (url !== undefined && url_ref !== undefined) faults.push({ path: 'url_ref', message: 'give url or url_ref, not both' });
    if (secret !== undefined && secret_ref !== undefined) faults.push({ path: 'secret_ref', message: 'give secret or secret_ref, not both' });
    if (url_ref !== undefined && !this.#isAddress(url_ref)) faults.push({ path: 'url_ref', message: 'must name a text that is an http:// or https:// address' });
    return faults;
  }

  #isAddress(ref: string): boolean {
    try {
      return isHttpUrl(readSecret(ref, this.#options.secrets));
    } catch (error) {
      if (error instanceof SecretError) return false;
      throw error;
    }
  }
}

function formFaults(channel: ChannelRecord['channel'], format: ChannelRecord['format'], input: ChannelChange): Fault[] {
  const faults: Fault[] = [];
  if ((channel === 'sms') !== (format === 'sms_gateway')) faults.push({ path: 'format', message: channel === 'sms' ? 'must be sms_gateway for sms' : 'must not be sms_gateway for chat' });
  for (const name of ['recipients', 'body_template', 'content_type'] as const) {
    if (channel !== 'sms' && input[name] !== undefined) faults.push({ path: name, message: 'is for sms only' });
  }
  for (const [, name = ''] of (input.body_template ?? '').matchAll(/\{([a-z_]+)\}/g)) {
    if (!(smsPlaceholders as readonly string[]).includes(name)) faults.push({ path: 'body_template', message: `{${name}} is not a placeholder; there are ${smsPlaceholders.map((one) => `{${one}}`).join(' ')}` });
  }
  return faults;
}
