import type { Stamp } from '../../clock.ts';
import type { AuditEntry } from '../../core/audit/port.ts';
import { OPERATORS } from '../alarm/record.ts';
import type { ChannelRecord } from './record.ts';

/** Without quotes, comments and lists: what is no address to the letter could be two, or a header. */
const ADDRESS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;

/** Whether e-mail may go to or come from there. */
export const isMailAddress = (text: string): boolean => ADDRESS.test(text);

/** Whose secrets a channel may use, and whose alarms tell of it; null: nobody's but the operators'. */
export const tenantOf = ({ tenantCode }: Pick<ChannelRecord, 'tenantCode'>): string | null =>
  tenantCode === OPERATORS ? null : tenantCode;

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
    tenantCode: tenantOf(subject),
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
  mail,
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
    mail,
    enabled,
    alarms,
  };
}
