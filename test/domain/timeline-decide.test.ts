// The rules of the timeline, one table row or test for each (spec 2, "Timeline response" and "Basis rules").
import { describe, expect, test } from 'vitest';
import type { EventRecord } from '../../common/core/event/record.ts';
import type { FeedbackRecord } from '../../common/core/feedback/record.ts';
import type { EntryContent, HistoryDoc, TaskDetail, TaskRecord } from '../../common/core/task/record.ts';
import {
  assembleTimeline,
  durationsOf,
  momentsOf,
  ROW_CAP,
  type SeenForTimeline,
  slaOf,
  TASK_CAP,
} from '../../common/core/timeline/decide.ts';
import type { KnowledgeEntry } from '../../common/core/timeline/port.ts';
import type { Moments, TimelineStep } from '../../common/core/timeline/record.ts';
import { reasonsOf } from '../../common/core/timeline/steps.ts';
import type { CorrectionRecord, VerdictRecord } from '../../common/core/verdict/record.ts';
import { auditEntry } from '../contract/samples.ts';

const T = Date.UTC(2026, 2, 1);
const MINUTE = 60_000;

const eventOf = (over: Partial<EventRecord> = {}): EventRecord => ({
  id: 7,
  tenantCode: 'acme',
  idempotencyKey: 'k',
  type: 'vehicle.intrusion',
  kind: 'alert',
  source: 'video',
  severity: 'high',
  occurredAt: T,
  receivedAt: T + 5_000,
  isTest: false,
  nodeKey: 'cam-1',
  instance: null,
  originId: null,
  originReceivedAt: null,
  doc: '{"title":"a car","siteRef":"s1"}',
  verdict: null,
  correctedTo: null,
  ...over,
});
const verdictOf = (over: Partial<VerdictRecord> = {}): VerdictRecord => ({
  eventId: 7,
  tenantCode: 'acme',
  verdict: 'confirmed',
  by: 'li',
  byKind: 'human',
  note: 'seen on site',
  mergedInto: null,
  mergedIntoKey: null,
  mergedIntoInstance: null,
  judged: null,
  disposition: null,
  at: T + MINUTE,
  decisionId: null,
  ...over,
});
const taskOf = (over: Partial<TaskRecord> = {}): TaskRecord => ({
  id: 3,
  tenantCode: 'acme',
  instance: null,
  originId: null,
  type: 'disposal',
  state: 'open',
  eventId: 7,
  title: 'Send the car away',
  severity: 'high',
  assigneeOrg: null,
  dueAt: null,
  suppressed: false,
  escalatedAt: null,
  resultCode: null,
  createdBy: 'rule',
  createdAt: T + 2 * MINUTE,
  updatedAt: T + 2 * MINUTE,
  takenOverAt: null,
  takenOverBy: null,
  completedAt: null,
  closedAt: null,
  cancelledAt: null,
  entryCount: 0,
  stepCount: 0,
  noteCount: 0,
  refusalCount: 0,
  body: '{}',
  ...over,
});
const entriesOf = (...contents: [at: number, content: EntryContent][]): TaskDetail['entries'] =>
  contents.map(([at, content], index) => ({ seq: index + 1, at, ...content }));
const history = (over: Partial<HistoryDoc>): EntryContent => ({
  kind: 'history',
  doc: {
    action: 'transition',
    from: 'open',
    to: 'taken_over',
    by: 'wu',
    note: null,
    resultCode: null,
    ...over,
  },
});

const called = (instance: string): string => (instance === 'site-9' ? 'Tunnel 9 (site-9)' : instance);

function timelineOf(
  over: Partial<SeenForTimeline> = {},
  exclude: KnowledgeEntry['kind'][] = [],
  asOf = T + 10 * MINUTE,
) {
  const nothing: SeenForTimeline = {
    event: eventOf(),
    verdict: null,
    corrections: [],
    audits: [],
    tasks: [],
    feedback: [],
    notifications: [],
    knowledge: [],
    decisions: [],
    call: null,
  };
  return assembleTimeline({ ...nothing, ...over }, { exclude, self: 'site-1', called, asOf });
}
const kinds = (steps: readonly TimelineStep[]) => steps.map(({ kind }) => kind);

describe('steps', () => {
  test(
    'ascend by time whatever the order of the sources, each with its row, operator and sentence in two ' +
      'languages',
    () => {
      const { steps } = timelineOf({
        verdict: verdictOf(),
        tasks: [
          {
            task: taskOf(),
            entries: entriesOf([
              T + 2 * MINUTE,
              history({ action: 'created', from: null, to: 'open', by: 'rule' }),
            ]),
          },
        ],
        knowledge: [
          {
            id: 9,
            kind: 'false_alarm_case',
            at: T + 30_000,
            by: 'li',
            title: 'cars',
            machineGenerated: false,
          },
        ],
      });
      expect(kinds(steps)).toEqual(['occurred', 'received', 'false_alarm_case', 'verdict', 'task_created']);
      expect(steps.map(({ source }) => `${source.table} ${source.key}`)).toEqual([
        'events 7',
        'events 7',
        'knowledge 9',
        'verdicts 7',
        'tasks 3',
      ]);
      expect(steps.map(({ by }) => by)).toEqual([null, null, 'li', 'li', 'rule']);
      for (const step of steps) {
        expect(step.text).toMatch(/\S/);
        expect(step.textZh).toMatch(/\p{Script=Han}/u);
      }
    },
  );

  test.each<[string, TaskRecord['type'], EntryContent, string | null]>([
    ['task creation', 'disposal', history({ action: 'created', from: null, to: 'open' }), 'task_created'],
    [
      'rectification dispatch',
      'rectification',
      history({ action: 'created', from: null, to: 'open' }),
      'rectification_dispatched',
    ],
    ['takeover', 'disposal', history({}), 'taken_over'],
    ['takeover of what was not accepted', 'rectification', history({ from: 'completed' }), 'taken_over'],
    ['completion', 'disposal', history({ to: 'completed', resultCode: 'controlled' }), 'completed'],
    ['pending acceptance', 'rectification', history({ to: 'completed' }), 'pending_acceptance'],
    ['closure', 'disposal', history({ from: 'completed', to: 'closed' }), 'closed'],
    ['cancellation', 'disposal', history({ to: 'cancelled' }), 'cancelled'],
    ['escalation', 'disposal', history({ action: 'escalated', to: 'open' }), 'escalated'],
    ['an attempt that was refused', 'disposal', history({ action: 'refused', to: 'completed' }), null],
    [
      'disposition record',
      'disposal',
      { kind: 'step', doc: { kind: 'arrive', text: 'on site', by: 'wu', at: T, taskState: 'taken_over' } },
      'step',
    ],
    [
      'field note',
      'disposal',
      {
        kind: 'edge_note',
        doc: { text: 'hurry', by: 'wu', pushedToEdge: true, pushSkipped: null, pushError: null },
      },
      'edge_note',
    ],
  ])('%s of a %s', (_, type, content, kind) => {
    const { steps } = timelineOf({
      tasks: [{ task: taskOf({ type }), entries: entriesOf([T + MINUTE, content]) }],
    });
    const own = steps.filter(({ source }) => source.table !== 'events');
    expect(kinds(own)).toEqual(kind === null ? [] : [kind]);
    if (kind !== null && own[0]?.source.table === 'task_entries') expect(own[0].source.key).toBe('3/1');
  });

  test('a disposition record stands at the time when it happened, not when it was received', () => {
    const { steps } = timelineOf({
      tasks: [
        {
          task: taskOf(),
          entries: entriesOf([
            T + 9 * MINUTE,
            { kind: 'step', doc: { kind: 'note', text: 'x', by: 'wu', at: T + MINUTE, taskState: 'open' } },
          ]),
        },
      ],
    });
    expect(steps.at(-1)?.at).toBe(T + MINUTE);
  });

  test('a notification shows its channel and how it went, and of a model summary only that', () => {
    const row = { id: 'n1', at: T + MINUTE, channel: 'sms', status: 'sent', summary: 'failed' } as const;
    const ways = [
      { of: 'none' },
      { of: 'own' },
      { of: 'headquarters' },
      { of: 'site', site: 'tunnel-7' },
    ] as const;
    const { steps } = timelineOf({ notifications: ways.map((way) => ({ ...row, way })) });
    expect(steps.filter(({ kind }) => kind === 'notified').map(({ code, text }) => [code, text])).toEqual([
      ['notified', 'Notified by sms: sent, model summary failed.'],
      [
        'notified_by_own_channel',
        'Notified by sms, through a channel kept here: sent, model summary failed.',
      ],
      ['notified_by_headquarters', 'Notified by sms, through headquarters: sent, model summary failed.'],
      ['notified_for_site', 'Notified by sms for the site tunnel-7: sent, model summary failed.'],
    ]);
    expect(steps.at(-1)).toMatchObject({
      textZh: '为站点 tunnel-7 通过短信通知：已发送，模型摘要失败。',
      source: { table: 'notifications', key: 'n1' },
    });
  });

  test(
    'what the camera was told shows how it went and the class of a failure, neither the address nor the ' +
      'error; a reminder is shown by its task alone',
    () => {
      const row: FeedbackRecord = {
        id: 'f1',
        eventId: 7,
        tenantCode: 'acme',
        kind: 'verdict',
        url: 'http://10.0.0.9/a',
        nodeKey: null,
        body: '{}',
        state: 'expired',
        attempts: 3,
        nextAt: T,
        lastError: 'unreachable: no route to 10.0.0.9',
        createdAt: T + MINUTE,
        deliveredAt: null,
      };
      const { steps } = timelineOf({ feedback: [row, { ...row, id: 'f2', kind: 'edge_note' }] });
      expect(steps.filter(({ kind }) => kind === 'edge_note')).toEqual([
        {
          at: T + MINUTE,
          kind: 'edge_note',
          by: null,
          text: 'The camera is told of the verdict: given up after 7 days (it cannot be reached).',
          textZh: '向摄像机回传研判结论：7 天未送达，已放弃（无法连通摄像机）。',
          source: { table: 'feedback', key: 'f1' },
        },
      ]);
      expect(JSON.stringify(steps)).not.toContain('10.0.0.9');
    },
  );

  test('the disposition of a verdict is listed without its message and summary', () => {
    const disposition = {
      type: 'patrol',
      severity: 'high' as const,
      channel: 'radio',
      deadline: 'noon',
      taskNo: 'T-1',
      message: 'SECRET',
      summary: 'SECRET',
    };
    const { steps } = timelineOf({ verdict: verdictOf({ disposition }) });
    expect(steps.at(-1)).toMatchObject({
      kind: 'step',
      text: 'A disposition was decided: type patrol, severity high, channel radio, deadline noon, task T-1.',
    });
    expect(JSON.stringify(steps)).not.toContain('SECRET');
  });

  test('an entry whose time cannot be read is undated', () => {
    const entry: KnowledgeEntry = {
      id: 9,
      kind: 'checklist',
      at: null,
      by: null,
      title: 'x',
      machineGenerated: false,
    };
    const { steps, undated } = timelineOf({
      knowledge: [entry, { ...entry, id: 10, at: Number.NaN }, { ...entry, id: 11, at: 9e15 }],
    });
    expect(undated.map(({ source }) => source.key)).toEqual(['9', '10', '11']);
    expect(kinds(steps)).toEqual(['occurred', 'received']);
  });

  test('exclude_kind leaves knowledge of these kinds out', () => {
    const of = (id: number, kind: KnowledgeEntry['kind']): KnowledgeEntry => ({
      id,
      kind,
      at: T + id,
      by: null,
      title: 'x',
      machineGenerated: false,
    });
    const { steps } = timelineOf({ knowledge: [of(1, 'postmortem_report'), of(2, 'false_alarm_case')] }, [
      'postmortem_report',
    ]);
    expect(kinds(steps).filter((kind) => kind.includes('_'))).toEqual(['false_alarm_case']);
  });
});

describe('basis', () => {
  const notice = {
    text: expect.stringMatching(/not manually reviewed/) as string,
    textZh: expect.stringMatching(/未经人工复核/) as string,
  };
  const stepOf = (over: Partial<SeenForTimeline>, kind: string) =>
    timelineOf(over).steps.filter((step) => step.kind === kind);

  test('a human verdict carries basis=human and no notice', () => {
    const [step] = stepOf({ verdict: verdictOf() }, 'verdict');
    expect(step).toMatchObject({ basis: 'human' });
    expect(step).not.toHaveProperty('notice');
  });

  test('a verdict of a model carries basis=machine and says that nobody reviewed it', () => {
    expect(stepOf({ verdict: verdictOf({ byKind: 'machine' }) }, 'verdict')).toMatchObject([
      { basis: 'machine', notice },
    ]);
  });

  test('so does a judgement, with the event or with the verdict', () => {
    const judged = { type: 'vehicle', confidence: 0.9, by: 'edge', modelVersion: '2' };
    const event = eventOf({ doc: JSON.stringify({ judged }) });
    const { steps, undated, moments } = timelineOf({ event, verdict: null });
    expect([steps.filter(({ kind }) => kind === 'judged'), moments.judgedAt]).toEqual([[], null]);
    expect(undated).toMatchObject([
      {
        kind: 'judged',
        basis: 'machine',
        notice,
        by: 'edge',
        text: 'The event came with a machine judgement: vehicle, confidence 0.9, model version 2.',
        source: { table: 'events' },
      },
    ]);
    expect(stepOf({ event, verdict: verdictOf({ judged: { type: 'person' } }) }, 'judged')).toMatchObject([
      {
        at: T + MINUTE,
        basis: 'machine',
        notice,
        text: 'A machine judgement came with the verdict: person.',
        source: { table: 'verdicts' },
      },
    ]);
  });

  const sent = { id: 'n', at: T, channel: 'sms', status: 'sent', summary: null } as const;
  test('a site is called by its name in every sentence that names it', () => {
    const { steps } = timelineOf({
      event: eventOf({ instance: 'site-9' }),
      verdict: verdictOf({ verdict: 'merged', mergedIntoKey: 'k', mergedIntoInstance: 'site-9' }),
      decisions: [
        { id: 'd', kind: 'order', instance: 'site-9', createdAt: T + MINUTE, refused: null, unclear: false },
      ],
      notifications: [{ ...sent, way: { of: 'site', site: 'site-9' } }],
    });
    const named = steps.filter(({ text }) => text.includes('site-9'));
    expect(named.map(({ kind }) => kind).sort()).toEqual(['notified', 'received', 'step', 'verdict']);
    for (const { text, textZh } of named)
      for (const said of [text, textZh]) expect(said).toContain('Tunnel 9 (site-9)');
  });

  test('a correction is a verdict step of its own, after the verdict that stands', () => {
    const correction: CorrectionRecord = {
      id: 'c1',
      eventId: 7,
      tenantCode: 'acme',
      verdict: 'false_alarm',
      by: 'wang',
      byKind: 'machine',
      note: 'a shadow',
      mergedInto: null,
      mergedIntoKey: null,
      mergedIntoInstance: null,
      at: T + 2 * MINUTE,
    };
    expect(stepOf({ verdict: verdictOf(), corrections: [correction] }, 'verdict')).toMatchObject([
      { text: 'Judged confirmed as real: seen on site', basis: 'human' },
      {
        text: 'Corrected to a false alarm: a shadow',
        basis: 'machine',
        notice,
        source: { table: 'corrections', key: 'c1' },
      },
    ]);
  });

  test('knowledge that a model wrote carries machineGenerated=true', () => {
    const entry: KnowledgeEntry = {
      id: 9,
      kind: 'weekly_report',
      at: T + 1,
      by: null,
      title: 'x',
      machineGenerated: true,
    };
    expect(
      stepOf({ knowledge: [entry, { ...entry, id: 10, machineGenerated: false }] }, 'weekly_report').map(
        (step) => step.machineGenerated,
      ),
    ).toEqual([true, undefined]);
  });
});

describe('the reason of a verdict', () => {
  const audit = (after: unknown) => [auditEntry('a', { action: 'verdict.written', after })];
  test.each([
    [
      'is the sentence of the audit',
      audit({ reason: 'seen on site' }),
      'seen on site',
      { reason: 'seen on site', laterNote: null },
    ],
    [
      'stands beside a later note that differs',
      audit({ reason: 'seen on site' }),
      'seen twice',
      { reason: 'seen on site', laterNote: 'seen twice' },
    ],
    [
      'stands alone when the note is gone',
      audit({ reason: 'seen on site' }),
      null,
      { reason: 'seen on site', laterNote: null },
    ],
    [
      'is the note when the audit has been cleared',
      [],
      'seen on site',
      { reason: 'seen on site', laterNote: null },
    ],
    ['is missing when there is none at all', [], null, { reason: null, laterNote: null }],
  ])('%s', (_, audits, note, expected) => expect(reasonsOf(verdictOf({ note }), audits)).toEqual(expected));

  test('both are in the sentence', () => {
    const { steps } = timelineOf({
      verdict: verdictOf({ note: 'seen twice' }),
      audits: audit({ reason: 'seen on site' }),
    });
    expect(steps.at(-1)).toMatchObject({
      text: 'Judged confirmed as real: seen on site (seen twice)',
      reason: 'seen on site',
      laterNote: 'seen twice',
    });
  });
});

describe('moments', () => {
  const empty: Moments = {
    occurredAt: T,
    receivedAt: T + 5_000,
    verdictAt: null,
    judgedAt: null,
    taskCreatedAt: null,
    takenOverAt: null,
    completedAt: null,
    closedAt: null,
  };
  const done = (over: Partial<TaskRecord>) =>
    taskOf({
      state: 'closed',
      takenOverAt: T + 3 * MINUTE,
      completedAt: T + 4 * MINUTE,
      closedAt: T + 5 * MINUTE,
      ...over,
    });

  test.each<[string, EventRecord, VerdictRecord | null, TaskRecord[], Partial<Moments>]>([
    ['are empty where nothing happened', eventOf(), null, [], {}],
    [
      'a missing occurrence stays empty and is not replaced by the receipt',
      eventOf({ occurredAt: null }),
      null,
      [],
      { occurredAt: null },
    ],
    [
      'the receipt is that of the place where the event arose',
      eventOf({ instance: 'site-9', originReceivedAt: T + 1 }),
      null,
      [],
      { receivedAt: T + 1 },
    ],
    [
      'the time of a judgement that came with the event is not known',
      eventOf({ doc: '{"judged":{}}' }),
      verdictOf(),
      [],
      { verdictAt: T + MINUTE, judgedAt: null },
    ],
    [
      'a judgement that came with the verdict has its time',
      eventOf(),
      verdictOf({ judged: {} }),
      [],
      { verdictAt: T + MINUTE, judgedAt: T + MINUTE },
    ],
    [
      'all of a task',
      eventOf(),
      null,
      [done({})],
      {
        taskCreatedAt: T + 2 * MINUTE,
        takenOverAt: T + 3 * MINUTE,
        completedAt: T + 4 * MINUTE,
        closedAt: T + 5 * MINUTE,
      },
    ],
    [
      'of several tasks: the first creation and takeover, the last completion and closure',
      eventOf(),
      null,
      [
        done({}),
        done({
          id: 4,
          createdAt: T + MINUTE,
          takenOverAt: T + 6 * MINUTE,
          completedAt: T + 7 * MINUTE,
          closedAt: T + 8 * MINUTE,
        }),
      ],
      {
        taskCreatedAt: T + MINUTE,
        takenOverAt: T + 3 * MINUTE,
        completedAt: T + 7 * MINUTE,
        closedAt: T + 8 * MINUTE,
      },
    ],
    [
      'are not complete while a task is not',
      eventOf(),
      null,
      [done({}), taskOf({ id: 4 })],
      { taskCreatedAt: T + 2 * MINUTE, takenOverAt: T + 3 * MINUTE },
    ],
    [
      'are complete without a task that was cancelled',
      eventOf(),
      null,
      [done({}), taskOf({ id: 4, state: 'cancelled', cancelledAt: T + MINUTE })],
      {
        taskCreatedAt: T + 2 * MINUTE,
        takenOverAt: T + 3 * MINUTE,
        completedAt: T + 4 * MINUTE,
        closedAt: T + 5 * MINUTE,
      },
    ],
    [
      'a postmortem request takes no part',
      eventOf(),
      null,
      [done({ type: 'postmortem_request', dueAt: T })],
      {},
    ],
  ])('%s', (_, event, verdict, tasks, expected) =>
    expect(momentsOf(event, verdict, tasks)).toEqual({ ...empty, ...expected }),
  );
});

describe('durations', () => {
  const full: Moments = {
    occurredAt: T,
    receivedAt: T + 5_000,
    verdictAt: T + 65_000,
    judgedAt: null,
    taskCreatedAt: T + 35_500,
    takenOverAt: T + 95_500,
    completedAt: T + 155_500,
    closedAt: null,
  };
  test.each<[string, Partial<Moments>, object]>([
    [
      'are seconds',
      {},
      { received: 5, verdict: 60, taskCreated: 30.5, takenOver: 60, completed: 60, total: 155.5 },
    ],
    [
      'are empty where a time is missing',
      { occurredAt: null, verdictAt: null },
      { received: null, verdict: null, taskCreated: 30.5, takenOver: 60, completed: 60, total: null },
    ],
    [
      'are empty where the times contradict each other',
      { occurredAt: T + 6_000 },
      { received: null, verdict: 60, taskCreated: 30.5, takenOver: 60, completed: 60, total: 149.5 },
    ],
    [
      'zero is a duration',
      { receivedAt: T },
      { received: 0, verdict: 65, taskCreated: 35.5, takenOver: 60, completed: 60, total: 155.5 },
    ],
  ])('%s', (_, over, expected) => expect(durationsOf({ ...full, ...over })).toEqual(expected));
});

describe('sla', () => {
  const due = T + 5 * MINUTE;
  test.each<[string, TaskRecord[], number, object | null]>([
    ['none without a deadline', [taskOf()], due, null],
    ['none of a postmortem request', [taskOf({ type: 'postmortem_request', dueAt: due })], due + 1, null],
    [
      'kept by a takeover in time, whenever it is looked at',
      [taskOf({ dueAt: due, state: 'taken_over', takenOverAt: due })],
      due + MINUTE,
      { taskId: 3, deadline: due, exceeded: false },
    ],
    [
      'exceeded by a late takeover',
      [taskOf({ dueAt: due, takenOverAt: due + 1 })],
      due + MINUTE,
      { taskId: 3, deadline: due, exceeded: true },
    ],
    [
      'an open task is judged against the time of the report: before',
      [taskOf({ dueAt: due })],
      due,
      { taskId: 3, deadline: due, exceeded: false },
    ],
    [
      'an open task is judged against the time of the report: after',
      [taskOf({ dueAt: due })],
      due + 1,
      { taskId: 3, deadline: due, exceeded: true },
    ],
    [
      'a task that was cancelled in time',
      [taskOf({ dueAt: due, state: 'cancelled', cancelledAt: due - 1 })],
      due + MINUTE,
      { taskId: 3, deadline: due, exceeded: false },
    ],
    [
      'that of the first task that has one',
      [taskOf(), taskOf({ id: 4, dueAt: due }), taskOf({ id: 5, dueAt: T })],
      due,
      { taskId: 4, deadline: due, exceeded: false },
    ],
  ])('%s', (_, tasks, asOf, expected) => expect(slaOf(tasks, asOf)).toEqual(expected));
});

describe('tasks and truncation', () => {
  test(
    'lists tasks with result, times, number of records and whether they are overdue at the time of the ' +
      'report',
    () => {
      const task = taskOf({ dueAt: T + 3 * MINUTE, stepCount: 2 });
      const { tasks } = timelineOf({
        tasks: [
          { task, entries: [] },
          { task: taskOf({ id: 4, type: 'postmortem_request' }), entries: [] },
        ],
      });
      expect(tasks).toMatchObject([
        { id: 3, overdue: true, records: 2, resultCode: null, takenOverAt: null },
        { id: 4, type: 'postmortem_request', overdue: false },
      ]);
    },
  );

  test.each<[string, Partial<SeenForTimeline>, boolean]>([
    [
      'as many tasks as are read',
      { tasks: Array.from({ length: TASK_CAP }, (_, id) => ({ task: taskOf({ id }), entries: [] })) },
      false,
    ],
    [
      'one task more',
      { tasks: Array.from({ length: TASK_CAP + 1 }, (_, id) => ({ task: taskOf({ id }), entries: [] })) },
      true,
    ],
    [
      'one audit entry more',
      { audits: Array.from({ length: ROW_CAP + 1 }, (_, id) => auditEntry(`a${id}`)) },
      true,
    ],
    [
      'one knowledge object more',
      {
        knowledge: Array.from({ length: ROW_CAP + 1 }, (_, id) => ({
          id,
          kind: 'checklist' as const,
          at: T,
          by: null,
          title: 'x',
          machineGenerated: false,
        })),
      },
      true,
    ],
  ])('%s', (_, seen, truncated) => {
    const timeline = timelineOf(seen);
    expect(timeline.truncated).toBe(truncated);
    expect(timeline.tasks.length).toBeLessThanOrEqual(TASK_CAP);
  });

  test('the event is summed up with its provenance', () => {
    expect(
      timelineOf({ event: eventOf({ instance: 'site-9', originId: 77 }), verdict: verdictOf() }).event,
    ).toMatchObject({
      id: 7,
      verdict: 'confirmed',
      title: 'a car',
      judged: null,
      provenance: {
        instance: 'site-9',
        originId: 77,
        nodeKey: 'cam-1',
        siteRef: 's1',
        cameraRef: null,
        pointRef: null,
      },
    });
  });
});
