// The contract of TaskPort: what is told to the field, steps, bodies and reminders.
import { describe, expect, test } from 'vitest';
import { MAX_STEPS, type TaskState } from '../../common/core/task/schema.ts';
import { HOUR, SECOND, TEST_START } from '../support/clock.ts';
import { type MakeHarness, useStores } from './harness.ts';
import {
  docOf,
  messagesOn,
  moveOf,
  newEvent,
  range,
  siteEvent,
  stepOf,
  stored,
  taskIn,
  type taskOn,
} from './samples.ts';
import { detailOf, historyOf, taskAudits, WITH_URL } from './tasks.ts';

export function taskEvidenceContract(make: MakeHarness): void {
  describe('tasks: messages to the field', () => messages(make));
  describe('tasks: evidence', () => evidence(make));
}

function messages(make: MakeHarness): void {
  const bench = useStores(make);
  const open = async (doc = WITH_URL, over: Parameters<typeof taskOn>[1] = {}) => {
    const eventId = await stored(bench.stores, newEvent('k', { doc }));
    return taskIn(bench.stores, bench.stamp(), eventId, over);
  };

  test('each transition writes a message', async () => {
    const { id, eventId } = await open();
    const plans = [];
    for (const to of ['taken_over', 'completed', 'closed'] as const) {
      const outcome = await bench.stores.tasks.move(moveOf(id, to, { note: to }), bench.stamp());
      plans.push(outcome.kind === 'moved' ? outcome.push : outcome.kind);
    }
    const rows = await messagesOn(bench.stores, eventId ?? 0);
    expect(plans.map((plan) => (typeof plan === 'object' ? plan.feedbackId : plan)).sort()).toEqual(
      rows.map((row) => row.id).sort(),
    );
    expect(
      rows
        .map((row) => JSON.parse(row.body) as { taskState: TaskState })
        .sort((a, b) => (a.taskState > b.taskState ? -1 : 1)),
    ).toEqual(
      ['taken_over', 'completed', 'closed'].map((taskState) => ({
        localAlertNo: 'A-7',
        eventId,
        taskId: id,
        taskState,
        by: 'li',
        reason: taskState,
        at: '2026-03-01T00:00:00.000Z',
      })),
    );
    expect(rows[0]).toMatchObject({
      kind: 'task',
      tenantCode: 'acme',
      state: 'pending',
      nodeKey: 'cam-1',
      url: 'http://10.0.0.9:8000/alerts',
      attempts: 0,
    });
  });

  test('what is refused writes none; cancelling is told', async () => {
    const { id, eventId } = await open();
    await bench.stores.tasks.move(moveOf(id, 'completed'), bench.stamp());
    expect(await messagesOn(bench.stores, eventId ?? 0)).toEqual([]);
    await bench.stores.tasks.move(moveOf(id, 'cancelled'), bench.stamp());
    expect(await messagesOn(bench.stores, eventId ?? 0)).toHaveLength(1);
  });

  test('a task that is no disposal, or on no event, says so', async () => {
    const review = await open(WITH_URL, { type: 'review' });
    expect(await bench.stores.tasks.move(moveOf(review.id, 'taken_over'), bench.stamp())).toMatchObject({
      push: { feedbackId: null, skipped: 'non_disposal', error: null },
    });
    const loose = await taskIn(bench.stores, bench.stamp());
    expect(await bench.stores.tasks.move(moveOf(loose.id, 'taken_over'), bench.stamp())).toMatchObject({
      push: { feedbackId: null, skipped: 'not_on_event', error: null },
    });
    expect(await messagesOn(bench.stores, review.eventId ?? 0)).toEqual([]);
  });

  test('an event without an address, or of a site, says why', async () => {
    const mute = await open(docOf({}));
    expect(await bench.stores.tasks.move(moveOf(mute.id, 'taken_over'), bench.stamp())).toMatchObject({
      push: { skipped: null, error: expect.stringMatching(/without a feedback address/) },
    });
    const eventId = await stored(bench.stores, siteEvent('s', { doc: WITH_URL }));
    const away = await taskIn(bench.stores, bench.stamp(), eventId);
    expect(await bench.stores.tasks.move(moveOf(away.id, 'taken_over'), bench.stamp())).toMatchObject({
      push: { skipped: null, error: expect.stringMatching(/site-9/) },
    });
    expect(await messagesOn(bench.stores, eventId)).toEqual([]);
  });

  test('escalation happens once, to an open task, and is told to the field', async () => {
    const { id, eventId } = await open();
    const command = { taskId: id, by: 'system', note: 'nobody took it over', actor: 'system' };
    bench.clock.advance(HOUR);
    const [first, ...others] = (
      await Promise.all(range(5, () => bench.stores.tasks.escalate(command, bench.stamp())))
    ).sort((a, b) => (a.kind < b.kind ? -1 : 1));
    expect(first).toMatchObject({
      kind: 'escalated',
      task: { state: 'open', escalatedAt: TEST_START + HOUR },
    });
    expect(others.map(({ kind }) => kind)).toEqual(range(4, () => 'unchanged'));
    const { task, entries } = await detailOf(bench, id);
    expect(task).toMatchObject({ state: 'open', escalatedAt: TEST_START + HOUR, entryCount: 2 });
    expect(historyOf(entries)[1]).toEqual({
      action: 'escalated',
      from: 'open',
      to: 'open',
      by: 'system',
      note: 'nobody took it over',
      resultCode: null,
    });
    expect(
      (await messagesOn(bench.stores, eventId ?? 0)).map((row) => JSON.parse(row.body) as object),
    ).toMatchObject([{ taskState: 'open', reason: 'nobody took it over' }]);
    expect((await taskAudits(bench, id)).map(({ action }) => action)).toEqual([
      'task.created',
      'task.escalated',
    ]);
  });

  test('a task that was taken over meanwhile is not escalated', async () => {
    const { id } = await open();
    await bench.stores.tasks.move(moveOf(id, 'taken_over'), bench.stamp());
    const before = await detailOf(bench, id);
    expect(
      await bench.stores.tasks.escalate({ taskId: id, by: 's', note: null, actor: 's' }, bench.stamp()),
    ).toEqual({ kind: 'unchanged', task: before.task });
    expect(
      await bench.stores.tasks.escalate({ taskId: 4711, by: 's', note: null, actor: 's' }, bench.stamp()),
    ).toEqual({ kind: 'no_task' });
    expect(await detailOf(bench, id)).toEqual(before);
  });
}

function evidence(make: MakeHarness): void {
  const bench = useStores(make);

  test('steps are appended with the time of receipt and the state of the task then', async () => {
    const { id } = await taskIn(bench.stores, bench.stamp());
    const first = await bench.stores.tasks.addStep(
      stepOf(id, { text: '到场', at: TEST_START - HOUR }),
      bench.stamp(),
    );
    bench.clock.advance(SECOND);
    await bench.stores.tasks.move(moveOf(id, 'taken_over'), bench.stamp());
    const second = await bench.stores.tasks.addStep(stepOf(id, { kind: 'result', by: 'li' }), bench.stamp());
    const steps = [
      { kind: 'arrive', text: '到场', by: 'wu', at: TEST_START - HOUR, taskState: 'open' },
      { kind: 'result', text: 'on the spot', by: 'li', at: TEST_START + SECOND, taskState: 'taken_over' },
    ];
    expect([first, second]).toMatchObject([
      { kind: 'added', step: steps[0], receivedAt: TEST_START },
      { kind: 'added', step: steps[1], receivedAt: TEST_START + SECOND },
    ]);
    const { task, entries } = await detailOf(bench, id);
    expect(entries.flatMap((entry) => (entry.kind === 'step' ? [entry.doc] : []))).toEqual(steps);
    expect(task).toMatchObject({ state: 'taken_over', stepCount: 2 });
    expect((await taskAudits(bench, id)).map(({ action }) => action)).toEqual([
      'task.created',
      'task.step_added',
      'task.moved',
      'task.step_added',
    ]);
  });

  test('of more steps at once than there is room for, the task takes what there is room for', async () => {
    const { id } = await taskIn(bench.stores, bench.stamp());
    for (let done = 0; done < MAX_STEPS - 10; done += 19) {
      await Promise.all(
        range(Math.min(19, MAX_STEPS - 10 - done), () =>
          bench.stores.tasks.addStep(stepOf(id), bench.stamp()),
        ),
      );
    }
    const outcomes = await Promise.all(
      range(20, () => bench.stores.tasks.addStep(stepOf(id), bench.stamp())),
    );
    expect(outcomes.filter(({ kind }) => kind === 'added')).toHaveLength(10);
    expect(outcomes.filter(({ kind }) => kind === 'too_many_steps')).toHaveLength(10);
    const { task, entries } = await detailOf(bench, id);
    expect([task.stepCount, entries.length, (await taskAudits(bench, id)).length]).toEqual([
      MAX_STEPS,
      MAX_STEPS + 1,
      MAX_STEPS + 1,
    ]);
  });

  test('a changed body keeps what was not named, and touches nothing else', async () => {
    const made = await taskIn(bench.stores, bench.stamp(), null, { body: { a: 1, b: [1] } });
    bench.clock.advance(SECOND);
    const outcome = await bench.stores.tasks.changeBody(
      { taskId: made.id, tenantCode: 'acme', body: { b: '乙', c: {} }, by: 'li', actor: 'admin' },
      bench.stamp(),
    );
    const { task } = await detailOf(bench, made.id);
    expect(outcome).toEqual({ kind: 'changed', task });
    expect(task).toEqual({ ...made, body: '{"a":1,"b":"乙","c":{}}', updatedAt: TEST_START + SECOND });
    expect((await taskAudits(bench, made.id))[1]).toMatchObject({
      action: 'task.body_changed',
      before: { b: [1] },
      after: { by: 'li', body: { b: '乙', c: {} } },
    });
  });

  test('a body that would grow too large stays as it is', async () => {
    const { id } = await taskIn(bench.stores, bench.stamp(), null, { body: { a: 'x'.repeat(60_000) } });
    const before = await detailOf(bench, id);
    expect(
      await bench.stores.tasks.changeBody(
        { taskId: id, tenantCode: 'acme', body: { b: 'x'.repeat(6_000) }, by: 'li', actor: 'admin' },
        bench.stamp(),
      ),
    ).toMatchObject({ kind: 'too_large' });
    expect(await detailOf(bench, id)).toEqual(before);
  });

  test('a reminder writes its message first, and is appended with what came of it', async () => {
    const eventId = await stored(bench.stores, newEvent('k', { doc: WITH_URL }));
    const { id } = await taskIn(bench.stores, bench.stamp(), eventId);
    const sent = await bench.stores.tasks.sendEdgeNote(
      { taskId: id, tenantCode: 'acme', text: '请尽快', by: 'li', actor: 'admin' },
      bench.stamp(),
    );
    const [row, ...none] = await messagesOn(bench.stores, eventId);
    expect(none).toEqual([]);
    expect(sent).toMatchObject({ kind: 'sent', push: { feedbackId: row?.id, skipped: null, error: null } });
    expect(row).toMatchObject({ kind: 'edge_note', state: 'pending' });
    expect(JSON.parse(row?.body ?? '')).toMatchObject({
      taskId: id,
      taskState: 'open',
      by: 'li',
      reason: '请尽快',
    });
    expect((await detailOf(bench, id)).entries).toHaveLength(1);
    const note = { text: '请尽快', by: 'li', pushedToEdge: false, pushSkipped: null, pushError: 'no route' };
    bench.clock.advance(SECOND);
    expect(await bench.stores.tasks.recordEdgeNote(id, note, 'admin', bench.stamp())).toMatchObject({
      kind: 'recorded',
      at: TEST_START + SECOND,
    });
    const { task, entries } = await detailOf(bench, id);
    expect(entries[1]).toEqual({ seq: 2, at: TEST_START + SECOND, kind: 'edge_note', doc: note });
    expect(task.noteCount).toBe(1);
    expect((await taskAudits(bench, id)).map(({ action }) => action)).toEqual([
      'task.created',
      'task.edge_note_sent',
      'task.edge_note_recorded',
    ]);
    expect(await bench.stores.tasks.recordEdgeNote(4711, note, 'admin', bench.stamp())).toEqual({
      kind: 'no_task',
    });
  });

  test('a review and a postmortem request take no reminder', async () => {
    const eventId = await stored(bench.stores, newEvent('k', { doc: WITH_URL }));
    for (const type of ['review', 'postmortem_request'] as const) {
      const { id } = await taskIn(bench.stores, bench.stamp(), eventId, { type });
      expect(
        await bench.stores.tasks.sendEdgeNote(
          { taskId: id, tenantCode: 'acme', text: 't', by: 'li', actor: 'admin' },
          bench.stamp(),
        ),
      ).toEqual({ kind: 'non_disposal' });
      expect(await taskAudits(bench, id)).toHaveLength(1);
    }
    expect(await messagesOn(bench.stores, eventId)).toEqual([]);
  });

  test('the tasks of an event come with their entries, oldest first', async () => {
    const eventId = await stored(bench.stores, newEvent('k'));
    await Promise.all(range(3, () => taskIn(bench.stores, bench.stamp(), eventId)));
    await taskIn(bench.stores, bench.stamp());
    await bench.stores.tasks.addStep(stepOf(2), bench.stamp());
    const found = await bench.stores.tasks.ofEvent(eventId, 10);
    expect(found).toEqual([await detailOf(bench, 1), await detailOf(bench, 2), await detailOf(bench, 3)]);
    expect((await bench.stores.tasks.ofEvent(eventId, 2)).map(({ task }) => task.id)).toEqual([1, 2]);
  });
}
