// Pure: what an e-mail says and where it goes.
import type { NotificationRecord } from '../../core/notification/record.ts';
import type { ChannelRecord } from './record.ts';

/** Longest subject, characters: readers show less. */
const MAX_SUBJECT = 120;
/** Of a name that is shown without telling whose it is, the characters that stay. */
const SHOWN_OF_NAME = 1;

export interface Mail {
  from: string;
  to: string[];
  subject: string;
  text: string;
  /** The same on each try. */
  messageId: string;
}

/** The subject is the first line of the message. */
export function mailOf({ mail, recipients }: ChannelRecord, { id, message }: NotificationRecord): Mail {
  const from = mail?.from ?? '';
  const [first = ''] = message.split('\n', 1);
  const shown = [...first.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ').trim()];
  return {
    from,
    to: recipients,
    subject: shown.length <= MAX_SUBJECT ? shown.join('') : `${shown.slice(0, MAX_SUBJECT - 1).join('')}…`,
    text: message,
    messageId: `<${id}@${from.slice(from.indexOf('@') + 1)}>`,
  };
}

/** An address as messages show it, which more people read than may read the addresses. */
export const masked = (address: string): string =>
  `${address.slice(0, SHOWN_OF_NAME)}…${address.slice(address.indexOf('@'))}`;
