// Decisions about tasks, without a store: the graph, the limits, and what is told to the field.
import { describe, expect, test } from 'vitest';
import { stampOf } from '../../common/clock.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import { bodyFaults } from '../../common/core/task/body.ts';
import { decideMove, decideMoveAll, MAX_REFUSALS } from '../../common/core/task/decide.ts';
import {
  decideBody,
  decideRecordedNote,
  decideSendNote,
  decideStep,
  MAX_EDGE_NOTES,
} from '../../common/core/task/evidence.ts';
import { pushToField } from '../../common/core/task/push.ts';
import type { MoveTask, TaskRecord } from '../../common/core/task/record.ts';
import {
  MAX_BODY_BYTES,
  MAX_STEPS,
  type TaskState,
  taskStates,
  taskTypes,
} from '../../common/core/task/schema.ts';
import { isOverdue, mayMove } from '../../common/core/task/states.ts';
import { docOf, moveOf, range, stepOf } from '../contract/samples.ts';
import { HOUR, TEST_START, TestClock } from '../support/clock.ts';

const stamp = (now = TEST_START) => stampOf(new TestClock(now));

function task(over: Partial<TaskRecord> = {}): TaskRecord {
  return {
    id: 7,
    tenantCode: 'acme',
    instance: null,
    originId: null,
    type: 'disposal',
    state: 'open',
    eventId: 3,
    title: 'look',
    severity: 'high',
    assigneeOrg: null,
    dueAt: null,
    suppressed: false,
    escalatedAt: null,
    resultCode: null,
    body: '{}',
    createdBy: 'admin',
    createdAt: TEST_START,
    updatedAt: TEST_START,
    takenOverAt: null,
    takenOverBy: null,
    completedAt: null,
    closedAt: null,
    cancelledAt: null,
    entryCount: 1,
    stepCount: 0,
    noteCount: 0,
    refusalCount: 0,
    ...over,
  };
}

function event(
  over: Partial<EventRecord> = {},
  doc: object = { feedbackUrl: 'http://10.0.0.9/a', localAlertNo: 'A-1' },
): EventRecord {
  return {
    id: 3,
    tenantCode: 'acme',
    idempotencyKey: 'k',
    type: 'vehicle.intrusion',
    kind: 'alert',
    source: 'video',
    severity: 'high',
    occurredAt: null,
    receivedAt: TEST_START,
    isTest: false,
    nodeKey: 'cam-1',
    instance: null,
    originId: null,
    originReceivedAt: null,
    doc: docOf(doc),
    verdict: null,
    correctedTo: null,
    ...over,
  };
}

const move = (over: Partial<MoveTask> = {}): MoveTask => ({ ...moveOf(7, 'taken_over'), ...over });

describe('the graph', () => {
  const edges: [TaskState, TaskState][] = [
    ['open', 'taken_over'],
    ['taken_over', 'completed'],
    ['completed', 'closed'],
    ['open', 'cancelled'],
    ['taken_over', 'cancelled'],
  ];

  test.each(taskTypes)('of %s has these edges and no other', (type) => {
    const found = taskStates.flatMap((from) =>
      taskStates.filter((to) => mayMove(type, from, to)).map((to) => `${from} → ${to}`),
    );
    const wanted = [...edges, ...(type === 'rectification' ? [['completed', 'taken_over']] : [])].map(
      ([from, to]) => `${from} → ${to}`,
    );
    expect(found.sort()).toEqual(wanted.sort());
  });

  test(
    'a rectification that is sent back is no longer completed, keeps its first takeover, and can be ' +
      'completed again',
    () => {
      const steps: TaskRecord[] = [];
      let present = task({ type: 'rectification' });
      for (const [index, to] of (['taken_over', 'completed', 'taken_over', 'completed'] as const).entries()) {
        const { writes } = decideMove(
          { task: present, event: null },
          move({ to, resultCode: 'controlled' }),
          stamp(TEST_START + index),
        );
        steps.push((present = writes?.task ?? present));
      }
      expect(
        steps.map(({ state, takenOverAt, completedAt, resultCode }) => [
          state,
          takenOverAt,
          completedAt,
          resultCode,
        ]),
      ).toEqual([
        ['taken_over', TEST_START, null, null],
        ['completed', TEST_START, TEST_START + 1, 'controlled'],
        ['taken_over', TEST_START, null, null],
        ['completed', TEST_START, TEST_START + 3, 'controlled'],
      ]);
    },
  );

  test('times of one task do not fall when the clock steps back', () => {
    const { writes } = decideMove({ task: task(), event: null }, move(), stamp(TEST_START - HOUR));
    expect(writes?.task).toMatchObject({ takenOverAt: TEST_START, updatedAt: TEST_START });
    expect(writes?.entries).toMatchObject([{ at: TEST_START }]);
  });

  test('the history of one task holds a bounded number of refusals; each is counted and audited', () => {
    const full = task({ refusalCount: MAX_REFUSALS, entryCount: MAX_REFUSALS + 1 });
    const { outcome, writes } = decideMove({ task: full, event: null }, move({ to: 'closed' }), stamp());
    expect(outcome).toMatchObject({
      kind: 'refused',
      task: { state: 'open', refusalCount: MAX_REFUSALS + 1, entryCount: MAX_REFUSALS + 1 },
    });
    expect(writes).toMatchObject({ entries: [], audit: { action: 'task.move_refused' } });
  });
});

test.each<[string, TaskState, number | null, boolean]>([
  ['no deadline', 'open', null, false],
  ['a deadline to come', 'open', TEST_START + 1, false],
  ['a deadline this moment', 'open', TEST_START, false],
  ['a deadline that passed', 'open', TEST_START - 1, true],
  ['taken over', 'taken_over', TEST_START - 1, false],
  ['completed', 'completed', TEST_START - 1, false],
  ['cancelled', 'cancelled', TEST_START - 1, false],
])('overdue: %s', (_name, state, dueAt, overdue) =>
  expect(isOverdue({ state, dueAt }, TEST_START)).toBe(overdue),
);

describe('bodies', () => {
  test('each protected member is named', () => {
    expect(
      bodyFaults({ history: [], steps: 1, result_code: null, edge_notes: {}, mine: 1 }).map(
        ({ path }) => path,
      ),
    ).toEqual(['body.history', 'body.steps', 'body.result_code', 'body.edge_notes']);
    expect(bodyFaults({ History: 1, nested: { steps: [] } })).toEqual([]);
  });

  test('64 KiB pass, a byte more does not; the bytes are those of UTF-8', () => {
    const overhead = JSON.stringify({ a: '' }).length;
    expect(bodyFaults({ a: 'x'.repeat(MAX_BODY_BYTES - overhead) })).toEqual([]);
    expect(bodyFaults({ a: 'x'.repeat(MAX_BODY_BYTES - overhead + 1) })).toMatchObject([{ path: 'body' }]);
    expect(bodyFaults({ a: '影'.repeat(MAX_BODY_BYTES / 3) })).toMatchObject([{ path: 'body' }]);
  });

  test('32 levels pass, one more does not, and no depth ends in an error', () => {
    const nested = (levels: number): Record<string, unknown> =>
      range(levels - 1, () => 0).reduce<Record<string, unknown>>((inner) => ({ a: inner }), {});
    expect(bodyFaults(nested(32))).toEqual([]);
    expect(bodyFaults(nested(33))).toMatchObject([{ path: 'body' }]);
    expect(bodyFaults(nested(100_000))).toMatchObject([{ path: 'body' }]);
  });

  test('members are laid over the present ones; the whole keeps to the limit', () => {
    const before = task({ body: '{"a":{"x":1},"b":1}' });
    const { outcome, writes } = decideBody(
      { task: before, event: null },
      { taskId: 7, tenantCode: 'acme', body: { a: 2, c: null }, by: 'li', actor: 'admin' },
      stamp(),
    );
    expect(JSON.parse(writes?.task.body ?? '')).toEqual({ a: 2, b: 1, c: null });
    expect(writes?.audit).toMatchObject({
      before: { a: { x: 1 } },
      after: { by: 'li', body: { a: 2, c: null } },
    });
    expect(outcome.kind).toBe('changed');
    const half = 'x'.repeat(40_000);
    const large = { taskId: 7, tenantCode: 'acme', body: { b: half }, by: 'li', actor: 'admin' };
    expect(
      decideBody({ task: task({ body: JSON.stringify({ a: half }) }), event: null }, large, stamp()),
    ).toMatchObject({ outcome: { kind: 'too_large' }, writes: null });
  });
});

describe('what is told to the field', () => {
  const message = { kind: 'task', by: 'li', reason: 'on my way', at: TEST_START } as const;

  test('the message names alert, event and task', () => {
    const { plan, feedback } = pushToField(task({ state: 'taken_over' }), event(), message, stamp());
    expect(plan).toEqual({ feedbackId: feedback?.id, skipped: null, error: null });
    expect(feedback).toMatchObject({
      kind: 'task',
      eventId: 3,
      tenantCode: 'acme',
      url: 'http://10.0.0.9/a',
      nodeKey: 'cam-1',
      state: 'pending',
    });
    expect(JSON.parse(feedback?.body ?? '')).toEqual({
      localAlertNo: 'A-1',
      eventId: 3,
      taskId: 7,
      taskState: 'taken_over',
      by: 'li',
      reason: 'on my way',
      at: '2026-03-01T00:00:00.000Z',
    });
  });

  test.each([
    ['a review', task({ type: 'review' }), event(), 'non_disposal'],
    ['a postmortem request', task({ type: 'postmortem_request' }), event(), 'non_disposal'],
    ['a review on no event', task({ type: 'review', eventId: null }), null, 'non_disposal'],
    ['a disposal on no event', task({ eventId: null }), null, 'not_on_event'],
    ['a rectification on no event', task({ type: 'rectification', eventId: null }), null, 'not_on_event'],
  ])('%s is deliberately not pushed', (_name, about, on, skipped) =>
    expect(pushToField(about, on, message, stamp())).toEqual({
      plan: { feedbackId: null, skipped, error: null },
      feedback: null,
    }),
  );

  test.each([
    ['no feedback address', event({}, {}), /without a feedback address/],
    ['an event of a site', event({ instance: 'site-9' }), /arose at site-9/],
    ['an event that is not kept any more', null, /not kept/],
  ])('%s is said to have failed', (_name, on, error) =>
    expect(pushToField(task(), on, message, stamp())).toEqual({
      plan: { feedbackId: null, skipped: null, error: expect.stringMatching(error) },
      feedback: null,
    }),
  );

  test.each(taskStates)('a transition to %s is told', (state) => {
    const { plan, feedback } = pushToField(task({ state }), event(), message, stamp());
    expect(JSON.parse(feedback?.body ?? '')).toMatchObject({ taskState: state });
    expect(plan).toEqual({ feedbackId: feedback?.id, skipped: null, error: null });
  });
});

describe('limits', () => {
  test('200 steps and no more', () => {
    expect(
      decideStep({ task: task({ stepCount: MAX_STEPS - 1 }), event: null }, stepOf(7), stamp()).outcome,
    ).toMatchObject({ kind: 'added', task: { stepCount: MAX_STEPS } });
    expect(decideStep({ task: task({ stepCount: MAX_STEPS }), event: null }, stepOf(7), stamp())).toEqual({
      outcome: { kind: 'too_many_steps' },
      writes: null,
    });
  });

  test('notes to the field', () => {
    const note = { taskId: 7, tenantCode: 'acme', text: 'hurry', by: 'li', actor: 'admin' };
    expect(
      decideSendNote({ task: task({ noteCount: MAX_EDGE_NOTES }), event: event() }, note, stamp()),
    ).toEqual({ outcome: { kind: 'too_many_edge_notes' }, writes: null });
    // One that was sent is recorded, whatever came in between.
    const done = { text: 'hurry', by: 'li', pushedToEdge: true, pushSkipped: null, pushError: null };
    expect(
      decideRecordedNote({ task: task({ noteCount: MAX_EDGE_NOTES }), event: null }, done, 'admin', stamp())
        .outcome.kind,
    ).toBe('recorded');
  });
});

test('a batch passes over postmortem requests, those that are there, and those that may not go there', () => {
  const tasks = [
    task({ id: 1 }),
    task({ id: 2, type: 'postmortem_request' }),
    task({ id: 3, state: 'cancelled' }),
    task({ id: 4, state: 'completed' }),
  ];
  const { outcome, writes } = decideMoveAll(
    { tasks, event: event() },
    { ...move({ to: 'cancelled' }), eventId: 3 },
    stamp(),
  );
  expect(outcome).toMatchObject({
    kind: 'moved',
    results: [
      { changed: true, task: { id: 1, state: 'cancelled' } },
      { changed: false, task: { id: 2 }, reason: 'postmortem_request' },
      { changed: false, task: { id: 3 }, reason: 'already_in_state' },
      { changed: false, task: { id: 4 }, reason: 'transition_refused' },
    ],
  });
  expect(writes.map((one) => one.task.id)).toEqual([1]);
});
