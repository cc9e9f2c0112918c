// What holds when two processes have one store open.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stampOf } from '../../common/clock.ts';
import type { Stores } from '../../common/core/stores.ts';
import { HOUR, SECOND, TEST_START, TestClock } from '../support/clock.ts';
import { follow } from './follow.ts';
import type { PeerHarness } from './harness.ts';
import {
  alarm,
  correctionOn,
  docOf,
  eventOf,
  filters,
  keyRecord,
  messagesOn,
  moveOf,
  newEvent,
  range,
  stored,
  taskIn,
  verdictOn,
} from './samples.ts';

export function peerContract(make: () => PeerHarness): void {
  let harness: PeerHarness;
  let stores: [Stores, Stores];
  const clocks = [new TestClock(), new TestClock(TEST_START, 1)] as const;
  /** The two processes in turn. */
  const either = (index: number): Stores => stores[index % 2 === 0 ? 0 : 1];
  const stamp = (index: number) => stampOf(clocks[index % 2 === 0 ? 0 : 1]);

  beforeEach(async () => {
    harness = make();
    const first = await harness.open(clocks[0]);
    stores = [first, await harness.peer(clocks[1])];
  });
  afterEach(() => harness.close());

  test('they are one store', async () => {
    expect(stores[0].epoch()).toBe(stores[1].epoch());
    const id = await stored(stores[0], newEvent('k'));
    expect(await stores[1].events.get(id)).toEqual(await stores[0].events.get(id));
    expect(await stores[1].events.ingest([newEvent('k')], TEST_START)).toEqual([
      { id, duplicate: true, conflicting: false },
    ]);
  });

  test('of twenty writers of one key one stores it', async () => {
    const results = (
      await Promise.all(range(20, (i) => either(i).events.ingest([newEvent('k')], TEST_START)))
    ).flat();
    expect(results.filter((result) => !result.duplicate)).toHaveLength(1);
    expect(new Set(results.map((result) => result.id)).size).toBe(1);
  });

  test('crossed batches of the same keys all answer, and each key is stored once', async () => {
    const keys = range(12, (i) => newEvent(`k${i}`));
    const results = await Promise.all(
      range(20, (i) => either(i).events.ingest(i % 3 ? keys : [...keys].reverse(), TEST_START)),
    );
    expect(results.flat().filter((result) => !result.duplicate)).toHaveLength(12);
    expect(await stores[0].events.page(0, 100)).toHaveLength(12);
  });

  test('a reader of one misses nothing that the other stores, and ids become visible in order', async () => {
    // Of many tenants: no unique key may be what keeps the writers apart.
    const batchOf = (name: string) => range(2, (j) => newEvent(`k${j}`, { tenantCode: `tenant-${name}` }));
    const write = async (process: number) => {
      for (const round of range(20, (i) => i))
        await either(process).events.ingest(batchOf(`${process}-${round}`), TEST_START + round);
    };
    const writes = Promise.all([write(0), write(1)]);
    const seen = await follow<number>(writes, 5, async (last = 0) =>
      (await stores[1].events.page(last, 5)).map((event) => event.id),
    );
    expect(seen).toEqual((await stores[0].events.page(0, 1000)).map((event) => event.id));
    expect(seen).toHaveLength(80);
  });

  test('receipt times do not fall where one clock is an hour behind', async () => {
    for (const i of range(6, (index) => index))
      await either(i).events.ingest([newEvent(`k${i}`)], TEST_START + i - (i % 2) * HOUR);
    const times = (await stores[0].events.page(0, 10)).map((event) => event.receivedAt - TEST_START);
    expect(times).toEqual([0, 0, 2, 2, 4, 4]);
  });

  test('of twenty verdicts one wins', async () => {
    const id = await stored(stores[0], newEvent('k', { doc: docOf({ feedbackUrl: 'http://10.0.0.9/' }) }));
    const outcomes = await Promise.all(
      range(20, (i) => either(i).verdicts.write(verdictOn(id, { by: `p${i}` }), stamp(i))),
    );
    expect(outcomes.filter((outcome) => outcome.kind === 'written')).toHaveLength(1);
    expect(await stores[0].verdicts.changes(0, 10)).toHaveLength(1);
    expect(
      await stores[0].audit.list({ tenantCode: null, action: 'verdict.refused' }, null, 100),
    ).toHaveLength(19);
    expect(await messagesOn(stores[0], id)).toHaveLength(1);
  });

  test('change numbers have no gap and a reader misses none', async () => {
    const ids = (
      await stores[0].events.ingest(
        range(30, (i) => newEvent(`k${i}`, { tenantCode: `tenant-${i}` })),
        TEST_START,
      )
    ).map((result) => result.id);
    const writes = Promise.all(ids.map((id, i) => either(i).verdicts.write(verdictOn(id), stamp(i))));
    const seen = await follow<number>(writes, 4, async (last = 0) =>
      (await stores[0].verdicts.changes(last, 4)).map((change) => change.changeNo),
    );
    expect(seen).toEqual(range(30, (i) => i + 1));
  });

  test('verdicts and corrections on the same events at once all answer', async () => {
    const ids = (
      await stores[0].events.ingest(
        range(4, (i) => newEvent(`k${i}`)),
        TEST_START,
      )
    ).map((result) => result.id);
    for (const id of ids) await stores[0].verdicts.write(verdictOn(id), stamp(0));
    await Promise.all(
      range(40, (i) => {
        const id = ids[i % 4] ?? 0;
        if (i % 3 === 0)
          return either(i).verdicts.write(
            verdictOn(id, { verdict: 'merged', mergedInto: ids[(i + 1) % 4] ?? 0 }),
            stamp(i),
          );
        return either(i).verdicts.correct(
          correctionOn(id, `c-${i}`, { verdict: 'merged', mergedInto: ids[(i + 1) % 4] ?? 0 }),
          stamp(i),
        );
      }),
    );
    const changes = await stores[0].verdicts.changes(0, 100);
    expect(changes.map((change) => change.changeNo)).toEqual(range(changes.length, (i) => i + 1));
    expect((await eventOf(stores[0], ids[0] ?? 0)).correctedTo).toBe('merged');
  });

  test('no feedback row goes to two claimers', async () => {
    for (const i of range(12, (index) => index)) {
      const id = await stored(
        stores[0],
        newEvent(`k${i}`, { doc: docOf({ feedbackUrl: 'http://10.0.0.9/' }) }),
      );
      await stores[0].verdicts.write(verdictOn(id), stamp(0));
    }
    const now = TEST_START + 60 * SECOND;
    const claimed = (await Promise.all(range(20, (i) => either(i).feedback.claimDue(now, 300 * SECOND, 3))))
      .flat()
      .map((row) => row.id);
    const rest = (await stores[0].feedback.claimDue(now, 300 * SECOND, 100)).map((row) => row.id);
    expect(new Set([...claimed, ...rest]).size).toBe(12);
    expect(claimed.length + rest.length).toBe(12);
  });

  test('of twenty completions of a task one wins, and each refusal stands in its history', async () => {
    const { id } = await taskIn(stores[0], stamp(0));
    await stores[1].tasks.move(moveOf(id, 'taken_over'), stamp(1));
    const outcomes = await Promise.all(
      range(20, (i) => either(i).tasks.move(moveOf(id, 'completed', { by: `p${i}` }), stamp(i))),
    );
    expect(outcomes.filter((outcome) => outcome.kind === 'moved')).toHaveLength(1);
    const detail = await stores[0].tasks.get(id);
    expect(detail?.task).toMatchObject({ state: 'completed', entryCount: 22, refusalCount: 19 });
    expect(detail?.entries.map(({ seq }) => seq)).toEqual(range(22, (index) => index + 1));
    expect(await stores[1].tasks.get(id)).toEqual(detail);
  });

  test('registrations, keys and alarms are made once', async () => {
    const registered = await Promise.all(
      range(10, (i) => either(i).subscriptions.register('c', filters(), 0, TEST_START, 'admin')),
    );
    expect(registered.filter((outcome) => outcome.created)).toHaveLength(1);
    const added = await Promise.allSettled(range(10, (i) => either(i).keys.add(keyRecord('k'), 'admin')));
    expect(added.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    const raised = await Promise.all(range(10, (i) => either(i).alarms.raise(alarm('disk'), TEST_START)));
    expect(raised.filter(Boolean)).toHaveLength(1);
  });
}
