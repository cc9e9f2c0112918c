import * as z from 'zod/mini';
import type { Clock } from '../../common/clock.ts';
import type { EventPort } from '../../common/core/event/port.ts';
import { described } from '../../common/http/described.ts';
import { say } from '../../common/message.ts';
import { formatTimeOrNull } from '../../common/time.ts';
import { type ChannelName, channelNames } from '../../common/uplink/wire.ts';
import { type LinkFault, siteMessages } from '../site-messages.ts';
import { conflictCount } from './alarms.ts';
import type { ChangePort } from './changes/port.ts';
import type { EvidenceSender } from './evidence/sender.ts';
import { evidenceStatus, evidenceStatusView } from './evidence/status.ts';
import { flowNames, flowsOf } from './flow/decide.ts';
import { triesView } from './flow/schema.ts';
import type { Inbox } from './inbox/inbox.ts';
import type { NotificationHandover } from './notification/sender.ts';
import { handoverStatus, handoverStatusView } from './notification/status.ts';
import type { Orders } from './order/orders.ts';
import { ordersStatus, ordersStatusView } from './order/status.ts';
import type { UplinkStatePort } from './port.ts';
import type { UplinkSender } from './sender.ts';
import { changeSource, eventSource, type Source } from './source.ts';

export interface StatusOptions {
  store: {
    events: EventPort;
    changes: ChangePort;
    uplink: UplinkStatePort;
    epoch(): string;
  };
  /** null while the uplink is not configured. */
  sender: UplinkSender | null;
  /** What travels beside the channels; null, and left out, where nothing does. */
  evidence?: EvidenceSender | null;
  notifications?: NotificationHandover | null;
  orders?: Orders | null;
  instance: string;
  clock: Clock;
}

const time = z.nullable(z.string());
const channelView = z
  .object({
    name: z.enum(channelNames),
    cursor: z.int(),
    /** Newest event, or last number given to a change: one whose event has not gone up has none yet. */
    head: z.int(),
    /** All that waits, also changes without a number: 0 says that all is up, `cursor` at `head` does not. */
    backlog: z.int(),
    /** Estimate from row sizes. */
    backlogBytes: z.int(),
    oldestUnsentAt: time,
    lastAckAt: time,
    ...triesView,
    sentTotal: z.int(),
    duplicateTotal: z.int(),
    parked: z.int(),
    /** Parked because another instance has used the key at headquarters. */
    conflicts: z.int(),
  })
  .register(described, { id: 'UplinkChannel' });

/** Site shape of GET /api/core/uplink/status (DESIGN.md, "Uplink"). */
export const siteStatusView = z
  .object({
    role: z.literal('site'),
    instance: z.string(),
    epoch: z.string(),
    enabled: z.boolean(),
    link: z.enum(['up', 'down', 'never']),
    /** Tenants whose events headquarters takes of this site, by its last answer; null: it has not said. */
    tenants: z.nullable(z.readonly(z.array(z.string()))),
    channels: z.array(channelView),
    /**
     * Verdicts and corrections of headquarters. `waiting`: those that are not carried out here, and what else
     * waits at headquarters after its last answer; null before that. The other counts are since the start.
     */
    decisions: z.object({
      waiting: z.nullable(z.int()),
      carriedOut: z.int(),
      refused: z.int(),
      failed: z.int(),
    }),
    evidence: evidenceStatusView,
    notifications: handoverStatusView,
    orders: ordersStatusView,
    /**
     * What waits of all of it, in one form. `bytes` null: no figure is made of it. `late`: for more than ten
     * minutes, and evidence only when its tries fail too; then after three in a row at once.
     */
    flows: z.array(
      z.object({
        name: z.enum(flowNames),
        waiting: z.int(),
        bytes: z.nullable(z.int()),
        oldestAt: time,
        late: z.boolean(),
        parked: z.int(),
        ...triesView,
      }),
    ),
  })
  .register(described, { id: 'UplinkStatus' });
export type SiteUplinkStatus = z.infer<typeof siteStatusView>;

export async function uplinkStatus(options: StatusOptions): Promise<SiteUplinkStatus> {
  const { store, sender, instance } = options;
  const facts = {
    channels: await Promise.all(channelNames.map((name) => channelStatus(options, name))),
    evidence: evidenceStatus(options.evidence ?? null, options.clock),
    notifications: handoverStatus(options.notifications ?? null, options.clock),
    orders: ordersStatus(options.orders ?? null, sender?.inbox ?? null),
  };
  return {
    role: 'site',
    instance,
    epoch: store.epoch(),
    enabled: sender !== null,
    link: sender?.link.state ?? 'never',
    tenants: sender?.tenants ?? null,
    decisions: decisionsStatus(sender?.inbox ?? null),
    ...facts,
    flows: flowsOf(facts, options.clock.now()),
  };
}

function decisionsStatus(inbox: Inbox | null): SiteUplinkStatus['decisions'] {
  if (!inbox) return { waiting: null, carriedOut: 0, refused: 0, failed: 0 };
  const there = inbox.waitingThere;
  return {
    waiting: there && (there.decision ?? 0) + inbox.count('decision').waiting,
    ...inbox.counts.decision,
  };
}

/**
 * The link as a person is to see it: after a start `link` is `down` until the first attempt, which does not
 * mean that headquarters is out of reach. Pure.
 */
export function linkNow({ link, channels }: SiteUplinkStatus): SiteUplinkStatus['link'] | 'untried' {
  return link === 'up' || channels.some(({ consecutiveFailures }) => consecutiveFailures > 0)
    ? link
    : 'untried';
}

/** Events are counted row by row up to this many, a bound on the work of a slow card. */
const MOST_COUNTED = 20_000;

/**
 * How many events wait after a position. A long backlog is estimated from the positions, which have gaps: a
 * wide one after a damaged store was restored.
 */
export function eventsAfter(uplink: Pick<UplinkStatePort, 'waiting'>, after: number, head: number): number {
  const most = Math.max(0, head - after);
  if (most === 0) return 0;
  const counted = uplink.waiting('events', after, MOST_COUNTED);
  return counted < MOST_COUNTED ? counted : most;
}

/** Where no sender is, nothing goes up and only the bounds of a channel are asked for. */
const sourceOf = ({ events, changes }: StatusOptions['store'], name: ChannelName): Source =>
  name === 'events' ? eventSource(events) : changeSource(changes, () => 0);

async function channelStatus(
  options: StatusOptions,
  name: ChannelName,
): Promise<z.infer<typeof channelView>> {
  const { store, sender } = options;
  const state = store.uplink.channel(name);
  const source = sender?.channels[name].source ?? sourceOf(store, name);
  const { head, oldest } = await source.bounds();
  const backlog =
    name === 'events'
      ? eventsAfter(store.uplink, Math.max(state.cursor, oldest - 1), head)
      : store.uplink.waiting(name, state.cursor, Number.MAX_SAFE_INTEGER);
  return {
    name,
    cursor: state.cursor,
    head,
    backlog,
    backlogBytes: backlog === 0 ? 0 : store.uplink.backlogBytes(name, state.cursor, backlog),
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
 * The failures that delay a channel: its own, those of the link, or those of this site.
 */
function tries(sender: UplinkSender | null, name: ChannelName, clock: Clock) {
  if (!sender) return { ...faultView(null), consecutiveFailures: 0, nextAttemptAt: null };
  const { attempts } = sender.channels[name];
  const { link, loop } = sender;
  const failures = Math.max(attempts.failures, link.attempts.failures, loop.consecutiveFailures);
  const due = Math.max(
    attempts.nextAt,
    link.attempts.nextAt,
    loop.consecutiveFailures > 0 ? loop.nextDueAt : 0,
  );
  const waits = failures > 0 && Number.isFinite(due);
  return {
    ...faultView(link.attempts.lastFault ?? attempts.lastFault ?? faultOfSite(loop)),
    consecutiveFailures: failures,
    nextAttemptAt: formatTimeOrNull(
      waits ? clock.now() + Math.max(0, Math.round(due - clock.monotonic())) : null,
    ),
  };
}

/** A round failed for a reason of this site, such as a store that cannot be written. */
const faultOfSite = ({ lastError }: { lastError: string | null }): LinkFault | null =>
  lastError === null ? null : { code: 'site_failed', params: { reason: lastError } };

/** The members of the status that describe a fault. Pure. */
export const faultView = (fault: LinkFault | null) => ({
  lastError: fault && say(siteMessages, fault, 'en'),
  lastErrorCode: fault?.code ?? null,
  lastErrorZh: fault && say(siteMessages, fault, 'zh'),
});
