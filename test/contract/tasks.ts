// The contract of TaskPort: creation, transitions, batches, lists.
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../common/core/audit/port.ts';
import type { DuePosition, TaskFilter } from '../../common/core/task/port.ts';
import type { HistoryDoc, TaskDetail, TaskEntry, TaskRecord } from '../../common/core/task/record.ts';
import type { TaskState } from '../../common/core/task/schema.ts';
import { HOUR, SECOND, TEST_START } from '../support/clock.ts';
import { type Bench, type MakeHarness, useStores } from './harness.ts';
import {
  docOf,
  messagesOn,
  moveOf,
  newEvent,
  range,
  stepOf,
  stored,
  taskIn,
  taskOn,
  verdictOn,
} from './samples.ts';

export const WITH_URL = docOf({ feedbackUrl: 'http://10.0.0.9:8000/alerts', localAlertNo: 'A-7' });

export function taskContract(make: MakeHarness): void {
  describe('tasks: creation', () => creation(make));
  describe('tasks: transitions', () => transitions(make));
  describe('tasks: batches', () => batches(make));
  describe('tasks: reviews', () => reviews(make));
  describe('tasks: lists', () => lists(make));
}

export async function detailOf(bench: Pick<Bench, 'stores'>, id: number): Promise<TaskDetail> {
  const detail = await bench.stores.tasks.get(id);
  if (!detail) throw new Error(`task ${id} is not there`);
  return detail;
}

export const taskAudits = async (bench: Bench, id: number): Promise<AuditEntry[]> =>
  (await bench.stores.audit.list({ tenantCode: null, subject: `task:${id}` }, null, 1000)).reverse();

export const historyOf = (entries: readonly TaskEntry[]): HistoryDoc[] =>
  entries.flatMap((entry) => (entry.kind === 'history' ? [entry.doc] : []));

function creation(make: MakeHarness): void {
  const bench = useStores(make);

  test('keeps what it was given, begins the history, and is audited', async () => {
    const eventId = await stored(bench.stores, newEvent('k'));
    const command = taskOn(eventId, {
      type: 'rectification',
      title: '清理影子',
      severity: 'critical',
      assigneeOrg: 'org-1',
      dueAt: TEST_START + HOUR,
      suppressed: true,
      body: { place: '隧道', list: [1, { a: null }] },
      by: 'user:li',
      actor: 'user:li from 10.0.0.1',
    });
    const outcome = await bench.stores.tasks.create(command, bench.stamp());
    const task: TaskRecord = {
      id: 1,
      tenantCode: 'acme',
      instance: null,
      originId: null,
      type: 'rectification',
      state: 'open',
      eventId,
      title: '清理影子',
      severity: 'critical',
      assigneeOrg: 'org-1',
      dueAt: TEST_START + HOUR,
      suppressed: true,
      escalatedAt: null,
      resultCode: null,
      body: '{"place":"隧道","list":[1,{"a":null}]}',
      createdBy: 'user:li',
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
    };
    const entries = [
      {
        seq: 1,
        at: TEST_START,
        kind: 'history',
        doc: { action: 'created', from: null, to: 'open', by: 'user:li', note: null, resultCode: null },
      },
    ];
    expect(outcome).toEqual({ kind: 'created', detail: { task, entries } });
    expect(await bench.stores.tasks.get(1)).toEqual({ task, entries });
    expect(await taskAudits(bench, 1)).toMatchObject([
      {
        at: TEST_START,
        actor: 'user:li from 10.0.0.1',
        action: 'task.created',
        tenantCode: 'acme',
        before: null,
        after: { ...task, body: command.body },
      },
    ]);
  });

  test('an event that is not there, or of another tenant, is refused and nothing is kept', async () => {
    const other = await stored(bench.stores, newEvent('k', { tenantCode: 'other' }));
    for (const eventId of [other, 4711])
      expect(await bench.stores.tasks.create(taskOn(eventId), bench.stamp())).toEqual({ kind: 'bad_event' });
    expect(await bench.stores.tasks.list({ tenantCode: null }, null, 10)).toEqual([]);
    expect(await bench.stores.audit.list({ tenantCode: null, action: 'task.created' }, null, 10)).toEqual([]);
    expect((await taskIn(bench.stores, bench.stamp())).id).toBe(1);
  });

  test('of twenty creators each gets an id of its own, without gaps', async () => {
    const made = await Promise.all(range(20, () => taskIn(bench.stores, bench.stamp())));
    expect(made.map(({ id }) => id).sort((a, b) => a - b)).toEqual(range(20, (index) => index + 1));
  });

  test('a task outlives a restart, and numbering goes on', async () => {
    const { id } = await taskIn(bench.stores, bench.stamp());
    await bench.stores.tasks.move(moveOf(id, 'taken_over'), bench.stamp());
    await bench.stores.tasks.addStep(stepOf(id), bench.stamp());
    const before = await detailOf(bench, id);
    await bench.restart();
    expect(await detailOf(bench, id)).toEqual(before);
    expect((await taskIn(bench.stores, bench.stamp())).id).toBe(id + 1);
  });

  test('what is not there is null or empty', async () => {
    expect(await bench.stores.tasks.get(4711)).toBeNull();
    expect(await bench.stores.tasks.ofEvent(4711, 10)).toEqual([]);
  });
}

function transitions(make: MakeHarness): void {
  const bench = useStores(make);

  test('from open to closed, each with its time, its line and its audit entry', async () => {
    const { id } = await taskIn(bench.stores, bench.stamp());
    for (const to of ['taken_over', 'completed', 'closed'] as const) {
      bench.clock.advance(SECOND);
      const outcome = await bench.stores.tasks.move(
        moveOf(id, to, { note: `to ${to}`, resultCode: 'eliminated' }),
        bench.stamp(),
      );
      expect(outcome).toMatchObject({ kind: 'moved', task: { id, state: to } });
    }
    const { task, entries } = await detailOf(bench, id);
    expect(task).toMatchObject({
      state: 'closed',
      resultCode: 'eliminated',
      takenOverAt: TEST_START + SECOND,
      takenOverBy: 'li',
      completedAt: TEST_START + 2 * SECOND,
      closedAt: TEST_START + 3 * SECOND,
      cancelledAt: null,
      updatedAt: TEST_START + 3 * SECOND,
      createdAt: TEST_START,
      entryCount: 4,
    });
    expect(entries.map(({ seq, at }) => [seq, at - TEST_START])).toEqual([
      [1, 0],
      [2, 1000],
      [3, 2000],
      [4, 3000],
    ]);
    expect(historyOf(entries).slice(1)).toEqual([
      {
        action: 'transition',
        from: 'open',
        to: 'taken_over',
        by: 'li',
        note: 'to taken_over',
        resultCode: null,
      },
      {
        action: 'transition',
        from: 'taken_over',
        to: 'completed',
        by: 'li',
        note: 'to completed',
        resultCode: 'eliminated',
      },
      {
        action: 'transition',
        from: 'completed',
        to: 'closed',
        by: 'li',
        note: 'to closed',
        resultCode: null,
      },
    ]);
    expect((await taskAudits(bench, id)).slice(1)).toMatchObject([
      { action: 'task.moved', before: { state: 'open' }, after: { state: 'taken_over' } },
      {
        action: 'task.moved',
        before: { state: 'taken_over', resultCode: null },
        after: { state: 'completed', resultCode: 'eliminated', by: 'li', note: 'to completed' },
      },
      { action: 'task.moved', before: { state: 'completed' }, after: { state: 'closed' } },
    ]);
  });

  test('what the graph does not have leaves a line of history and an audit entry, and nothing else', async () => {
    const { id } = await taskIn(bench.stores, bench.stamp());
    const before = await detailOf(bench, id);
    bench.clock.advance(SECOND);
    const outcome = await bench.stores.tasks.move(
      moveOf(id, 'completed', { by: 'wu', note: 'done', resultCode: 'other', actor: 'user:wu' }),
      bench.stamp(),
    );
    const after = await detailOf(bench, id);
    expect(outcome).toEqual({ kind: 'refused', task: after.task });
    expect(after.task).toEqual({ ...before.task, entryCount: 2, refusalCount: 1 });
    expect(after.entries).toEqual([
      ...before.entries,
      {
        seq: 2,
        at: TEST_START + SECOND,
        kind: 'history',
        doc: {
          action: 'refused',
          from: 'open',
          to: 'completed',
          by: 'wu',
          note: 'done',
          resultCode: 'other',
        },
      },
    ]);
    expect((await taskAudits(bench, id)).slice(1)).toMatchObject([
      {
        action: 'task.move_refused',
        actor: 'user:wu',
        before: { state: 'open' },
        after: { refused: 'completed', by: 'wu', note: 'done' },
      },
    ]);
  });

  test('a task that is not there, or of another tenant, is told apart and untouched', async () => {
    const { id } = await taskIn(bench.stores, bench.stamp());
    const before = await detailOf(bench, id);
    const wrong = { tenantCode: 'other' };
    expect(await bench.stores.tasks.move(moveOf(4711, 'taken_over'), bench.stamp())).toEqual({
      kind: 'no_task',
    });
    expect(await bench.stores.tasks.move(moveOf(id, 'taken_over', wrong), bench.stamp())).toEqual({
      kind: 'tenant_mismatch',
    });
    expect(await bench.stores.tasks.move(moveOf(id, 'closed', wrong), bench.stamp())).toEqual({
      kind: 'tenant_mismatch',
    });
    expect(await bench.stores.tasks.addStep(stepOf(id, wrong), bench.stamp())).toEqual({
      kind: 'tenant_mismatch',
    });
    expect(
      await bench.stores.tasks.changeBody(
        { taskId: id, body: {}, by: 'li', actor: 'a', ...wrong },
        bench.stamp(),
      ),
    ).toEqual({ kind: 'tenant_mismatch' });
    expect(
      await bench.stores.tasks.sendEdgeNote(
        { taskId: id, text: 't', by: 'li', actor: 'a', ...wrong },
        bench.stamp(),
      ),
    ).toEqual({ kind: 'tenant_mismatch' });
    expect(await detailOf(bench, id)).toEqual(before);
    expect(await taskAudits(bench, id)).toHaveLength(1);
  });

  test('twenty completions at once: one wins, nineteen are refused and stand in the history', async () => {
    const eventId = await stored(bench.stores, newEvent('k', { doc: WITH_URL }));
    const { id } = await taskIn(bench.stores, bench.stamp(), eventId);
    await bench.stores.tasks.move(moveOf(id, 'taken_over'), bench.stamp());
    const outcomes = await Promise.all(
      range(20, (i) =>
        bench.stores.tasks.move(
          moveOf(id, 'completed', { by: `p${i}`, resultCode: 'eliminated' }),
          bench.stamp(),
        ),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'moved')).toHaveLength(1);
    expect(outcomes.filter(({ kind }) => kind === 'refused')).toHaveLength(19);
    const { task, entries } = await detailOf(bench, id);
    expect(task).toMatchObject({
      state: 'completed',
      resultCode: 'eliminated',
      entryCount: 22,
      refusalCount: 19,
    });
    const history = historyOf(entries);
    expect(history.filter(({ action }) => action === 'refused').map(({ from, to }) => [from, to])).toEqual(
      range(19, () => ['completed', 'completed']),
    );
    expect(new Set(history.slice(2).map(({ by }) => by)).size).toBe(20);
    expect(history.map((_, index) => entries[index]?.seq)).toEqual(range(22, (index) => index + 1));
    expect(
      (await messagesOn(bench.stores, eventId)).map((row) => JSON.parse(row.body) as object),
    ).toMatchObject([{ taskState: 'taken_over' }, { taskState: 'completed' }]);
    expect(await taskAudits(bench, id)).toHaveLength(22);
  });

  test('twenty writers of every kind at once all answer, and no entry is lost', async () => {
    const eventId = await stored(bench.stores, newEvent('k', { doc: WITH_URL }));
    const { id } = await taskIn(bench.stores, bench.stamp(), eventId);
    const note = { text: 't', by: 'li', pushedToEdge: true, pushSkipped: null, pushError: null };
    await Promise.all(
      range(20, (i): Promise<unknown> => {
        if (i % 4 === 0) return bench.stores.tasks.addStep(stepOf(id, { text: `step ${i}` }), bench.stamp());
        if (i % 4 === 1)
          return bench.stores.tasks.changeBody(
            { taskId: id, tenantCode: 'acme', body: { [`m${i}`]: i }, by: 'li', actor: 'admin' },
            bench.stamp(),
          );
        if (i % 4 === 2) return bench.stores.tasks.recordEdgeNote(id, note, 'admin', bench.stamp());
        return bench.stores.tasks.move(moveOf(id, 'taken_over', { by: `p${i}` }), bench.stamp());
      }),
    );
    const { task, entries } = await detailOf(bench, id);
    expect(task).toMatchObject({
      state: 'taken_over',
      entryCount: 16,
      stepCount: 5,
      noteCount: 5,
      refusalCount: 4,
    });
    expect(entries.map(({ seq }) => seq)).toEqual(range(16, (index) => index + 1));
    expect(JSON.parse(task.body)).toEqual({ m1: 1, m5: 5, m9: 9, m13: 13, m17: 17 });
  });
}

function batches(make: MakeHarness): void {
  const bench = useStores(make);
  const batch = (eventId: number, to: TaskState, over = {}) => ({
    eventId,
    tenantCode: 'acme',
    to,
    by: 'duty',
    note: 'ruled',
    resultCode: null,
    actor: 'admin',
    ...over,
  });

  test('moves what may move, passes over postmortem requests, and tells of each task by id', async () => {
    const eventId = await stored(bench.stores, newEvent('k', { doc: WITH_URL }));
    const make4 = (['disposal', 'postmortem_request', 'review', 'disposal'] as const).map((type) => ({
      type,
    }));
    for (const over of make4) await taskIn(bench.stores, bench.stamp(), eventId, over);
    await taskIn(bench.stores, bench.stamp());
    await bench.stores.tasks.move(moveOf(4, 'cancelled'), bench.stamp());
    const outcome = await bench.stores.tasks.moveAll(batch(eventId, 'cancelled'), bench.stamp());
    expect(outcome).toMatchObject({
      kind: 'moved',
      results: [
        {
          task: { id: 1, state: 'cancelled' },
          changed: true,
          push: { feedbackId: expect.any(String) as string },
        },
        { task: { id: 2, state: 'open' }, changed: false, reason: 'postmortem_request' },
        { task: { id: 3, state: 'cancelled' }, changed: true },
        { task: { id: 4 }, changed: false, reason: 'already_in_state' },
      ],
    });
    const states = (await bench.stores.tasks.list({ tenantCode: null }, null, 10)).map(
      ({ id, state, entryCount }) => [id, state, entryCount],
    );
    expect(states).toEqual([
      [5, 'open', 1],
      [4, 'cancelled', 2],
      [3, 'cancelled', 2],
      [2, 'open', 1],
      [1, 'cancelled', 2],
    ]);
    expect(await taskAudits(bench, 3)).toMatchObject([
      {},
      { action: 'task.moved', after: { state: 'cancelled', by: 'duty', note: 'ruled' } },
    ]);
    expect(await taskAudits(bench, 2)).toHaveLength(1);
  });

  test('takeover writes a message for each disposal task', async () => {
    const eventId = await stored(bench.stores, newEvent('k', { doc: WITH_URL }));
    for (const type of ['disposal', 'review', 'rectification'] as const)
      await taskIn(bench.stores, bench.stamp(), eventId, { type });
    const outcome = await bench.stores.tasks.moveAll(batch(eventId, 'taken_over'), bench.stamp());
    expect(outcome).toMatchObject({
      results: [
        { push: { skipped: null } },
        { push: { skipped: 'non_disposal' } },
        { push: { skipped: null } },
      ],
    });
    expect(
      (await messagesOn(bench.stores, eventId))
        .map((row) => (JSON.parse(row.body) as { taskId: number }).taskId)
        .sort(),
    ).toEqual([1, 3]);
  });

  test('an event that is not there, or of another tenant, changes nothing; one without tasks has none', async () => {
    const eventId = await stored(bench.stores, newEvent('k'));
    await taskIn(bench.stores, bench.stamp(), eventId);
    expect(await bench.stores.tasks.moveAll(batch(4711, 'taken_over'), bench.stamp())).toEqual({
      kind: 'no_event',
    });
    expect(
      await bench.stores.tasks.moveAll(batch(eventId, 'taken_over', { tenantCode: 'other' }), bench.stamp()),
    ).toEqual({ kind: 'tenant_mismatch' });
    expect((await detailOf(bench, 1)).task.state).toBe('open');
    const bare = await stored(bench.stores, newEvent('bare'));
    expect(await bench.stores.tasks.moveAll(batch(bare, 'taken_over'), bench.stamp())).toEqual({
      kind: 'moved',
      results: [],
    });
  });

  test('twenty batches and single transitions at once: each task moves once', async () => {
    const eventId = await stored(bench.stores, newEvent('k', { doc: WITH_URL }));
    const ids: number[] = [];
    while (ids.length < 4) ids.push((await taskIn(bench.stores, bench.stamp(), eventId)).id);
    await Promise.all(
      range(20, (i): Promise<unknown> =>
        i % 2 === 0
          ? bench.stores.tasks.moveAll(batch(eventId, 'taken_over', { by: `b${i}` }), bench.stamp())
          : bench.stores.tasks.move(moveOf(ids[i % 4] ?? 0, 'taken_over', { by: `p${i}` }), bench.stamp()),
      ),
    );
    for (const id of ids) {
      const { task, entries } = await detailOf(bench, id);
      expect(task.state).toBe('taken_over');
      expect(historyOf(entries).filter(({ action }) => action === 'transition')).toHaveLength(1);
    }
    expect(await messagesOn(bench.stores, eventId)).toHaveLength(4);
  });
}

function reviews(make: MakeHarness): void {
  const bench = useStores(make);
  const review = async (eventId: number, over: Parameters<typeof taskOn>[1] = {}): Promise<number> =>
    (await taskIn(bench.stores, bench.stamp(), eventId, { type: 'review', ...over })).id;

  test('are settled by the verdict of a person, in its transaction', async () => {
    const eventId = await stored(bench.stores, newEvent('k'));
    const id = await review(eventId);
    const disposal = await review(eventId, { type: 'disposal' });
    await bench.stores.verdicts.write(
      verdictOn(eventId, {
        verdict: 'false_alarm',
        note: '影子',
        by: 'zhao',
        actor: 'user:zhao from 10.0.0.1',
      }),
      bench.stamp(),
    );
    const { task, entries } = await detailOf(bench, id);
    expect(task).toMatchObject({
      state: 'closed',
      resultCode: 'false_alarm',
      takenOverBy: 'zhao',
      takenOverAt: TEST_START,
      completedAt: TEST_START,
      closedAt: TEST_START,
      entryCount: 4,
    });
    expect(historyOf(entries).map(({ from, to, by, resultCode }) => [from, to, by, resultCode])).toEqual([
      [null, 'open', 'admin', null],
      ['open', 'taken_over', 'zhao', null],
      ['taken_over', 'completed', 'zhao', 'false_alarm'],
      ['completed', 'closed', 'zhao', null],
    ]);
    expect((await taskAudits(bench, id)).map(({ action, actor }) => [action, actor])).toEqual([
      ['task.created', expect.anything()],
      ['task.moved', 'user:zhao from 10.0.0.1'],
    ]);
    expect((await detailOf(bench, disposal)).task.state).toBe('open');
  });

  test('keep who has taken them over', async () => {
    const eventId = await stored(bench.stores, newEvent('k'));
    const id = await review(eventId);
    await bench.stores.tasks.move(moveOf(id, 'taken_over', { by: 'qian' }), bench.stamp());
    await bench.stores.verdicts.write(verdictOn(eventId, { by: 'zhao' }), bench.stamp());
    const { task, entries } = await detailOf(bench, id);
    expect(task).toMatchObject({ state: 'closed', takenOverBy: 'qian', resultCode: null });
    expect(historyOf(entries).map(({ to }) => to)).toEqual(['open', 'taken_over', 'completed', 'closed']);
  });

  test.each(['completed', 'cancelled'] as const)('that are %s stay so', async (state) => {
    const eventId = await stored(bench.stores, newEvent('k'));
    const id = await review(eventId);
    if (state === 'completed') await bench.stores.tasks.move(moveOf(id, 'taken_over'), bench.stamp());
    await bench.stores.tasks.move(moveOf(id, state), bench.stamp());
    await bench.stores.verdicts.write(verdictOn(eventId), bench.stamp());
    expect((await detailOf(bench, id)).task.state).toBe(state);
  });

  test('stay where a program judges, and where the verdict comes second', async () => {
    const eventId = await stored(bench.stores, newEvent('k'));
    const id = await review(eventId);
    await bench.stores.verdicts.write(verdictOn(eventId, { byKind: 'machine' }), bench.stamp());
    await bench.stores.verdicts.write(verdictOn(eventId, { byKind: 'human' }), bench.stamp());
    expect((await detailOf(bench, id)).task.state).toBe('open');
  });

  test('of other events in the same round stay', async () => {
    const [one, other] = [
      await stored(bench.stores, newEvent('k')),
      await stored(bench.stores, newEvent('l')),
    ];
    const [mine, its] = [await review(one), await review(other)];
    await Promise.all([
      bench.stores.verdicts.write(verdictOn(one), bench.stamp()),
      bench.stores.verdicts.write(verdictOn(other, { byKind: 'machine' }), bench.stamp()),
    ]);
    expect((await detailOf(bench, mine)).task.state).toBe('closed');
    expect((await detailOf(bench, its)).task.state).toBe('open');
  });
}

function lists(make: MakeHarness): void {
  const bench = useStores(make);

  test('newest first, page by page, by every filter', async () => {
    const eventId = await stored(bench.stores, newEvent('k'));
    const other = await stored(bench.stores, newEvent('o', { tenantCode: 'other' }));
    await taskIn(bench.stores, bench.stamp(), eventId, {
      dueAt: TEST_START - 1,
      assigneeOrg: 'org-1',
      body: { large: 'x' },
    });
    await taskIn(bench.stores, bench.stamp(), eventId, { type: 'review', dueAt: TEST_START });
    await taskIn(bench.stores, bench.stamp(), other, { tenantCode: 'other', dueAt: TEST_START - 1 });
    await taskIn(bench.stores, bench.stamp(), null, { dueAt: TEST_START - 1, assigneeOrg: 'org-1' });
    await bench.stores.tasks.move(moveOf(4, 'taken_over'), bench.stamp());
    const ids = async (filter: Partial<TaskFilter>, before: number | null = null, limit = 10) =>
      (await bench.stores.tasks.list({ tenantCode: null, ...filter }, before, limit)).map(({ id }) => id);
    expect(await ids({})).toEqual([4, 3, 2, 1]);
    expect([await ids({}, null, 3), await ids({}, 2, 3)]).toEqual([[4, 3, 2], [1]]);
    expect([
      await ids({ tenantCode: 'acme' }),
      await ids({ tenantCode: 'other' }),
      await ids({ tenantCode: 'nobody' }),
    ]).toEqual([[4, 2, 1], [3], []]);
    expect([
      await ids({ types: ['review'] }),
      await ids({ types: ['review', 'disposal'] }),
      await ids({ states: ['taken_over'] }),
      await ids({ states: ['taken_over', 'open'], takenOverBy: 'li' }),
      await ids({ takenOverBy: 'wu' }),
      await ids({ instance: 'site-1' }),
      await ids({ eventId }),
      await ids({ assigneeOrg: 'org-1' }),
    ]).toEqual([[2], [4, 3, 2, 1], [4], [4], [], [], [2, 1], [4, 1]]);
    expect(await ids({ overdue: { is: true, now: TEST_START } })).toEqual([3, 1]);
    expect(await ids({ overdue: { is: false, now: TEST_START } })).toEqual([4, 2]);
    expect(await ids({ overdue: { is: true, now: TEST_START + 1 }, tenantCode: 'acme' })).toEqual([2, 1]);
    const byDue = async (after: DuePosition | null, limit = 10) =>
      (await bench.stores.tasks.listByDue({ tenantCode: null }, after, limit)).map(({ id }) => id);
    await taskIn(bench.stores, bench.stamp());
    await taskIn(bench.stores, bench.stamp());
    expect(await byDue(null)).toEqual([4, 3, 1, 2, 6, 5]);
    expect(await byDue({ dueAt: TEST_START - 1, id: 3 }, 3)).toEqual([1, 2, 6]);
    expect(await byDue({ dueAt: null, id: 6 })).toEqual([5]);
    const { body: _body, ...summary } = (await detailOf(bench, 1)).task;
    expect((await bench.stores.tasks.list({ tenantCode: null }, 2, 1))[0]).toEqual(summary);
  });
}
