import type { Stamp } from '../../clock.ts';
import type { AuditEntry } from '../../core/audit/port.ts';
import { OPERATORS } from '../alarm/record.ts';
import type { ChannelFormat, ChannelRecord } from './record.ts';

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

/**
 * The longest text that goes out by each format: WeCom takes 2,048 bytes of UTF-8, DingTalk and Feishu 20,000
 * with what stands around it, and 500 characters are eight SMS. A webhook and an e-mail take what comes.
 */
const ROOM: Readonly<Record<ChannelFormat, { bytes: number } | { characters: number }>> = {
  wecom: { bytes: 2_048 },
  dingtalk: { bytes: 18_000 },
  feishu: { bytes: 18_000 },
  webhook: { characters: 100_000 },
  email: { characters: 100_000 },
  sms_gateway: { characters: 500 },
};
/** What stands where a text was cut. */
const CUT = '…【此处截断 cut here】';

/** How much of the room of a format a text takes. */
const sizeIn = (format: ChannelFormat, text: string): number =>
  'bytes' in ROOM[format] ? Buffer.byteLength(text) : [...text].length;

export const roomOf = (format: ChannelFormat): number => {
  const room = ROOM[format];
  return 'bytes' in room ? room.bytes : room.characters;
};

/** A text that fits into so much of the room of a format; where it is cut, it says so. */
export function cutFor(format: ChannelFormat, text: string, room = roomOf(format)): string {
  if (sizeIn(format, text) <= room) return text;
  let left = room - sizeIn(format, CUT);
  let end = 0;
  for (const character of text) {
    left -= sizeIn(format, character);
    if (left < 0) break;
    end += character.length;
  }
  return `${text.slice(0, end)}${CUT}`;
}

/**
 * Several texts that fit together, with so much between each two; a short one leaves its room to the others.
 */
export function cutTogether(format: ChannelFormat, texts: readonly string[], between: string): string {
  let room = roomOf(format) - sizeIn(format, between) * (texts.length - 1);
  const cut = [...texts];
  const bySize = texts
    .map((text, at) => ({ at, size: sizeIn(format, text) }))
    .sort((a, b) => a.size - b.size);
  for (const [done, { at }] of bySize.entries()) {
    const text = cutFor(format, texts[at] ?? '', Math.floor(room / (texts.length - done)));
    cut[at] = text;
    room -= sizeIn(format, text);
  }
  return cut.join(between);
}
