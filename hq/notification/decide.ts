import { hash } from 'node:crypto';
import type { NewNotification, NotificationRecord } from '../../common/core/notification/record.ts';
import type { HandedResult } from '../../common/uplink/notification.ts';
import type { Handed } from './port.ts';

/**
 * The row of a message for one channel. Its id, by which receivers know a repetition, follows of what it is:
 * it stays the same where headquarters was put back from a copy. Pure.
 */
export function rowOf(
  instance: string,
  { item, eventId }: Handed,
  channelId: string,
  now: number,
): NewNotification {
  return {
    id: hash('sha256', JSON.stringify([instance, item.id, channelId]), 'hex').slice(0, 32),
    tenantCode: item.tenant_code,
    eventId,
    taskId: null,
    kind: item.kind,
    channel: item.channel,
    channelId,
    handover: null,
    deliveredBy: null,
    instance,
    originId: item.id,
    ruleName: item.rule_name,
    severity: item.severity,
    message: item.message,
    isTest: item.is_test,
    state: 'pending',
    attempts: 0,
    nextAt: now,
    lastError: null,
    createdAt: now,
    settledAt: null,
  };
}

/** @param nameOf name of a channel; null: it was removed. Pure. */
export function resultOf(
  id: string,
  rows: readonly NotificationRecord[],
  nameOf: (channelId: string) => string | null,
): HandedResult {
  const named = ({ channelId }: NotificationRecord): string =>
    channelId === null ? 'no channel' : (nameOf(channelId) ?? channelId);
  if (rows.some(({ state }) => state === 'pending'))
    return { id, state: 'taken', channels: [], reason: null, at: null };
  const sent = rows.filter(({ state }) => state === 'sent');
  const reasons = rows
    .filter(({ state }) => state === 'failed')
    .map((row) => `${named(row)}: ${row.lastError ?? 'given up'}`);
  const times = (sent.length > 0 ? sent : rows).flatMap(({ settledAt }) => settledAt ?? []);
  return {
    id,
    state: sent.length > 0 ? 'sent' : 'failed',
    channels: sent.map(named),
    reason: reasons.length > 0 ? reasons.join('; ').slice(0, 1_000) : null,
    at: times.length > 0 ? Math.max(...times) : null,
  };
}

export const failedFor = (id: string, reason: string): HandedResult => ({
  id,
  state: 'failed',
  channels: [],
  reason,
  at: null,
});
