import * as z from 'zod/mini';
import { agentMessages } from '../../../common/agent/agent-messages.ts';
import { stampOf } from '../../../common/clock.ts';
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import { say } from '../../../common/message.ts';
import {
  handedResult,
  MAX_ASKED,
  MAX_HANDED,
  NOTIFICATIONS_PATH,
  type NotificationsRequest,
} from '../../../common/uplink/notification.ts';
import { PROTOCOL } from '../../../common/uplink/wire.ts';
import { siteMessages } from '../../site-messages.ts';
import { jsonOf } from '../answer.ts';
import { Attempts } from '../attempts.ts';
import { type Failed, type HubCallOptions, HubCalls } from '../hub-calls.ts';
import type { GivenUp, HandoverPort } from './port.ts';

/** Interval of rounds that nothing has triggered, ms. */
const INTERVAL_MS = 2_000;
/** Headquarters is asked what became of messages that it has this often, ms. */
const ASK_MS = 4_000;
/**
 * A message that headquarters has not accepted within this is given up, since it pages nobody any more;
 * events that waited so long are not notified of either. Ms.
 */
const LATE_MS = 4 * 3_600_000;
const TOO_LATE = {
  untold: 'headquarters could not be reached for 4 hours',
  unknown:
    'headquarters was told of it, and has not answered for 4 hours; whether it was delivered is not known ' +
    'until it answers',
};

export interface NotificationHandoverOptions extends HubCallOptions {
  handover: HandoverPort;
  envelope: () => { version: string; instance: string; epoch: string };
  alarms: AlarmPort;
  /** Name of this site. */
  self: string;
  log: Logger;
  random?: () => number;
}

const answerForm = z.object({ results: z.array(handedResult) });

/**
 * Hands notifications that no channel of this site can deliver up to headquarters, beside the channels
 * (DESIGN.md, "Beside the two channels"): its own loop and its own connection. It waits for nothing, also
 * not for a backlog of events: a person is to be paged. It begins with the first answer of headquarters.
 */
export class NotificationHandover {
  readonly loop: Loop;
  readonly attempts = new Attempts();
  /** Since the start. */
  readonly counts = { delivered: 0, failed: 0, takenBack: 0 };
  /** Wall clock of the last answer since the start, epoch ms. */
  lastAckAt: number | null = null;
  readonly #options: NotificationHandoverOptions;
  #random: () => number;
  #calls: HubCalls;
  #askedAt = -Infinity;
  /** Headquarters has answered a channel since the start. */
  #heard = false;

  constructor(options: NotificationHandoverOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#calls = new HubCalls(options);
    this.loop = new Loop({
      name: 'uplink notifications',
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
      ...(options.random ? { random: options.random } : {}),
    });
  }

  /** An answer of headquarters on a channel: the link is there. */
  answered(): void {
    const first = !this.#heard;
    this.#heard = true;
    const waited = this.attempts.failures > 0;
    if (waited) this.attempts.hasten();
    if (waited || first) this.loop.kick();
  }

  /** Wakes the loop: there may be something new to hand up. */
  notify(): void {
    if (this.attempts.nextAt <= this.#now()) this.loop.kick();
  }

  get waiting() {
    return this.#options.handover.counts();
  }

  /** Makes at most one call. */
  async round(signal: AbortSignal): Promise<RoundResult> {
    if (!this.#options.handover.any()) return { again: false };
    await this.#look();
    if (!this.#heard) return { again: false };
    const now = this.#now();
    if (this.attempts.nextAt > now)
      return { again: false, pauseMs: Math.max(1, Math.min(this.attempts.nextAt - now, INTERVAL_MS)) };
    const { waiting } = this.#options.handover.counts();
    const asked = now - this.#askedAt >= ASK_MS || waiting > 0 ? this.#options.handover.taken(MAX_ASKED) : [];
    if (waiting + asked.length === 0) return { again: false };
    const items = await this.#options.handover.offer(MAX_HANDED);
    return this.#call({ items, asked, backlog: waiting }, signal);
  }

  /** Handles what needs no headquarters: a channel was added, or a message is too late. */
  async #look(): Promise<void> {
    this.counts.takenBack += await this.#options.handover.takeBack(stampOf(this.#options.clock));
    const stamp = stampOf(this.#options.clock);
    await this.#tell(await this.#options.handover.tooLate(stamp.now - LATE_MS, TOO_LATE, stamp));
  }

  async #call(
    body: Pick<NotificationsRequest, 'items' | 'asked' | 'backlog'>,
    signal: AbortSignal,
  ): Promise<RoundResult> {
    const request: NotificationsRequest = { protocol: PROTOCOL, ...this.#options.envelope(), ...body };
    const type = 'application/json';
    const sent = { body: Buffer.from(JSON.stringify(request)), type, signal };
    const http = await this.#calls.send('POST', NOTIFICATIONS_PATH, sent);
    if ('kind' in http) return this.#failed(http, signal);
    const parsed = http.status === 200 ? answerForm.safeParse(jsonOf(http)) : null;
    if (!parsed?.success) return this.#failed(this.#calls.failed(http), signal);
    this.attempts.succeeded();
    this.lastAckAt = this.#options.clock.now();
    this.#askedAt = this.#now();
    const { results } = parsed.data;
    const settled = await this.#options.handover.settle(results, stampOf(this.#options.clock));
    this.counts.delivered += settled.delivered.length;
    for (const way of settled.delivered)
      await this.#options.alarms.clear(alarmKey(way), this.#options.self, this.#options.clock.now());
    await this.#tell(settled.failed);
    const full = body.items.length === MAX_HANDED && !results.some(({ state }) => state === 'later');
    return full ? { again: true } : { again: false };
  }

  async #tell(given: readonly GivenUp[]): Promise<void> {
    this.counts.failed += given.filter(({ unclear }) => !unclear).length;
    for (const { id: notificationId, tenantCode, taskId, channel, error, unclear } of given)
      await this.#options.alarms.raise(
        {
          key: alarmKey({ tenantCode, channel }),
          instance: this.#options.self,
          tenantCode,
          severity: 'critical',
          ...alarmText(
            agentMessages,
            { code: unclear ? 'notification_unclear' : 'notification_failed', params: { channel, error } },
            { notificationId, taskId, error },
          ),
        },
        this.#options.clock.now(),
      );
  }

  #failed({ fault, retryAfterMs }: Failed, signal: AbortSignal): RoundResult {
    if (signal.aborted) return { again: false };
    const retryInMs = this.attempts.failed(fault, this.#now(), this.#random(), retryAfterMs);
    const reason = say(siteMessages, fault, 'en');
    this.#options.log.warn(
      { failures: this.attempts.failures, retryInMs, reason },
      'notifications could not be handed up',
    );
    return { again: false };
  }

  #now(): number {
    return this.#options.clock.monotonic();
  }
}

const alarmKey = ({ tenantCode, channel }: Pick<GivenUp, 'tenantCode' | 'channel'>): string =>
  `notification_failed:${tenantCode}:${channel}`;
