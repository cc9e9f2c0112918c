// Sentences of the timeline, in English and in Chinese.
import { type Language, type Say, sayer, sentences } from '../../message.ts';
import type { Judged } from '../event/record.ts';
import type { EventSource } from '../event/schema.ts';
import { eventTypeTable, typeWords } from '../event/type-table.ts';
import type { FailureClass, FeedbackKind, FeedbackState } from '../feedback/record.ts';
import type { ResultCode, StepKind, TaskType } from '../task/schema.ts';
import type { Disposition, MergeTarget } from '../verdict/record.ts';
import type { VerdictValue } from '../verdict/schema.ts';
import type { KnowledgeKind, Sentence } from './record.ts';

const timelineMessages = {
  not_reviewed: sentences(
    'Judged automatically by a model; it was not manually reviewed.',
    '由模型自动判定，未经人工复核。',
  ),
  /** After a sentence: a person's own words as they are, or its end. */
  said: sentences(': {note}', '：{note}'),
  end: sentences('.', '。'),
  comma: sentences(', ', '，'),

  verdict_confirmed: sentences('confirmed as real', '确认属实'),
  verdict_false_alarm: sentences('a false alarm', '误报'),
  verdict_merged: sentences('merged', '合并'),
  source_video: sentences('video', '视频'),
  source_quick_photo: sentences('a quick photo', '随手拍'),
  task_disposal: sentences('disposal task', '处置任务'),
  task_review: sentences('review task', '复核任务'),
  task_rectification: sentences('rectification', '整改任务'),
  task_postmortem_request: sentences('postmortem request', '复盘申请'),
  result_eliminated: sentences('eliminated', '已消除'),
  result_controlled: sentences('under control', '已控制'),
  result_false_alarm: sentences('a false alarm', '误报'),
  result_to_hazard: sentences('turned into a hazard', '转为隐患'),
  result_other: sentences('other', '其他'),
  record_arrive: sentences('Arrival', '到场'),
  record_measure: sentences('Measure', '措施'),
  record_result: sentences('Result', '结果'),
  record_handover: sentences('Handover', '移交'),
  record_note: sentences('Note', '备注'),
  knowledge_false_alarm_case: sentences('False-alarm case', '误报案例'),
  knowledge_shift_handover: sentences('Shift handover', '交接班记录'),
  knowledge_checklist: sentences('Checklist', '检查表'),
  knowledge_weekly_report: sentences('Weekly report', '周报'),
  knowledge_monthly_report: sentences('Monthly report', '月报'),
  knowledge_postmortem_report: sentences('Postmortem report', '复盘报告'),
  message_verdict: sentences('the verdict', '研判结论'),
  message_correction: sentences('the correction', '更正结论'),
  message_order: sentences('the order on the task', '任务指令'),
  message_task: sentences('the progress of the task', '任务进展'),
  message_edge_note: sentences('a reminder', '催办提醒'),
  delivery_delivered: sentences('delivered', '已送达'),
  delivery_pending: sentences('not delivered yet', '尚未送达'),
  delivery_expired: sentences('given up after 7 days', '7 天未送达，已放弃'),
  'failure_address not allowed': sentences('its address is not allowed', '地址不在允许范围内'),
  'failure_connection refused': sentences('it refused the connection', '摄像机拒绝连接'),
  'failure_timed out': sentences('it did not answer in time', '摄像机应答超时'),
  failure_unreachable: sentences('it cannot be reached', '无法连通摄像机'),
  'failure_answered with an error': sentences('it answered with an error', '摄像机返回错误'),
  'failure_not sent': sentences('it could not be sent', '未能发出'),

  occurred: sentences('{type}, seen by {source}.', '{source}发现{type}。'),
  occurred_unknown: sentences('{type} occurred, seen by {source}.', '{source}发现 {type} 发生。'),
  received: sentences('{instance} received the event.', '{instance} 收到该事件。'),

  judged_with_event: sentences('The event came with a machine judgement', '事件上报时附有机器研判'),
  judged_with_verdict: sentences('A machine judgement came with the verdict', '研判结论附有机器研判'),
  confidence: sentences('confidence {confidence}', '置信度 {confidence}'),
  model_version: sentences('model version {version}', '模型版本 {version}'),
  details: sentences(': {details}.', '：{details}。'),

  judged: sentences('Judged {verdict}{into}', '研判为{verdict}{into}'),
  corrected: sentences('Corrected to {verdict}{into}', '更正为{verdict}{into}'),
  /** By its id where its row is kept here, otherwise by its key and where it arose. */
  into_event: sentences(' into event {event}', '到事件 {event}'),
  into_key: sentences(' into the event {key}', '到事件 {key}'),
  into_key_of: sentences(' into the event {key} of {instance}', '到 {instance} 的事件 {key}'),

  waits_for_site: sentences('{what} waits to go down to {site}.', '{what}等待下发到 {site}。'),
  answer_unclear: sentences(
    'What {site} answered to {what} cannot be read: {reason}',
    '{site} 对{what}的答复无法读取：{reason}',
  ),
  not_carried_out: sentences(
    '{site} did not carry out {what}, and its camera does not hear of it: {reason}',
    '{site} 未执行{what}，摄像机不会收到：{reason}',
  ),

  disposed: sentences('A disposition was decided.', '作出处置决定。'),
  disposed_so: sentences('A disposition was decided: {details}.', '处置决定：{details}。'),
  disposed_type: sentences('type {type}', '类型 {type}'),
  disposed_severity: sentences('severity {severity}', '级别 {severity}'),
  disposed_channel: sentences('channel {channel}', '渠道 {channel}'),
  disposed_deadline: sentences('deadline {deadline}', '期限 {deadline}'),
  disposed_task: sentences('task {task}', '任务号 {task}'),

  task: sentences('{task} {id} {event}{result}', '{task} {id} {event}{result}'),
  task_result: sentences(', result: {result}', '，结果：{result}'),
  was_created: sentences('was created', '创建'),
  was_dispatched: sentences('was dispatched', '下发'),
  was_taken_over: sentences('was taken over', '被接管'),
  was_sent_back: sentences('was not accepted and sent back', '验收未通过，退回'),
  was_completed: sentences('was completed', '完成'),
  was_pending_acceptance: sentences('was completed and waits for acceptance', '完成，待验收'),
  was_closed: sentences('was closed', '关闭'),
  was_accepted: sentences('was accepted and closed', '验收通过，关闭'),
  was_cancelled: sentences('was cancelled', '取消'),
  was_escalated: sentences(
    'was escalated: its deadline passed before anyone took it over',
    '超时未接管，升级',
  ),

  reminded: sentences('Reminder to the field (delivered): {text}', '催办现场（已送达）：{text}'),
  reminded_in_vain: sentences('Reminder to the field (not delivered): {text}', '催办现场（未送达）：{text}'),
  camera_told: sentences('The camera is told of {what}: {state}{why}.', '向摄像机回传{what}：{state}{why}。'),
  why: sentences(' ({reason})', '（{reason}）'),
};

type Words = Say<typeof timelineMessages>;

const both = (make: (w: Words, language: Language) => string): Sentence => ({
  text: make(sayer(timelineMessages, 'en'), 'en'),
  textZh: make(sayer(timelineMessages, 'zh'), 'zh'),
});

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const typeIn = (type: string, language: Language): string => typeWords(type)[language === 'zh' ? 1 : 0];
const saidIn = (w: Words, note: string | null | undefined): string => (note ? w('said', { note }) : w('end'));
/** What is there of them. */
const listed = (w: Words, parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part !== null && part !== undefined && part !== '').join(w('comma'));

export const NOT_REVIEWED: Sentence = both((w) => w('not_reviewed'));

export const occurrenceSentence = (type: string, source: EventSource): Sentence =>
  both((w, language) =>
    w(eventTypeTable.has(type) ? 'occurred' : 'occurred_unknown', {
      type: typeIn(type, language),
      source: w(`source_${source}`),
    }),
  );

export const received = (instance: string): Sentence => both((w) => w('received', { instance }));

export function judged({ type, confidence, modelVersion }: Judged, withEvent: boolean): Sentence {
  return both((w, language) => {
    const details = listed(w, [
      type && typeIn(type, language),
      confidence === undefined ? null : w('confidence', { confidence }),
      modelVersion && w('model_version', { version: modelVersion }),
    ]);
    const what = w(withEvent ? 'judged_with_event' : 'judged_with_verdict');
    return what + (details === '' ? w('end') : w('details', { details }));
  });
}

export const verdict = (
  value: VerdictValue,
  target: MergeTarget,
  reason: string | null,
  corrected: boolean,
): Sentence =>
  both((w) => {
    const about = { verdict: w(`verdict_${value}`), into: intoTarget(w, target) };
    return w(corrected ? 'corrected' : 'judged', about) + saidIn(w, reason);
  });

function intoTarget(w: Words, { mergedInto, mergedIntoKey: key, mergedIntoInstance }: MergeTarget): string {
  if (mergedInto !== null) return w('into_event', { event: mergedInto });
  if (key === null) return '';
  return mergedIntoInstance === null
    ? w('into_key', { key })
    : w('into_key_of', { key, instance: mergedIntoInstance });
}

/** What has become of a decision of headquarters on an event of a site. */
export const sentToSiteSentence = (
  kind: 'verdict' | 'correction' | 'order',
  site: string,
  refusal: { reason: string; reasonZh: string | null; unclear: boolean } | null,
): Sentence =>
  both((w, language) => {
    const what = w(`message_${kind}`);
    if (refusal === null) return w('waits_for_site', { what: capital(what), site });
    const reason = (language === 'zh' ? refusal.reasonZh : null) ?? refusal.reason;
    return w(refusal.unclear ? 'answer_unclear' : 'not_carried_out', { what, site, reason });
  });

export const disposition = ({ type, severity, channel, deadline, taskNo }: Disposition): Sentence =>
  both((w, language) => {
    const details = listed(w, [
      type && w('disposed_type', { type: typeIn(type, language) }),
      severity && w('disposed_severity', { severity }),
      channel && w('disposed_channel', { channel }),
      deadline && w('disposed_deadline', { deadline }),
      taskNo && w('disposed_task', { task: taskNo }),
    ]);
    return details === '' ? w('disposed') : w('disposed_so', { details });
  });

export interface TaskLine {
  id: number;
  type: TaskType;
  note: string | null;
}

type TaskEvent =
  | 'created'
  | 'dispatched'
  | 'taken_over'
  | 'sent_back'
  | 'completed'
  | 'pending_acceptance'
  | 'closed'
  | 'accepted'
  | 'cancelled'
  | 'escalated';

export const task = (
  event: TaskEvent,
  { id, type, note }: TaskLine,
  result: ResultCode | null = null,
): Sentence =>
  both((w) => {
    const outcome = result === null ? '' : w('task_result', { result: w(`result_${result}`) });
    const about = { task: capital(w(`task_${type}`)), id, event: w(`was_${event}`), result: outcome };
    return w('task', about) + saidIn(w, note);
  });

export const recordSentence = (kind: StepKind, text: string): Sentence =>
  both((w) => w(`record_${kind}`) + saidIn(w, text));

export const edgeNote = (text: string, pushed: boolean): Sentence =>
  both((w) => w(pushed ? 'reminded' : 'reminded_in_vain', { text }));

/** @param why of the last try, where it failed */
export const message = (kind: FeedbackKind, state: FeedbackState, why: FailureClass | null): Sentence =>
  both((w) =>
    w('camera_told', {
      what: w(`message_${kind}`),
      state: w(`delivery_${state}`),
      why: why === null ? '' : w('why', { reason: w(`failure_${why}`) }),
    }),
  );

export const knowledgeSentence = (kind: KnowledgeKind, title: string): Sentence =>
  both((w) => w(`knowledge_${kind}`) + saidIn(w, title));
