import { type Clock, stampOf } from '../../clock.ts';
import type { AlarmPort } from '../../core/alarm/port.ts';
import type { NotificationRecord } from '../../core/notification/record.ts';
import { hostOf } from '../../core/secret/decide.ts';
import { isSealedInRow, notUsable, type SecretResolver } from '../../core/secret/resolver.ts';
import { badRequest, conflict, notFound } from '../../http/error.ts';
import { type Fault, faultOf } from '../../http/fault/fault.ts';
import { channelMissingKey } from '../act/alarms.ts';
import { OPERATORS } from '../alarm/record.ts';
import { faultAt } from './channel-fault-messages.ts';
import { tenantOf } from './decide.ts';
import { fitsFormat, formFaults, loginFaults, missingFaults } from './faults.ts';
import { channelFaultIn } from './message.ts';
import type { ChannelPort, ChannelReferences, SaveOutcome } from './port.ts';
import type { ChannelRecord } from './record.ts';
import type { AlarmTakingInput, ChannelChange, ChannelInput } from './schema.ts';
import type { NotificationSender } from './sender.ts';

export interface ChannelServiceOptions {
  channels: ChannelPort;
  alarms: Pick<AlarmPort, 'clear'>;
  sender: Pick<NotificationSender, 'send'>;
  secretResolver: SecretResolver;
  clock: Clock;
}

/** Channels of tenants. Addresses and secrets given in clear are sealed for the channel and its host. */
export class ChannelService {
  readonly #options: ChannelServiceOptions;

  constructor(options: ChannelServiceOptions) {
    this.#options = options;
  }

  list(tenantCode: string | null): Promise<ChannelRecord[]> {
    return this.#options.channels.list(tenantCode);
  }

  /** @throws AppError 400 naming every fault, 409 channel_exists */
  async create(input: ChannelInput, actor: string): Promise<ChannelRecord> {
    const faults = [...formFaults(input.channel, input.format, input), ...missingFaults(input)];
    const stamp = stampOf(this.#options.clock);
    const id = stamp.newId();
    const tenantCode = input.tenant_code ?? OPERATORS;
    const way = await this.#way({ id, tenantCode, format: input.format, prior: null }, input);
    if ('faults' in way) faults.push(...way.faults);
    else faults.push(...loginFaults(input.mail ?? null, way));
    if (faults.length > 0 || 'faults' in way) throw badRequest(faults);
    const channel: ChannelRecord = {
      id,
      tenantCode,
      name: input.name,
      channel: input.channel,
      format: input.format,
      ...way,
      recipients: input.recipients ?? [],
      bodyTemplate: input.body_template ?? null,
      contentType: input.content_type ?? null,
      mail: input.mail ?? null,
      enabled: input.enabled ?? true,
      alarms: takingOf(input.alarms, null),
      createdAt: stamp.now,
      updatedAt: stamp.now,
    };
    return this.#settled(saved(await this.#options.channels.create(channel, actor, stamp), channel));
  }

  /** @throws AppError 400, 404, 409 channel_exists */
  async change(id: string, input: ChannelChange, actor: string): Promise<ChannelRecord> {
    const prior = await this.#options.channels.get(id);
    if (!prior) throw notFound(`Channel ${id}`);
    const faults = formFaults(prior.channel, prior.format, input);
    const way = await this.#way({ ...prior, prior }, input);
    if ('faults' in way) faults.push(...way.faults);
    else faults.push(...loginFaults(input.mail ?? prior.mail, way));
    if (faults.length > 0 || 'faults' in way) throw badRequest(faults);
    const stamp = stampOf(this.#options.clock);
    const channel: ChannelRecord = {
      ...prior,
      ...way,
      name: input.name ?? prior.name,
      recipients: input.recipients ?? prior.recipients,
      bodyTemplate: input.body_template ?? prior.bodyTemplate,
      contentType: input.content_type ?? prior.contentType,
      mail: input.mail ?? prior.mail,
      enabled: input.enabled ?? prior.enabled,
      alarms: takingOf(input.alarms, prior.alarms),
      updatedAt: stamp.now,
    };
    return this.#settled(saved(await this.#options.channels.change(channel, actor, stamp), channel));
  }

  /** A tenant that had no such channel has one now; a channel that is off is none. */
  async #settled(channel: ChannelRecord): Promise<ChannelRecord> {
    if (channel.enabled)
      await this.#options.alarms.clear(
        channelMissingKey(channel.tenantCode, channel.channel),
        null,
        this.#options.clock.now(),
      );
    return channel;
  }

  /** @throws AppError 404 */
  async remove(id: string, actor: string): Promise<ChannelRecord> {
    const removed = await this.#options.channels.remove(id, actor, stampOf(this.#options.clock));
    if (!removed) throw notFound(`Channel ${id}`);
    return removed;
  }

  /** Sends one message now, which is stored nowhere. @throws AppError 404 */
  async test(id: string): Promise<{ taken: boolean; error: string | null; errorZh: string | null }> {
    const channel = await this.#options.channels.get(id);
    if (!channel) throw notFound(`Channel ${id}`);
    const now = this.#options.clock.now();
    const message: NotificationRecord = {
      id: this.#options.clock.newId(),
      seq: 0,
      tenantCode: channel.tenantCode,
      eventId: null,
      taskId: null,
      kind: 'task',
      channel: channel.channel,
      channelId: id,
      handover: null,
      deliveredBy: null,
      instance: null,
      originId: null,
      ruleName: null,
      severity: 'low',
      message: '【测试】Fieldline 通知通道测试。This is a test of the channel.',
      isTest: true,
      state: 'pending',
      attempts: 0,
      nextAt: now,
      lastError: null,
      createdAt: now,
      settledAt: null,
    };
    const fault = await this.#options.sender.send(channel, message);
    return {
      taken: fault === null,
      error: fault && channelFaultIn(fault, 'en'),
      errorZh: fault && channelFaultIn(fault, 'zh'),
    };
  }

  /**
   * The references for what was given, bound to the host of the address. What was left out stays, as long as
   * that is the host it was given for.
   */
  async #way(
    {
      id,
      format,
      prior,
      ...owner
    }: Pick<ChannelRecord, 'id' | 'tenantCode' | 'format'> & { prior: ChannelRecord | null },
    input: ChannelChange,
  ): Promise<ChannelReferences | { faults: Fault[] }> {
    const tenantCode = tenantOf(owner);
    const { url, url_ref, secret, secret_ref } = input;
    const faults: Fault[] = [];
    if (url !== undefined && url_ref !== undefined) faults.push(faultAt('url_ref', 'one_address'));
    if (secret !== undefined && secret_ref !== undefined) faults.push(faultAt('secret_ref', 'one_secret'));
    const named = url_ref === undefined ? null : await this.#hostOfNamed(url_ref, tenantCode, format);
    if (url_ref !== undefined && named === null)
      faults.push(faultOf('url_ref', notUsable('channel_address', { tenantCode })));
    const host = url === undefined ? (named ?? prior?.urlHost ?? '') : hostOf(url);
    const wanted = { tenantCode, host, owner: id };
    const ref = secret_ref ?? prior?.secretRef ?? null;
    if (secret === undefined && ref !== null && (secret_ref !== undefined || host !== prior?.urlHost)) {
      if (isSealedInRow(ref))
        faults.push(faultAt('secret', 'secret_anew', { host, before: prior?.urlHost ?? '' }));
      else if ((await this.#options.secretResolver.refusal(ref, { ...wanted, use: 'channel' })) !== null)
        faults.push(faultOf('secret_ref', notUsable('channel', { tenantCode, host })));
    }
    if (faults.length > 0) return { faults };
    return {
      urlRef:
        url === undefined
          ? (url_ref ?? prior?.urlRef ?? '')
          : this.#options.secretResolver.keep(url, { ...wanted, use: 'channel_address' }),
      urlHost: host,
      secretRef:
        secret === undefined ? ref : this.#options.secretResolver.keep(secret, { ...wanted, use: 'channel' }),
    };
  }

  async #hostOfNamed(
    ref: string,
    tenantCode: string | null,
    format: ChannelRecord['format'],
  ): Promise<string | null> {
    let url = '';
    return (await this.#options.secretResolver.opens(
      async () => (url = await this.#options.secretResolver.address(ref, tenantCode)),
    )) && fitsFormat(format, url)
      ? hostOf(url)
      : null;
  }
}

/** @param input null: it takes none any more; left out: what it takes stays */
function takingOf(
  input: AlarmTakingInput | null | undefined,
  prior: ChannelRecord['alarms'],
): ChannelRecord['alarms'] {
  if (input === undefined) return prior;
  if (input === null) return null;
  const { from, repeat_minutes: repeatMinutes, quiet } = input;
  if (!quiet) return { from, repeatMinutes, quiet: null };
  const { critical_through: criticalThrough, ...hours } = quiet;
  return { from, repeatMinutes, quiet: { ...hours, criticalThrough } };
}

/** @throws AppError 404, 409 channel_exists */
function saved(outcome: SaveOutcome, { id, name }: ChannelRecord): ChannelRecord {
  if (outcome.kind === 'saved') return outcome.channel;
  if (outcome.kind === 'no_channel') throw notFound(`Channel ${id}`);
  throw conflict(
    'channel_exists',
    `The tenant has a channel ${name} already; change that one, or give another name.`,
  );
}
