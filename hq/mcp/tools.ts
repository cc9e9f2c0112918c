// What programs of a model may do by MCP. Each tool is a call of the API, with its access and its checks; its
// arguments are members of the path, the query or the body of that call.

/** As JSON Schema has it. */
export interface Argument {
  type: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  description: string;
  enum?: readonly string[];
  items?: { type: string };
  minimum?: number;
  maximum?: number;
}

export interface Tool {
  name: string;
  /** Said to the model in both languages, as people who use it may write either. */
  says: { en: string; zh: string };
  /** Method and path of the call. */
  call: string;
  arguments: Readonly<Record<string, Argument>>;
  required: readonly string[];
  /** Members that the program gives in the place of the model. `actor`: who calls. */
  own?: Readonly<Record<string, 'actor' | 'tenant'>>;
  /** Left out of the call: what the answer carries beside it. */
  pictures?: boolean;
  /** Whether it changes something. */
  writes?: boolean;
}

/** Rows of a list that a model is shown at most. */
export const MOST_ROWS = 50;

const tenant: Argument = {
  type: 'string',
  description: 'Tenant code; only for a key that is bound to no tenant 租户编码，仅用于未绑定租户的密钥',
};
const id: Argument = { type: 'integer', minimum: 1, description: 'Id of the event 事件编号' };
const since: Argument = {
  type: 'string',
  description: 'From when, with a zone: 2026-03-01T00:00:00+08:00 起始时间（含时区）',
};
const until: Argument = { type: 'string', description: 'Until before when, with a zone 截止时间（含时区）' };
const limit: Argument = { type: 'integer', minimum: 1, maximum: MOST_ROWS, description: 'Rows 条数' };
const severity: Argument = {
  type: 'string',
  enum: ['low', 'medium', 'high', 'critical'],
  description: 'How grave 严重程度',
};

export const TOOLS: readonly Tool[] = [
  {
    name: 'search_policy',
    says: {
      en:
        'Search the clauses of laws, standards and rules in force. Cite what you use by its chunkId. Where ' +
        '`certain` is false, nothing answers for sure: say so.',
      zh: '检索现行法律、标准和制度的条款。引用时请给出 chunkId。certain 为 false 时没有确切条款，请如实说明。',
    },
    call: 'POST /api/core/kb/search',
    arguments: {
      query: { type: 'string', description: 'The question, or words of it 问题或关键词' },
      top_k: { type: 'integer', minimum: 1, maximum: 20, description: 'Clauses at most 最多条款数' },
      tenant_code: tenant,
    },
    required: ['query'],
  },
  {
    name: 'cite_policy',
    says: {
      en: 'Say of clauses whether they may be cited now, and if not, why. Do so before you cite.',
      zh: '核对条款现在能否引用；不能引用时说明原因。引用前请先核对。',
    },
    call: 'POST /api/core/kb/chunks/verify',
    arguments: {
      chunk_ids: { type: 'array', items: { type: 'integer' }, description: 'Their chunkId 条款的 chunkId' },
      tenant_code: tenant,
    },
    required: ['chunk_ids'],
  },
  {
    name: 'log_answer',
    says: {
      en: 'Keep a question with its answer and what it cites, or with the reason why none was given.',
      zh: '记录问题、回答及其引用；没有回答时记录原因。',
    },
    call: 'POST /api/core/kb/qa_log',
    arguments: {
      question: { type: 'string', description: 'As it was asked 原问题' },
      answer: { type: 'string', description: 'As it was given 回答' },
      refusal_reason: { type: 'string', description: 'Instead of an answer 未回答的原因' },
      citations: {
        type: 'array',
        items: { type: 'object' },
        description: 'Each {"chunk_id": …} 引用，每项为 {"chunk_id": …}',
      },
      tenant_code: tenant,
    },
    required: ['question'],
    writes: true,
  },
  {
    name: 'list_events',
    says: {
      en: 'List events of cameras, newest first: alarms with what, where, when and how they were judged.',
      zh: '列出摄像机事件（最新在前）：类型、地点、时间和研判结果。',
    },
    call: 'GET /api/core/events/list',
    arguments: {
      type: { type: 'string', description: 'Event type 事件类型' },
      severity,
      verdict: {
        type: 'string',
        enum: ['confirmed', 'false_alarm', 'merged', 'none'],
        description: 'As judged first; none: not judged 首次研判；none 表示未研判',
      },
      site_ref: { type: 'string', description: 'Place 地点' },
      camera_ref: { type: 'string', description: 'Camera 摄像机' },
      since,
      until,
      limit,
      cursor: { type: 'string', description: 'nextCursor of the answer before 上一页的 nextCursor' },
      tenant_code: tenant,
    },
    required: [],
  },
  {
    name: 'read_event',
    says: { en: 'Read one event, with its pictures.', zh: '读取一个事件及其图片。' },
    call: 'GET /api/core/events/{id}',
    arguments: { id },
    required: ['id'],
    pictures: true,
  },
  {
    name: 'event_timeline',
    says: {
      en: 'What happened with an event: verdicts, tasks, messages, who did what and when.',
      zh: '事件经过：研判、任务、消息，何人何时做了什么。',
    },
    call: 'GET /api/core/events/{id}/timeline',
    arguments: { id, tenant_code: tenant },
    required: ['id'],
    own: { tenant_code: 'tenant' },
  },
  {
    name: 'count_events',
    says: {
      en: 'Count events and tasks of a time window of at most 93 days.',
      zh: '统计一段时间（最多 93 天）内的事件和任务。',
    },
    call: 'GET /api/core/stats/window',
    arguments: { since, until, severity, tenant_code: tenant },
    required: ['since', 'until'],
    own: { tenant_code: 'tenant' },
  },
  {
    name: 'record_verdict',
    says: {
      en: 'Judge an event that nobody has judged. It stands as a verdict of a machine; the camera hears it.',
      zh: '研判一个尚未研判的事件。结论记为机器研判，并反馈摄像机。',
    },
    call: 'POST /api/core/events/{id}/verdict',
    arguments: {
      id,
      verdict: { type: 'string', enum: ['confirmed', 'false_alarm'], description: 'Verdict 结论' },
      note: { type: 'string', description: 'Why; needed for a false alarm 理由；误报必填' },
    },
    required: ['id', 'verdict'],
    own: { by: 'actor' },
    writes: true,
  },
  {
    name: 'give_task',
    says: {
      en: 'Give a task to an organisation, about an event or by itself.',
      zh: '向某单位下达任务，可关联事件。',
    },
    call: 'POST /api/core/objects/tasks',
    arguments: {
      title: { type: 'string', description: 'What is to be done 要做什么' },
      type: {
        type: 'string',
        enum: ['review', 'disposal', 'rectification'],
        description: 'Kind of task 任务类型',
      },
      severity,
      event_id: { type: 'integer', minimum: 1, description: 'Id of the event 事件编号' },
      assignee_org: { type: 'string', description: 'Who is to do it 责任单位' },
      due_at: { type: 'string', description: 'Until when, with a zone 期限（含时区）' },
      tenant_code: tenant,
    },
    required: ['title', 'type', 'severity'],
    own: { tenant_code: 'tenant' },
    writes: true,
  },
];
