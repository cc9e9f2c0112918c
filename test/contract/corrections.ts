// The contract of VerdictPort: corrections.
import { describe, expect, test } from 'vitest';
import type { ChangeBody } from '../../common/uplink/wire.ts';
import { HOUR, TEST_START } from '../support/clock.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { correctionOn, docOf, eventOf, messagesOn, newEvent, range, stored, verdictOn } from './samples.ts';
import { auditsOf } from './verdicts.ts';

export function correctionContract(make: MakeHarness): void {
  describe('corrections', () => corrections(make));
  describe('corrections: refusals', () => refusals(make));
}

function corrections(make: MakeHarness): void {
  const bench = useStores(make);
  const judged = async (over = {}) => {
    const id = await stored(bench.stores, newEvent('k', over));
    await bench.stores.verdicts.write(verdictOn(id), bench.stamp());
    return id;
  };

  test('stands beside the first verdict, with change, audit and the value on the event', async () => {
    const id = await judged();
    const first = await bench.stores.verdicts.get(id);
    bench.clock.advance(1_000);
    const outcome = await bench.stores.verdicts.correct(
      correctionOn(id, 'c-1', { byKind: 'machine' }),
      bench.stamp(),
    );
    const correction = {
      id: 'c-1',
      eventId: id,
      tenantCode: 'acme',
      verdict: 'false_alarm',
      by: 'wang',
      byKind: 'machine',
      note: 'a shadow',
      mergedInto: null,
      mergedIntoKey: null,
      mergedIntoInstance: null,
      at: TEST_START + 1_000,
    };
    expect(outcome).toMatchObject({ kind: 'written', correction, feedbackId: null, awaitsSite: null });
    expect(await bench.stores.verdicts.corrections(id)).toEqual([correction]);
    expect(await bench.stores.verdicts.get(id)).toEqual(first);
    expect(await eventOf(bench.stores, id)).toMatchObject({
      verdict: 'confirmed',
      correctedTo: 'false_alarm',
    });
    const [change] = await bench.stores.verdicts.changes(1, 10);
    expect(change).toMatchObject({ changeNo: 2, at: correction.at, kind: 'correction', eventId: id });
    const body = JSON.parse(change?.body ?? '') as ChangeBody;
    expect(body).toMatchObject({
      event_key: 'k',
      id: 'c-1',
      verdict: 'false_alarm',
      by: 'wang',
      by_kind: 'machine',
      note: 'a shadow',
      at: correction.at,
    });
    expect(await auditsOf(bench, 'verdict.corrected')).toMatchObject([
      { actor: 'admin', subject: `event:${id}`, after: correction },
    ]);
  });

  test('the same id again is a replay of what stands, and writes nothing', async () => {
    const id = await judged();
    await bench.stores.verdicts.correct(correctionOn(id, 'c-1'), bench.stamp());
    const standing = await bench.stores.verdicts.corrections(id);
    const again = await bench.stores.verdicts.correct(
      correctionOn(id, 'c-1', { verdict: 'confirmed', note: 'other' }),
      bench.stamp(),
    );
    expect(again).toMatchObject({
      kind: 'replayed',
      correction: standing[0],
      event: { id, correctedTo: 'false_alarm' },
    });
    expect(await bench.stores.verdicts.corrections(id)).toEqual(standing);
    expect(await bench.stores.verdicts.newestChangeNo()).toBe(2);
    expect(await auditsOf(bench, 'verdict.corrected')).toHaveLength(1);
  });

  test('twenty writers of one id: one is written, nineteen are replays', async () => {
    const id = await judged({ doc: docOf({ feedbackUrl: 'http://10.0.0.9/' }) });
    const outcomes = await Promise.all(
      range(20, () => bench.stores.verdicts.correct(correctionOn(id, 'c-1'), bench.stamp())),
    );
    expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual([
      ...range(19, () => 'replayed'),
      'written',
    ]);
    expect(await bench.stores.verdicts.newestChangeNo()).toBe(2);
    expect(await messagesOn(bench.stores, id)).toHaveLength(2);
  });

  test('the newest decides what the event shows, also when the clock has stepped back', async () => {
    const id = await judged();
    const other = await stored(bench.stores, newEvent('other'));
    await bench.stores.verdicts.correct(correctionOn(id, 'z', { verdict: 'false_alarm' }), bench.stamp());
    bench.clock.step(-HOUR);
    await bench.stores.verdicts.correct(
      correctionOn(id, 'm', { verdict: 'merged', mergedInto: other }),
      bench.stamp(),
    );
    await bench.stores.verdicts.correct(correctionOn(id, 'a', { verdict: 'confirmed' }), bench.stamp());
    expect((await eventOf(bench.stores, id)).correctedTo).toBe('confirmed');
    const all = await bench.stores.verdicts.corrections(id);
    expect(all.map((one) => one.at)).toEqual([TEST_START, TEST_START, TEST_START]);
    expect(all.map((one) => one.id).sort()).toEqual(['a', 'm', 'z']);
    expect(
      (await bench.stores.verdicts.changes(1, 10)).map(
        (change) => (JSON.parse(change.body) as ChangeBody).id,
      ),
    ).toEqual(['z', 'm', 'a']);
  });

  test('corrections come in the order in which they were written', async () => {
    const id = await judged();
    for (const correctionId of ['z', 'm', 'a']) {
      bench.clock.advance(1);
      await bench.stores.verdicts.correct(correctionOn(id, correctionId), bench.stamp());
    }
    expect((await bench.stores.verdicts.corrections(id)).map((one) => one.id)).toEqual(['z', 'm', 'a']);
  });

  test('of an event without any, and of no event, there are none', async () => {
    expect(await bench.stores.verdicts.corrections(await judged())).toEqual([]);
    expect(await bench.stores.verdicts.corrections(4711)).toEqual([]);
  });

  test('a decision is carried out once', async () => {
    const id = await judged();
    const command = correctionOn(id, 'c-1', { decisionId: 'c-1' });
    expect(await bench.stores.verdicts.correct(command, bench.stamp())).toMatchObject({ kind: 'written' });
    expect(await bench.stores.verdicts.correct(command, bench.stamp())).toEqual({ kind: 'answered' });
    expect(await bench.stores.verdicts.changes(1, 10)).toMatchObject([
      { kind: 'correction', decisionId: 'c-1' },
    ]);
  });
}

function refusals(make: MakeHarness): void {
  const bench = useStores(make);

  test('an event that is not there, not judged, or of another tenant', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    expect(await bench.stores.verdicts.correct(correctionOn(4711, 'c-1'), bench.stamp())).toEqual({
      kind: 'no_event',
    });
    expect(await bench.stores.verdicts.correct(correctionOn(id, 'c-1'), bench.stamp())).toEqual({
      kind: 'no_verdict',
    });
    await bench.stores.verdicts.write(verdictOn(id), bench.stamp());
    expect(
      await bench.stores.verdicts.correct(correctionOn(id, 'c-1', { tenantCode: 'other' }), bench.stamp()),
    ).toEqual({ kind: 'tenant_mismatch' });
    expect(await bench.stores.verdicts.newestChangeNo()).toBe(1);
    expect((await eventOf(bench.stores, id)).correctedTo).toBeNull();
  });

  test('a merge into itself, into nothing, or into another tenant', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    const other = await stored(bench.stores, newEvent('o', { tenantCode: 'other' }));
    await bench.stores.verdicts.write(verdictOn(id), bench.stamp());
    for (const mergedInto of [id, 4711, other, null]) {
      expect(
        await bench.stores.verdicts.correct(
          correctionOn(id, 'c-1', { verdict: 'merged', mergedInto }),
          bench.stamp(),
        ),
      ).toEqual({ kind: 'bad_target' });
    }
    expect(await bench.stores.verdicts.corrections(id)).toEqual([]);
  });

  test('a decision that cannot be carried out is refused on the change log, once', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    const judged = await stored(bench.stores, newEvent('judged'));
    const refuse = async (command: ReturnType<typeof correctionOn>, kind: string) => {
      expect(await bench.stores.verdicts.correct(command, bench.stamp())).toEqual({ kind });
      expect(await bench.stores.verdicts.correct(command, bench.stamp())).toEqual({ kind: 'answered' });
    };
    await refuse(correctionOn(id, 'd-1', { decisionId: 'd-1' }), 'no_verdict');
    await refuse(correctionOn(4711, 'd-2', { decisionId: 'd-2' }), 'no_event');
    await bench.stores.verdicts.write(verdictOn(judged), bench.stamp());
    await refuse(
      correctionOn(judged, 'd-3', { decisionId: 'd-3', verdict: 'merged', mergedInto: 4711 }),
      'bad_target',
    );
    expect(await bench.stores.verdicts.changes(0, 10)).toMatchObject([
      { changeNo: 1, kind: 'decision_refused', decisionId: 'd-1', eventId: id },
      { changeNo: 2, kind: 'decision_refused', decisionId: 'd-2', eventId: 0 },
      { changeNo: 3, kind: 'verdict', decisionId: null, eventId: judged },
      { changeNo: 4, kind: 'decision_refused', decisionId: 'd-3', eventId: judged },
    ]);
  });
}
