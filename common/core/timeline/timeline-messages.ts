// Sentences of the timeline, in English and in Chinese.
import type { Judged } from '../event/record.ts';
import type { EventSource } from '../event/schema.ts';
import { eventTypeTable, typeWords } from '../event/type-table.ts';
import type { FailureClass, FeedbackKind, FeedbackState } from '../feedback/record.ts';
import type { ResultCode, StepKind, TaskType } from '../task/schema.ts';
import { intoTarget } from '../verdict/merge.ts';
import type { Disposition, MergeTarget } from '../verdict/record.ts';
import type { VerdictValue } from '../verdict/schema.ts';
import type { KnowledgeKind, Sentence } from './record.ts';

export const NOT_REVIEWED: Sentence = {
  text: 'Judged automatically by a model; it was not manually reviewed.',
  textZh: '由模型自动判定，未经人工复核。',
};

type Pair = readonly [en: string, zh: string];

const verdicts: Record<VerdictValue, Pair> = {
  confirmed: ['confirmed as real', '确认属实'],
  false_alarm: ['a false alarm', '误报'],
  merged: ['merged', '合并'],
};
const sources: Record<EventSource, Pair> = {
  video: ['video', '视频'],
  quick_photo: ['a quick photo', '随手拍'],
};
const tasks: Record<TaskType, Pair> = {
  disposal: ['disposal task', '处置任务'],
  review: ['review task', '复核任务'],
  rectification: ['rectification', '整改任务'],
  postmortem_request: ['postmortem request', '复盘申请'],
};
const results: Record<ResultCode, Pair> = {
  eliminated: ['eliminated', '已消除'],
  controlled: ['under control', '已控制'],
  false_alarm: ['a false alarm', '误报'],
  to_hazard: ['turned into a hazard', '转为隐患'],
  other: ['other', '其他'],
};
const records: Record<StepKind, Pair> = {
  arrive: ['Arrival', '到场'],
  measure: ['Measure', '措施'],
  result: ['Result', '结果'],
  handover: ['Handover', '移交'],
  note: ['Note', '备注'],
};
const knowledge: Record<KnowledgeKind, Pair> = {
  false_alarm_case: ['False-alarm case', '误报案例'],
  shift_handover: ['Shift handover', '交接班记录'],
  checklist: ['Checklist', '检查表'],
  weekly_report: ['Weekly report', '周报'],
  monthly_report: ['Monthly report', '月报'],
  postmortem_report: ['Postmortem report', '复盘报告'],
};
const messages: Record<FeedbackKind | 'order', Pair> = {
  verdict: ['the verdict', '研判结论'],
  correction: ['the correction', '更正结论'],
  order: ['the order on the task', '任务指令'],
  task: ['the progress of the task', '任务进展'],
  edge_note: ['a reminder', '催办提醒'],
};
const deliveries: Record<FeedbackState, Pair> = {
  delivered: ['delivered', '已送达'],
  pending: ['not delivered yet', '尚未送达'],
  expired: ['given up after 7 days', '7 天未送达，已放弃'],
};
const failures: Record<FailureClass, Pair> = {
  'address not allowed': ['its address is not allowed', '地址不在允许范围内'],
  'connection refused': ['it refused the connection', '摄像机拒绝连接'],
  'timed out': ['it did not answer in time', '摄像机应答超时'],
  unreachable: ['it cannot be reached', '无法连通摄像机'],
  'answered with an error': ['it answered with an error', '摄像机返回错误'],
  'not sent': ['it could not be sent', '未能发出'],
};

/** The English and the Chinese sentence, each from its own words. */
const both = (make: (pick: (pair: Pair) => string, zh: boolean) => string): Sentence => ({
  text: make(([en]) => en, false),
  textZh: make(([, zh]) => zh, true),
});

/** A person's own words after a sentence, as they are. */
const said = (note: string | null | undefined, zh: boolean): string =>
  note ? (zh ? `：${note}` : `: ${note}`) : zh ? '。' : '.';

export const occurrenceSentence = (type: string, source: EventSource): Sentence =>
  both((w, zh) => {
    const [seen, what] = [w(sources[source]), w(typeWords(type))];
    if (eventTypeTable.has(type)) return zh ? `${seen}发现${what}。` : `${what}, seen by ${seen}.`;
    return zh ? `${seen}发现 ${what} 发生。` : `${what} occurred, seen by ${seen}.`;
  });

export const received = (instance: string): Sentence =>
  both((_, zh) => (zh ? `${instance} 收到该事件。` : `${instance} received the event.`));

export function judged(judgement: Judged, withEvent: boolean): Sentence {
  const { type, confidence, modelVersion } = judgement;
  return both((w, zh) => {
    const parts = [
      type && w(typeWords(type)),
      confidence === undefined ? undefined : `${zh ? '置信度' : 'confidence'} ${confidence}`,
      modelVersion && `${zh ? '模型版本' : 'model version'} ${modelVersion}`,
    ];
    const details = parts.filter((part) => part !== undefined).join(zh ? '，' : ', ');
    const what = withEvent
      ? zh
        ? '事件上报时附有机器研判'
        : 'The event came with a machine judgement'
      : zh
        ? '研判结论附有机器研判'
        : 'A machine judgement came with the verdict';
    return details === ''
      ? `${what}${zh ? '。' : '.'}`
      : `${what}${zh ? '：' : ': '}${details}${zh ? '。' : '.'}`;
  });
}

export function verdict(
  value: VerdictValue,
  target: MergeTarget,
  reason: string | null,
  corrected: boolean,
): Sentence {
  return both((w, zh) => {
    const head = zh ? (corrected ? '更正为' : '研判为') : corrected ? 'Corrected to ' : 'Judged ';
    return `${head}${w(verdicts[value])}${zh ? intoZh(target) : intoTarget(target)}${said(reason, zh)}`;
  });
}

/** `intoTarget` in Chinese. */
function intoZh({ mergedInto, mergedIntoKey, mergedIntoInstance }: MergeTarget): string {
  if (mergedInto !== null) return `到事件 ${mergedInto}`;
  if (mergedIntoKey === null) return '';
  return `到${mergedIntoInstance === null ? '' : ` ${mergedIntoInstance} 的`}事件 ${mergedIntoKey}`;
}

/** What has become of a decision of headquarters on an event of a site. */
export function sentToSiteSentence(
  kind: 'verdict' | 'correction' | 'order',
  site: string,
  refusal: { reason: string; reasonZh: string | null; unclear: boolean } | null,
): Sentence {
  return both((w, zh) => {
    const what = w(messages[kind]);
    if (refusal === null)
      return zh ? `${what}等待下发到 ${site}。` : `${capital(what)} waits to go down to ${site}.`;
    const { reason, reasonZh, unclear } = refusal;
    if (unclear)
      return zh
        ? `${site} 对${what}的答复无法读取：${reasonZh ?? reason}`
        : `What ${site} answered to ${what} cannot be read: ${reason}`;
    return zh
      ? `${site} 未执行${what}，摄像机不会收到：${reasonZh ?? reason}`
      : `${site} did not carry out ${what}, and its camera does not hear of it: ${reason}`;
  });
}

const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export function disposition({ type, severity, channel, deadline, taskNo }: Disposition): Sentence {
  const parts = (zh: boolean): string =>
    [
      type && `${zh ? '类型' : 'type'} ${typeWords(type)[zh ? 1 : 0]}`,
      severity && `${zh ? '级别' : 'severity'} ${severity}`,
      channel && `${zh ? '渠道' : 'channel'} ${channel}`,
      deadline && `${zh ? '期限' : 'deadline'} ${deadline}`,
      taskNo && `${zh ? '任务号' : 'task'} ${taskNo}`,
    ]
      .filter((part) => part !== undefined && part !== '')
      .join(zh ? '，' : ', ');
  return both((_, zh) =>
    parts(zh) === ''
      ? zh
        ? '作出处置决定。'
        : 'A disposition was decided.'
      : `${zh ? '处置决定：' : 'A disposition was decided: '}${parts(zh)}${zh ? '。' : '.'}`,
  );
}

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
const taskEvents: Record<TaskEvent, Pair> = {
  created: ['was created', '创建'],
  dispatched: ['was dispatched', '下发'],
  taken_over: ['was taken over', '被接管'],
  sent_back: ['was not accepted and sent back', '验收未通过，退回'],
  completed: ['was completed', '完成'],
  pending_acceptance: ['was completed and waits for acceptance', '完成，待验收'],
  closed: ['was closed', '关闭'],
  accepted: ['was accepted and closed', '验收通过，关闭'],
  cancelled: ['was cancelled', '取消'],
  escalated: ['was escalated: its deadline passed before anyone took it over', '超时未接管，升级'],
};

export function task(
  event: TaskEvent,
  { id, type, note }: TaskLine,
  result: ResultCode | null = null,
): Sentence {
  return both((w, zh) => {
    const outcome =
      result === null ? '' : zh ? `，结果：${w(results[result])}` : `, result: ${w(results[result])}`;
    const name = w(tasks[type]);
    return zh
      ? `${name} ${id} ${w(taskEvents[event])}${outcome}${said(note, zh)}`
      : `${capital(name)} ${id} ${w(taskEvents[event])}${outcome}${said(note, zh)}`;
  });
}

export const recordSentence = (kind: StepKind, text: string): Sentence =>
  both((w, zh) => `${w(records[kind])}${said(text, zh)}`);

export const edgeNote = (text: string, pushed: boolean): Sentence =>
  both((_, zh) =>
    zh
      ? `催办现场（${pushed ? '已送达' : '未送达'}）：${text}`
      : `Reminder to the field (${pushed ? 'delivered' : 'not delivered'}): ${text}`,
  );

/** @param why of the last try, where it failed */
export const message = (kind: FeedbackKind, state: FeedbackState, why: FailureClass | null): Sentence =>
  both((w, zh) => {
    const reason = why === null ? '' : zh ? `（${w(failures[why])}）` : ` (${w(failures[why])})`;
    return zh
      ? `向摄像机回传${w(messages[kind])}：${w(deliveries[state])}${reason}。`
      : `The camera is told of ${w(messages[kind])}: ${w(deliveries[state])}${reason}.`;
  });

export const knowledgeSentence = (kind: KnowledgeKind, title: string): Sentence =>
  both((w, zh) => `${w(knowledge[kind])}${said(title, zh)}`);
