import type { NotificationPort } from '../../core/notification/port.ts';
import type { NotificationRecord } from '../../core/notification/record.ts';
import type { RetentionHook } from '../../core/retention/port.ts';
import type { TimelineNotifications } from '../../core/timeline/port.ts';
import type { NotifiedWay } from '../../core/timeline/record.ts';
import type { AgentPort } from './port.ts';

/** Deletes what the agent keeps of an event together with the event. */
export const agentRetentionHook = (agent: AgentPort): RetentionHook => ({
  name: 'agent',
  forget: (eventIds) => agent.forgetEvents(eventIds),
});

function wayOf({ instance, handover, channelId }: NotificationRecord): NotifiedWay {
  if (instance !== null) return { of: 'site', site: instance };
  if (handover !== null) return { of: 'headquarters' };
  return { of: channelId === null ? 'none' : 'own' };
}

/** Notifications of an event as its timeline shows them: how they went, not to whom. */
export function timelineNotifications({
  agent,
  notifications,
}: {
  agent: AgentPort;
  notifications: NotificationPort;
}): TimelineNotifications {
  return {
    ofEvent: async ({ id }, limit) => {
      const [rows, [decision]] = await Promise.all([
        notifications.ofEvent(id, limit),
        agent.decisions({ tenantCode: null, eventId: id }, null, 1),
      ]);
      const made =
        decision?.summary === 'succeeded' || decision?.summary === 'failed' ? decision.summary : null;
      return rows.map((row) => ({
        id: row.id,
        at: row.settledAt ?? row.createdAt,
        channel: row.channel,
        status: row.state,
        summary: row.kind === 'task' ? made : null,
        way: wayOf(row),
      }));
    },
  };
}
