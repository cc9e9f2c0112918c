// Random commands on a few tasks, one after another and all at once, on both stores: the graph holds, a
// refusal leaves its line of history and nothing else, and a task is what its history says.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stampOf } from '../../common/clock.ts';
import type { Stores } from '../../common/core/stores.ts';
import type { TaskDetail, TaskEntry } from '../../common/core/task/record.ts';
import {
  resultCodes,
  type TaskState,
  taskStates,
  type TaskType,
  taskTypes,
} from '../../common/core/task/schema.ts';
import { runs } from '../support/campaign.ts';
import { HOUR, SECOND, TestClock } from '../support/clock.ts';
import { hubHarness } from '../support/hub-harness.ts';
import { siteHarness } from '../support/site-harness.ts';
import type { StoreHarness } from './harness.ts';
import { docOf, messagesOn, moveOf, newEvent, stepOf, stored, taskIn } from './samples.ts';

/** The graph once more, as a list. */
const EDGES = new Set([
  'open taken_over',
  'open cancelled',
  'taken_over completed',
  'taken_over cancelled',
  'completed closed',
]);
const allowed = (type: TaskType, from: TaskState, to: TaskState): boolean =>
  EDGES.has(`${from} ${to}`) || (type === 'rectification' && from === 'completed' && to === 'taken_over');

type Action =
  | { op: 'move'; task: number; to: TaskState; code: (typeof resultCodes)[number] | null; tenant: string }
  | { op: 'batch'; to: TaskState }
  | { op: 'step' | 'note' | 'escalate' | 'body'; task: number };
/** Actions that are sent at once, and how the clock is moved afterwards. */
interface Round {
  actions: Action[];
  ms: number;
}

const task = fc.nat(3);
const state = fc.constantFrom(...taskStates);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      op: fc.constant('move' as const),
      task,
      to: state,
      code: fc.option(fc.constantFrom(...resultCodes), { nil: null }),
      tenant: fc.constantFrom('acme', 'acme', 'acme', 'acme', 'other'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('batch' as const), to: state }) },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constantFrom('step' as const, 'note' as const, 'escalate' as const, 'body' as const),
      task,
    }),
  },
);
const rounds = (width: number): fc.Arbitrary<Round[]> =>
  fc.array(
    fc.record({
      actions: fc.array(action, { minLength: 1, maxLength: width, size: 'max' }),
      ms: fc.constantFrom(0, 1, SECOND, HOUR, -SECOND, -HOUR),
    }),
    { minLength: 1, maxLength: 40 / width + 6, size: 'max' },
  );
const types = fc.tuple(...[0, 1, 2, 3].map(() => fc.constantFrom(...taskTypes)));

interface Subject {
  stores: Stores;
  clock: TestClock;
  eventId: number;
  ids: number[];
}

async function open(harness: StoreHarness, wanted: readonly TaskType[]): Promise<Subject> {
  const clock = new TestClock();
  const stores = await harness.open(clock);
  const eventId = await stored(
    stores,
    newEvent('k', { doc: docOf({ feedbackUrl: 'http://10.0.0.9/a', localAlertNo: 'A-1' }) }),
  );
  const ids: number[] = [];
  for (const type of wanted) ids.push((await taskIn(stores, stampOf(clock), eventId, { type })).id);
  return { stores, clock, eventId, ids };
}

/** @returns what happened, in terms that are the same on every store */
async function perform({ stores, clock, eventId, ids }: Subject, act: Action): Promise<unknown> {
  const stamp = stampOf(clock);
  const taskId = 'task' in act ? (ids[act.task] ?? 0) : 0;
  switch (act.op) {
    case 'move': {
      const outcome = await stores.tasks.move(
        moveOf(taskId, act.to, { resultCode: act.code, tenantCode: act.tenant }),
        stamp,
      );
      return outcome.kind === 'moved' ? { ...outcome, push: outcome.push.feedbackId !== null } : outcome;
    }
    case 'batch': {
      const outcome = await stores.tasks.moveAll(
        { eventId, tenantCode: 'acme', to: act.to, by: 'duty', note: null, resultCode: null, actor: 'admin' },
        stamp,
      );
      if (outcome.kind !== 'moved') throw new Error(outcome.kind);
      return outcome.results.map((result) => [
        result.task,
        result.changed ? result.push.feedbackId !== null : result.reason,
      ]);
    }
    case 'step':
      return stores.tasks.addStep(stepOf(taskId), stamp);
    case 'note':
      return stores.tasks.recordEdgeNote(
        taskId,
        { text: 't', by: 'li', pushedToEdge: true, pushSkipped: null, pushError: null },
        'admin',
        stamp,
      );
    case 'escalate': {
      const { kind, task: after } = (await stores.tasks.escalate(
        { taskId, by: 's', note: null, actor: 's' },
        stamp,
      )) as { kind: string; task: unknown };
      return { kind, task: after };
    }
    case 'body':
      return stores.tasks.changeBody(
        { taskId, tenantCode: 'acme', body: { a: 1 }, by: 'li', actor: 'admin' },
        stamp,
      );
  }
}

/** What the entries of a task, read in order, say that it is. */
function replay(type: TaskType, entries: readonly TaskEntry[]): Record<string, unknown> {
  const so = {
    state: 'open' as TaskState,
    takenOverAt: null as number | null,
    completedAt: null as number | null,
    closedAt: null as number | null,
    cancelledAt: null as number | null,
    escalatedAt: null as number | null,
    resultCode: null as string | null,
    stepCount: 0,
    noteCount: 0,
    refusalCount: 0,
  };
  for (const { kind, doc, at } of entries.slice(1)) {
    if (kind === 'step') {
      expect(doc.taskState).toBe(so.state);
      so.stepCount += 1;
    } else if (kind === 'edge_note') so.noteCount += 1;
    else {
      expect(doc.from).toBe(so.state);
      if (doc.action === 'refused') {
        expect(allowed(type, so.state, doc.to)).toBe(false);
        so.refusalCount += 1;
      } else if (doc.action === 'escalated') {
        expect([so.state, so.escalatedAt]).toEqual(['open', null]);
        so.escalatedAt = at;
      } else {
        expect(allowed(type, so.state, doc.to)).toBe(true);
        so.state = doc.to;
        if (doc.to === 'taken_over')
          Object.assign(so, { takenOverAt: so.takenOverAt ?? at, completedAt: null, resultCode: null });
        if (doc.to === 'completed') Object.assign(so, { completedAt: at, resultCode: doc.resultCode });
        if (doc.to === 'closed') so.closedAt = at;
        if (doc.to === 'cancelled') so.cancelledAt = at;
      }
    }
  }
  return so;
}

async function check(subject: Subject): Promise<TaskDetail[]> {
  const { stores, eventId } = subject;
  const details = await stores.tasks.ofEvent(eventId, 100);
  let messages = 0;
  for (const { task: found, entries } of details) {
    expect(found).toMatchObject(replay(found.type, entries));
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    expect(found.entryCount).toBe(entries.length);
    // A refusal changes nothing, so that nothing is held to its time.
    const times = entries
      .filter(({ kind, doc }) => kind !== 'history' || doc.action !== 'refused')
      .map(({ at }) => at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const told = entries.filter(
      ({ kind, doc }) => kind === 'history' && (doc.action === 'escalated' || doc.action === 'transition'),
    );
    if (found.type === 'disposal' || found.type === 'rectification') messages += told.length;
    const audits = await stores.audit.list({ tenantCode: null, subject: `task:${found.id}` }, null, 1000);
    // Each entry has one, and so has each change of the body, which has no entry.
    expect(audits.filter(({ action: name }) => name !== 'task.body_changed')).toHaveLength(entries.length);
  }
  expect(await messagesOn(stores, eventId)).toHaveLength(messages);
  return details;
}

async function onBoth(
  wanted: readonly TaskType[],
  use: (subjects: Subject[]) => Promise<void>,
): Promise<void> {
  const harnesses = [siteHarness(), hubHarness()];
  try {
    const subjects = [];
    for (const harness of harnesses) subjects.push(await open(harness, wanted));
    await use(subjects);
  } finally {
    for (const harness of harnesses) await harness.close();
  }
}

describe('tasks under random commands', () => {
  test('one after another: both stores answer alike, and hold the same', async () => {
    await fc.assert(
      fc.asyncProperty(types, rounds(1), (wanted, sequence) =>
        onBoth(wanted, async (subjects) => {
          for (const {
            actions: [act],
            ms,
          } of sequence) {
            const answers = [];
            for (const subject of subjects) answers.push(act ? await perform(subject, act) : null);
            expect(answers[1]).toEqual(answers[0]);
            for (const { clock } of subjects) clock.step(ms);
          }
          const held = [];
          for (const subject of subjects) held.push(await check(subject));
          expect(held[1]).toEqual(held[0]);
        }),
      ),
      { numRuns: runs(8, 40), interruptAfterTimeLimit: 90_000, endOnFailure: true },
    );
  });

  test('all at once: whatever the order, each task is what its history says', async () => {
    await fc.assert(
      fc.asyncProperty(types, rounds(20), (wanted, sequence) =>
        onBoth(wanted, async (subjects) => {
          for (const { actions, ms } of sequence) {
            for (const subject of subjects) {
              await Promise.all(actions.map((act) => perform(subject, act)));
              subject.clock.step(ms);
            }
          }
          for (const subject of subjects) await check(subject);
        }),
      ),
      { numRuns: runs(6, 25), interruptAfterTimeLimit: 90_000, endOnFailure: true },
    );
  });
});
