import { backoffDelay, LONGEST_WAIT_MS } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';
import { alarmText } from '../../core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../core/alarm/port.ts';
import { takeEach } from '../../core/left-out/row-by-row.ts';
import type { NotificationPort } from '../../core/notification/port.ts';
import type { NotificationRecord } from '../../core/notification/record.ts';
import { hostOf } from '../../core/secret/decide.ts';
import type { SecretResolver } from '../../core/secret/resolver.ts';
import { AddressRefused } from '../../http/outbound/address.ts';
import { type HttpClient, TransportError } from '../../http/outbound/client.ts';
import type { Logger } from '../../log.ts';
import { Loop, type RoundResult } from '../../loop.ts';
import { SecretError } from '../../secret/secret.ts';
import { agentMessages } from '../agent-messages.ts';
import { tenantOf } from './decide.ts';
import { mailOf } from './mail.ts';
import { type ChannelFault, channelFaultIn, envelopeOf, type OpenChannel, refusalOf } from './message.ts';
import type { ChannelPort } from './port.ts';
import type { ChannelRecord } from './record.ts';
import type { MailClient } from './smtp.ts';

const TRY_MS = 10_000;
/** Longer than any try, so that a claimed row is not tried twice at once. */
const LEASE_MS = 30_000;
const CLAIM = 32;
const BACKOFF = { first: 2_000, cap: LONGEST_WAIT_MS, jitter: 0.2 };
/** The last try is made about an hour after the first. */
export const MAX_ATTEMPTS = 14;
const MAX_ANSWER = 64 * 1024;

/** What is of no notification of a rule. */
const NO_NOTIFICATION = {
  ...{ seq: 0, eventId: null, taskId: null, channelId: null, handover: null, deliveredBy: null },
  ...{ instance: null, originId: null, ruleName: null, isTest: false, state: 'pending' as const },
  ...{ attempts: 0, nextAt: 0, lastError: null, createdAt: 0, settledAt: null },
};

/** What came of a try. `final`: there must be no other. */
interface Tried {
  fault: ChannelFault | null;
  final: boolean;
}
const TAKEN: Tried = { fault: null, final: false };

export interface NotificationSenderOptions {
  notifications: NotificationPort;
  channels: ChannelPort;
  alarms: AlarmPort;
  client: HttpClient;
  mailClient: MailClient;
  secretResolver: Pick<SecretResolver, 'open'>;
  clock: Clock;
  log: Logger;
  self: string;
}

/** Sends what is in the outbox. A channel that hangs delays only its own messages of a round. */
export class NotificationSender {
  readonly loop: Loop;
  readonly counts = { sent: 0, failedTries: 0, givenUp: 0 };
  readonly #options: NotificationSenderOptions;

  constructor(options: NotificationSenderOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'notifications',
      interval: 1_000,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  async round(signal: AbortSignal): Promise<RoundResult> {
    const due = await this.#options.notifications.claimDue(this.#options.clock.now(), LEASE_MS, CLAIM);
    const perChannel = Map.groupBy(due, (row) => row.channelId);
    await Promise.all(
      [...perChannel.values()].map(async (rows) => {
        const began = this.#options.clock.monotonic();
        // What is left keeps its lease and comes again after it.
        const isOver = (): boolean =>
          signal.aborted || this.#options.clock.monotonic() - began > LEASE_MS - TRY_MS;
        await takeEach(rows, async (row) => {
          if (!isOver()) await this.#attempt(row, signal);
        });
      }),
    );
    return { again: due.length === CLAIM && !signal.aborted };
  }

  async #attempt(row: NotificationRecord, signal: AbortSignal): Promise<void> {
    const channel = row.channelId === null ? null : await this.#options.channels.get(row.channelId);
    if (!channel?.enabled) return this.#fail(row, { code: 'channel_gone', params: {} }, null);
    const { fault: error, final } = await this.#try(channel, row, signal);
    if (signal.aborted && error !== null && !final) return;
    if (error === null) {
      this.counts.sent += 1;
      await this.#options.notifications.sent(row.id, this.#options.clock.now());
      await this.#options.alarms.clear(alarmKey(channel.id), this.#options.self, this.#options.clock.now());
      return;
    }
    this.counts.failedTries += 1;
    const tries = row.attempts + 1;
    await this.#fail(
      row,
      error,
      final || tries >= MAX_ATTEMPTS
        ? null
        : this.#options.clock.now() + backoffDelay(tries, BACKOFF, Math.random()),
    );
  }

  async #fail(row: NotificationRecord, fault: ChannelFault, nextAt: number | null): Promise<void> {
    const error = channelFaultIn(fault, 'en');
    await this.#options.notifications.failed(row.id, error, { at: nextAt, now: this.#options.clock.now() });
    if (nextAt !== null) return;
    this.counts.givenUp += 1;
    await this.#options.alarms.raise(
      {
        key: alarmKey(row.channelId ?? 'none'),
        instance: this.#options.self,
        tenantCode: tenantOf(row),
        severity: 'critical',
        ...alarmText(
          agentMessages,
          { code: 'notification_failed', params: { channel: row.channel, error: fault } },
          { notificationId: row.id, taskId: row.taskId, error },
        ),
      },
      this.#options.clock.now(),
    );
  }

  /** One try. @returns why it was not taken; null when it was */
  async send(channel: ChannelRecord, row: NotificationRecord): Promise<ChannelFault | null> {
    return (await this.#try(channel, row)).fault;
  }

  /** One try, for whoever keeps an outbox of his own. @returns why it was not taken, in English */
  async deliver(
    channel: ChannelRecord,
    row: Pick<NotificationRecord, 'id' | 'message' | 'severity' | 'kind'>,
    signal?: AbortSignal,
  ): Promise<{ error: string; final: boolean } | null> {
    const whole = { ...NO_NOTIFICATION, ...row, tenantCode: channel.tenantCode, channel: channel.channel };
    const { fault, final } = await this.#try(channel, whole, signal);
    return fault && { error: channelFaultIn(fault, 'en'), final };
  }

  async #try(channel: ChannelRecord, row: NotificationRecord, signal?: AbortSignal): Promise<Tried> {
    try {
      const open = await this.#open(channel);
      const { format } = channel;
      if (format === 'email') return await this.#mail(channel, open, row, signal);
      const envelope = envelopeOf({ ...channel, format }, open, row, this.#options.clock.now());
      const answer = await this.#options.client.send({
        method: 'POST',
        ...envelope,
        timeoutMs: TRY_MS,
        maxAnswer: MAX_ANSWER,
        ...(signal ? { signal } : {}),
      });
      return { fault: refusalOf(format, answer.status, answer.body), final: false };
    } catch (error) {
      return { fault: this.#faultOf(channel, error), final: false };
    }
  }

  async #mail(
    channel: ChannelRecord,
    { url, secret }: OpenChannel,
    row: NotificationRecord,
    signal?: AbortSignal,
  ): Promise<Tried> {
    const user = channel.mail?.user ?? null;
    const login = user === null || secret === null ? null : { user, password: secret };
    const options = { timeoutMs: TRY_MS, signal };
    return (await this.#options.mailClient.send({ url, login }, mailOf(channel, row), options)) ?? TAKEN;
  }

  #faultOf({ id, tenantCode }: ChannelRecord, error: unknown): ChannelFault {
    if (error instanceof SecretError) {
      this.#options.log.warn({ err: error, channel: id, tenant: tenantCode }, 'a channel cannot be opened');
      return { code: 'channel_secret_unusable', params: {} };
    }
    if (!(error instanceof TransportError)) throw error;
    return error.cause instanceof AddressRefused
      ? { code: 'channel_outside', params: { fault: error.fault } }
      : { code: 'channel_unreached', params: { system: error.code } };
  }

  /**
   * @throws SecretError also where the address has come to lie at another host than the channel was saved for
   */
  async #open(channel: ChannelRecord): Promise<OpenChannel> {
    const { id, urlRef, urlHost: host, secretRef } = channel;
    const wanted = { owner: id, tenantCode: tenantOf(channel), host };
    const url = await this.#options.secretResolver.open(urlRef, { ...wanted, use: 'channel_address' });
    if (hostOf(url) !== host) throw new SecretError(`the address of the channel is no longer at ${host}`);
    return {
      url,
      secret:
        secretRef === null
          ? null
          : await this.#options.secretResolver.open(secretRef, { ...wanted, use: 'channel' }),
    };
  }
}

const alarmKey = (channelId: string): string => `notification_failed:${channelId}`;
