import type { Stamp } from '../../clock.ts';
import type { AuditEntry } from '../../core/audit/port.ts';
import { OPERATORS } from '../alarm/record.ts';
import type { ChannelRecord } from './record.ts';

/** The audit entry of a change. Secrets, and the numbers of recipients, stay out of it. */
export function channelAudit(
  before: ChannelRecord | null,
  after: ChannelRecord | null,
  actor: string,
  stamp: Stamp,
): AuditEntry {
  const subject = after ?? before;
  if (!subject) throw new Error('an audit entry needs a channel');
  const action = before === null ? 'channel.created' : after === null ? 'channel.removed' : 'channel.changed';
  return {
    id: stamp.newId(),
    at: stamp.now,
    actor,
    action,
    subject: `channel:${subject.id}`,
    tenantCode: subject.tenantCode === OPERATORS ? null : subject.tenantCode,
    before: before && shown(before),
    after: after && shown(after),
  };
}

function shown({
  name,
  channel,
  format,
  urlHost,
  secretRef,
  recipients,
  enabled,
  alarms,
}: ChannelRecord): object {
  return {
    name,
    channel,
    format,
    urlHost,
    signed: secretRef !== null,
    recipients: recipients.length,
    enabled,
    alarms,
  };
}
