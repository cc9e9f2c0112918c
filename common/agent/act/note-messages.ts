import { type MessageOf, say, sentences } from '../../message.ts';

/** Why it goes otherwise than a rule says. */
export const noteMessages = {
  judged: sentences('judged {verdict} before the agent came to it', '处理之前已研判为{verdict}'),
  false_alarm: sentences('false_alarm', '误报'),
  merged: sentences('merged', '合并'),
  observed: sentences('an observation that no rule asks for', '没有规则要求处理的观测'),
  rules_unread: sentences(
    'the response rules cannot be read; whether one fits is not known',
    '响应规则无法读取，是否有规则匹配尚不明',
  ),
  judged_below: sentences(
    'the machine judgement is below judge_min_conf and counts as a false alarm; a person reviews it',
    '机器研判的置信度低于阈值 judge_min_conf，按误报处理，由人复核',
  ),
  suppressed: sentences('within the cooldown of an earlier notification', '处于较早一次通知的冷却时间内'),
  late: sentences(
    'the event waited too long for the agent; it went to the inbox only',
    '事件等待处理过久，只发到收件箱',
  ),
  test_inbox: sentences('a test event notifies the inbox only', '测试事件只通知到收件箱'),
};

export type Note = MessageOf<typeof noteMessages>;

/** As decisions keep it. */
export const inEnglish = (note: Note | null): string | null => note && say(noteMessages, note, 'en');

export const texts = (note: Note | null): { note: string | null; noteZh: string | null } => ({
  note: inEnglish(note),
  noteZh: note && say(noteMessages, note, 'zh'),
});

/** Note of a decision that came too late to notify anyone but in the inbox. */
export const LATE_NOTE = noteMessages.late.en;
