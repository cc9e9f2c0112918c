import * as z from 'zod/mini';
import type { Clock } from '../../common/clock.ts';
import { say } from '../../common/message.ts';
import { formatTimeOrNull } from '../../common/time.ts';
import type { ChannelName } from '../../common/uplink/wire.ts';
import { siteMessages, type LinkFault } from '../site-messages.ts';
import { conflictCount } from './alarms.ts';
import type { UplinkStatePort } from './port.ts';
import type { UplinkSender } from './sender.ts';
import { changeSource, eventSource } from './source.ts';
import type { EventPort } from '../../common/core/event/port.ts';
import type { VerdictPort } from '../../common/core/verdict/port.ts';

export interface StatusOptions {
  store: { events: EventPort; verdicts: VerdictPort; uplink: UplinkStatePort; epoch(): string };
  /** null while the uplink is not configured. */
  sender: UplinkSender | null;
  instance: string;
  clock: Clock;
}

const time = z.nullable(z.string());
const channelView = z.object({
  name: z.enum(['events', 'verdicts']),
  cursor: z.int(),
  head: z.int(),
  backlog: z.int(),
  /** Estimate from row sizes; null where none is made. */
  backlogBytes: z.nullable(z.int()),
  oldestUnsentAt: time,
  lastAckAt: time,
  /** Why the last try failed: in English, as a code, and in Chinese. */
  lastError: z.nullable(z.string()),
  lastErrorCode: z.nullable(z.string()),
  lastErrorZh: z.nullable(z.string()),
  consecutiveFailures: z.int(),
  nextAttemptAt: time,
  sentTotal: z.int(),
  duplicateTotal: z.int(),
  parked: z.int(),
  /** Parked because another instance has used the key at headquarters. */
  conflicts: z.int(),
});

/** Site shape of GET /api/core/uplink/status (design §6, "Uplink"). */
export const siteStatusView = z.object({
  role: z.literal('site'),
  instance: z.string(),
  epoch: z.string(),
  enabled: z.boolean(),
  link: z.enum(['up', 'down', 'never']),
  channels: z.array(channelView),
  /**
   * Verdicts and corrections of headquarters. `waiting`: after its last answer, null where that does not say;
   * the others since the start.
   */
  decisions: z.object({
    waiting: z.nullable(z.int()),
    carriedOut: z.int(),
    refused: z.int(),
    failed: z.int(),
  }),
});
export type SiteUplinkStatus = z.infer<typeof siteStatusView>;

export async function uplinkStatus(options: StatusOptions): Promise<SiteUplinkStatus> {
  const { store, sender, instance } = options;
  return {
    role: 'site',
    instance,
    epoch: store.epoch(),
    enabled: sender !== null,
    link: sender?.link ?? 'never',
    channels: await Promise.all(
      (['events', 'verdicts'] as const).map((name) => channelStatus(options, name)),
    ),
    decisions: {
      waiting: sender?.decisions.waiting ?? null,
      ...(sender?.decisions.counts ?? { carriedOut: 0, refused: 0, failed: 0 }),
    },
  };
}

/**
 * The link for a person: after a start it counts as down in `link` until it was tried, which is not to be
 * called cut off. Pure.
 */
export function linkNow({ link, channels }: SiteUplinkStatus): SiteUplinkStatus['link'] | 'untried' {
  return link === 'up' || channels.some(({ consecutiveFailures }) => consecutiveFailures > 0)
    ? link
    : 'untried';
}

/** Up to here what waits is counted row by row, for the status of a site on a slow card. */
const COUNTED = 20_000;

/**
 * How many items wait after a position. Positions have gaps, a wide one after a store was damaged: they only
 * tell the number of a long backlog.
 */
export function waitingOf(
  uplink: Pick<UplinkStatePort, 'waiting'>,
  name: ChannelName,
  after: number,
  head: number,
): number {
  const most = Math.max(0, head - after);
  if (most === 0) return 0;
  const counted = uplink.waiting(name, after, COUNTED);
  return counted < COUNTED ? counted : most;
}

async function channelStatus(
  options: StatusOptions,
  name: ChannelName,
): Promise<z.infer<typeof channelView>> {
  const { store, sender } = options;
  const state = store.uplink.channel(name);
  const source = name === 'events' ? eventSource(store.events) : changeSource(store.verdicts, () => 0);
  const { head, oldest } = await source.bounds();
  const backlog = waitingOf(store.uplink, name, Math.max(state.cursor, oldest - 1), head);
  const bytes = name === 'events' ? store.uplink.backlogBytes(state.cursor) : null;
  return {
    name,
    cursor: state.cursor,
    head,
    backlog,
    backlogBytes: backlog === 0 ? 0 : bytes,
    oldestUnsentAt: formatTimeOrNull(backlog === 0 ? null : store.uplink.oldestUnsentAt(name, state.cursor)),
    lastAckAt: formatTimeOrNull(sender?.channels[name].lastAckAt ?? state.lastAckAt),
    ...tries(sender, name, options.clock),
    sentTotal: state.sentTotal,
    duplicateTotal: state.duplicateTotal,
    parked: store.uplink.parkedCount(name),
    conflicts: conflictCount(store.uplink, name),
  };
}

/**
 * What stands between a channel and its next success: the channel itself, the link, or a fault of this site.
 */
function tries(sender: UplinkSender | null, name: ChannelName, clock: Clock) {
  if (!sender) return { ...faultView(null), consecutiveFailures: 0, nextAttemptAt: null };
  const { attempts } = sender.channels[name];
  const { linkAttempts, loop } = sender;
  const failures = Math.max(attempts.failures, linkAttempts.failures, loop.consecutiveFailures);
  const due = Math.max(
    attempts.nextAt,
    linkAttempts.nextAt,
    loop.consecutiveFailures > 0 ? loop.nextDueAt : 0,
  );
  const waits = failures > 0 && Number.isFinite(due);
  return {
    ...faultView(linkAttempts.lastFault ?? attempts.lastFault ?? faultOfSite(loop)),
    consecutiveFailures: failures,
    nextAttemptAt: formatTimeOrNull(
      waits ? clock.now() + Math.max(0, Math.round(due - clock.monotonic())) : null,
    ),
  };
}

/** A round that failed for a reason of this site, as a store that takes no write. */
const faultOfSite = ({ lastError }: { lastError: string | null }): LinkFault | null =>
  lastError === null ? null : { code: 'site_failed', params: { reason: lastError } };

/** A fault as the status tells it. Pure. */
export const faultView = (fault: LinkFault | null) => ({
  lastError: fault && say(siteMessages, fault, 'en'),
  lastErrorCode: fault?.code ?? null,
  lastErrorZh: fault && say(siteMessages, fault, 'zh'),
});
