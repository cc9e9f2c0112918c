// What a call says: on a telephone, and in a mail.
import { typeWords } from '../../../common/core/event/type-table.ts';
import { type Language, sayer } from '../../../common/message.ts';
import { timesInZone } from '../../../common/time.ts';
import { dutyMessages } from '../duty-messages.ts';
import { MAX_PAYLOAD } from '../push/client.ts';
import type { CallSubject, Sending } from './record.ts';

/** Characters of a title or text that a telephone shows. */
const MAX_TITLE = 120;
const MAX_BODY = 600;

/** What the service worker of the console is sent (`hq/console/worker/payload.ts`). */
export interface PushPayload {
  kind: 'call' | 'taken' | 'test';
  /** Notifications of one tag replace each other. */
  tag: string;
  title: string;
  body: string;
  /** Path within the console that a tap opens. */
  url: string;
  /** Opens its call alone; '' with a test. */
  token: string;
  /** Words of the two buttons. */
  take: string;
  open: string;
  /** With `{who}` for whoever has it. */
  takenBy: string;
  urgent: boolean;
  lang: Language;
}

/** What is known beside the call itself. */
export interface Telling {
  language: Language;
  /** IANA name, or an offset. */
  zone: string;
  /** What people call the site; null: headquarters. */
  site: string | null;
}

/** What it is, in a line. */
export function headOf(subject: CallSubject, language: Language): string {
  const w = sayer(dutyMessages, language);
  const severity = w(subject.severity);
  if (subject.kind === 'alarm')
    return w('subject_event', {
      severity: `${severity} · ${w('operational')}`,
      what: nameOf(subject, language),
    });
  return w('subject_event', { severity, what: nameOf(subject, language) });
}

function nameOf({ kind, type, title, titleZh }: CallSubject, language: Language): string {
  if (kind === 'alarm') return (language === 'zh' ? (titleZh ?? title) : title) ?? '';
  const words = typeWords(type ?? '')[language === 'zh' ? 1 : 0];
  return title === null || title === words ? words : `${words} · ${title}`;
}

/** Where and when. */
export function whereOf(subject: CallSubject, { language, zone, site }: Telling): string {
  const w = sayer(dutyMessages, language);
  const place = [site ?? w('headquarters'), subject.place, subject.camera].filter((part) => part !== null);
  return w('where', { place: [...new Set(place)].join(' · '), time: timeOf(subject.at, zone) });
}

function timeOf(at: number, zone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${part.month}-${part.day} ${part.hour}:${part.minute}`;
}

/** Path within the console. */
export const pathOf = ({ eventId }: CallSubject): string =>
  eventId === null ? '/now' : `/events/${eventId}`;

export interface Telephoned {
  sending: Pick<Sending, 'reason'>;
  call: CallSubject & { id: string; takenBy: string | null; events: number };
  token: string;
}

/** The text of a push message, at most as long as every service takes. */
export function pushTextOf({ sending, call, token }: Telephoned, telling: Telling): string {
  const { language } = telling;
  const w = sayer(dutyMessages, language);
  const taken = sending.reason === 'taken';
  const head = timesInZone(headOf(call, language), telling.zone);
  const payload: PushPayload = {
    kind: taken ? 'taken' : 'call',
    tag: call.id,
    title: cut(taken ? w('taken', { who: call.takenBy ?? '' }) : head, MAX_TITLE),
    body: cut(
      [...(taken ? [head] : []), whereOf(call, telling), ...moreOf(call, language)].join('\n'),
      MAX_BODY,
    ),
    url: pathOf(call),
    token,
    take: w('take'),
    open: w('open'),
    takenBy: w('taken', { who: '{who}' }),
    urgent: call.severity === 'critical' && !taken,
    lang: language,
  };
  return fitted(payload);
}

/** The text of a message that somebody has sent to try it. */
export function testTextOf(language: Language): string {
  const w = sayer(dutyMessages, language);
  return fitted({
    kind: 'test',
    tag: 'test',
    title: w('test_title'),
    body: w('test_body'),
    url: '/calls',
    token: '',
    take: w('take'),
    open: w('open'),
    takenBy: w('taken', { who: '{who}' }),
    urgent: false,
    lang: language,
  });
}

const moreOf = ({ events }: { events: number }, language: Language): string[] =>
  events > 1 ? [sayer(dutyMessages, language)('more', { count: events - 1 })] : [];

function fitted(payload: PushPayload): string {
  let { body } = payload;
  for (;;) {
    const text = JSON.stringify({ ...payload, body });
    if (Buffer.byteLength(text) <= MAX_PAYLOAD || body === '') return text;
    body = cut(body, Math.floor(body.length / 2));
  }
}

function cut(text: string, most: number): string {
  const shown = [...text];
  return shown.length <= most ? text : `${shown.slice(0, Math.max(0, most - 1)).join('')}…`;
}

/** The text of a mail, its first line the subject. @param links null: nobody has told where the console is */
export function mailTextOf(
  { sending, call }: Omit<Telephoned, 'token'>,
  telling: Telling,
  { links, minutes }: { links: { take: string; event: string } | null; minutes: number | null },
): string {
  const { language } = telling;
  const w = sayer(dutyMessages, language);
  const why =
    sending.reason === 'duty' && minutes !== null ? w('mail_why_duty', { minutes }) : w('mail_why_choice');
  return [
    timesInZone(headOf(call, language), telling.zone).replaceAll(/\s+/g, ' '),
    '',
    whereOf(call, telling),
    ...moreOf(call, language),
    '',
    ...(links === null
      ? []
      : [w('mail_link', { link: links.take }), w('mail_event', { link: links.event }), '']),
    why,
  ].join('\n');
}
