// The alarms that the agent raises. Pure.
import { alarmText } from '../../core/alarm/alarm-text.ts';
import type { RaiseAlarm } from '../../core/alarm/port.ts';
import type { ChannelName } from '../../core/notification/record.ts';
import { agentMessages } from '../agent-messages.ts';

/** Events that retention deleted before the agent had decided on them, the first and the last included. */
export function eventsMissed(instance: string, { from, to }: { from: number; to: number }): RaiseAlarm {
  return {
    key: 'agent_events_missed',
    instance,
    tenantCode: null,
    severity: 'critical',
    ...alarmText(
      agentMessages,
      { code: 'agent_events_missed', params: { events: to - from + 1 } },
      { from, to },
    ),
  };
}

/** An event that the agent could not act on, and passed over. */
export function eventFailed(instance: string, eventId: number): RaiseAlarm {
  return {
    key: `agent_event_failed:${eventId}`,
    instance,
    tenantCode: null,
    severity: 'critical',
    ...alarmText(agentMessages, { code: 'agent_event_failed', params: { eventId } }, { eventId }),
  };
}

export const channelMissingKey = (tenant: string, channel: ChannelName): string =>
  `channel_missing:${tenant}:${channel}`;

/** A rule names a channel that the tenant has not set up. */
export function channelMissing(instance: string, tenant: string, channel: ChannelName): RaiseAlarm {
  return {
    key: channelMissingKey(tenant, channel),
    instance,
    tenantCode: tenant,
    severity: 'warning',
    ...alarmText(agentMessages, { code: 'channel_missing', params: { tenant, channel } }, { channel }),
  };
}

export const RULES_MISSING = 'rules_missing';

/** A critical event came while headquarters' rules were not here, and nobody was told of it. */
export function rulesMissing(instance: string, eventId: number): RaiseAlarm {
  return {
    key: RULES_MISSING,
    instance,
    tenantCode: null,
    severity: 'critical',
    ...alarmText(agentMessages, { code: 'rules_missing', params: { eventId } }, { eventId }),
  };
}

/** An event waited so long for the agent that nobody was notified of it except in the inbox. */
export function agentLate(instance: string, tenant: string): RaiseAlarm {
  return {
    key: `agent_late:${tenant}`,
    instance,
    tenantCode: tenant,
    severity: 'warning',
    ...alarmText(agentMessages, { code: 'agent_late', params: { tenant } }),
  };
}
