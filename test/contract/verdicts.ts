// The contract of VerdictPort: the first verdict.
import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../common/core/audit/port.ts';
import type { EventIdentity } from '../../common/core/verdict/record.ts';
import type { ChangeBody } from '../../common/uplink/wire.ts';
import { HOUR, TEST_START } from '../support/clock.ts';
import { follow } from './follow.ts';
import { type Bench, type MakeHarness, useStores } from './harness.ts';
import { correctionOn, docOf, eventOf, messagesOn, newEvent, range, stored, verdictOn } from './samples.ts';

export function verdictContract(make: MakeHarness): void {
  describe('verdicts: first write wins', () => firstWrite(make));
  describe('verdicts: refusals', () => refusals(make));
  describe('verdicts: decisions of headquarters', () => decisions(make));
  describe('verdicts: change log', () => changeLog(make));
}

export const auditsOf = (bench: Bench, action: string): Promise<AuditEntry[]> =>
  bench.stores.audit.list({ tenantCode: null, action }, null, 1000);

const bodyOf = (change: { body: string } | undefined): ChangeBody =>
  JSON.parse(change?.body ?? 'null') as ChangeBody;

function firstWrite(make: MakeHarness): void {
  const bench = useStores(make);

  test('writes the verdict, its change, its audit entry, and shows it on the event', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    const command = verdictOn(id, {
      verdict: 'false_alarm',
      note: '影子',
      byKind: 'machine',
      judged: { type: 't', confidence: 0.25, by: 'm' },
      disposition: { type: 'd', severity: 'low', taskNo: 'n-1' },
    });
    const outcome = await bench.stores.verdicts.write(command, bench.stamp());
    const verdict = {
      eventId: id,
      tenantCode: 'acme',
      verdict: 'false_alarm',
      by: 'li',
      byKind: 'machine',
      note: '影子',
      mergedInto: null,
      mergedIntoKey: null,
      mergedIntoInstance: null,
      judged: { type: 't', confidence: 0.25, by: 'm' },
      disposition: { type: 'd', severity: 'low', taskNo: 'n-1' },
      at: TEST_START,
      decisionId: null,
    };
    expect(outcome).toMatchObject({
      kind: 'written',
      verdict,
      event: { id },
      feedbackId: null,
      awaitsSite: null,
    });
    expect(await bench.stores.verdicts.get(id)).toEqual(verdict);
    expect(await eventOf(bench.stores, id)).toMatchObject({ verdict: 'false_alarm', correctedTo: null });
    const [change, ...none] = await bench.stores.verdicts.changes(0, 10);
    expect(none).toEqual([]);
    expect(change).toMatchObject({
      changeNo: 1,
      at: TEST_START,
      eventId: id,
      tenantCode: 'acme',
      kind: 'verdict',
      decisionId: null,
    });
    expect(bodyOf(change)).toEqual({
      event_key: 'k',
      at: TEST_START,
      verdict: 'false_alarm',
      by: 'li',
      by_kind: 'machine',
      note: '影子',
      merged_into_key: null,
      judged: verdict.judged,
      disposition: verdict.disposition,
      decision_id: null,
    });
    expect(await auditsOf(bench, 'verdict.written')).toMatchObject([
      {
        at: TEST_START,
        actor: 'admin',
        subject: `event:${id}`,
        tenantCode: 'acme',
        before: null,
        after: verdict,
      },
    ]);
  });

  test('leaves the body of the event as it came', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    const before = await eventOf(bench.stores, id);
    await bench.stores.verdicts.write(verdictOn(id), bench.stamp());
    expect(await eventOf(bench.stores, id)).toEqual({ ...before, verdict: 'confirmed' });
  });

  test('a second verdict changes nothing, is answered with the first, and is audited', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    await bench.stores.verdicts.write(verdictOn(id), bench.stamp());
    const first = await bench.stores.verdicts.get(id);
    const again = await bench.stores.verdicts.write(
      verdictOn(id, { verdict: 'false_alarm', note: 'no', by: 'wu', actor: 'user:wu' }),
      bench.stamp(),
    );
    expect(again).toMatchObject({ kind: 'unchanged', verdict: first, event: { id, verdict: 'confirmed' } });
    expect(await bench.stores.verdicts.get(id)).toEqual(first);
    const { by, byKind, at } = first ?? {};
    const other = await stored(bench.stores, newEvent('unjudged'));
    expect([...(await bench.stores.verdicts.givenOn([id, other, 999]))]).toEqual([[id, { by, byKind, at }]]);
    expect((await bench.stores.verdicts.givenOn([])).size).toBe(0);
    expect(await bench.stores.verdicts.newestChangeNo()).toBe(1);
    expect(await auditsOf(bench, 'verdict.refused')).toMatchObject([
      {
        actor: 'user:wu',
        subject: `event:${id}`,
        after: { standing: 'confirmed', refused: 'false_alarm', by: 'wu' },
      },
    ]);
  });

  test('twenty writers: one winner, nineteen audited refusals, one change', async () => {
    const id = await stored(
      bench.stores,
      newEvent('k', { doc: docOf({ feedbackUrl: 'http://10.0.0.9/alerts' }) }),
    );
    const outcomes = await Promise.all(
      range(20, (i) => bench.stores.verdicts.write(verdictOn(id, { by: `p${i}` }), bench.stamp())),
    );
    const winner = outcomes.find((outcome) => outcome.kind === 'written');
    expect(outcomes.filter((outcome) => outcome.kind === 'written')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.kind === 'unchanged')).toHaveLength(19);
    const standing = await bench.stores.verdicts.get(id);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ verdict: standing });
    expect(winner).toMatchObject({ verdict: standing });
    expect(await auditsOf(bench, 'verdict.written')).toHaveLength(1);
    expect(await auditsOf(bench, 'verdict.refused')).toHaveLength(19);
    expect(await bench.stores.verdicts.changes(0, 100)).toHaveLength(1);
    expect(await messagesOn(bench.stores, id)).toHaveLength(1);
  });

  test('twenty verdicts on twenty events: changes without gaps, in commit order', async () => {
    const ids = (
      await bench.stores.events.ingest(
        range(20, (i) => newEvent(`k${i}`)),
        TEST_START,
      )
    ).map((result) => result.id);
    await Promise.all(ids.map((id) => bench.stores.verdicts.write(verdictOn(id), bench.stamp())));
    const changes = await bench.stores.verdicts.changes(0, 100);
    expect(changes.map((change) => change.changeNo)).toEqual(range(20, (i) => i + 1));
    expect(changes.map((change) => change.eventId).sort((a, b) => a - b)).toEqual(ids);
  });

  test('two events merged into each other at the same time both answer', async () => {
    const [a, b] = (await bench.stores.events.ingest([newEvent('a'), newEvent('b')], TEST_START)).map(
      (result) => result.id,
    ) as [number, number];
    const outcomes = await Promise.all(
      range(10, (i) => {
        const [from, into] = i % 2 ? [a, b] : [b, a];
        return bench.stores.verdicts.write(
          verdictOn(from, { verdict: 'merged', mergedInto: into }),
          bench.stamp(),
        );
      }),
    );
    expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual([
      ...range(8, () => 'unchanged'),
      'written',
      'written',
    ]);
  });

  test('a verdict outlives a restart, with the numbering', async () => {
    const [a = 0, b = 0] = (await bench.stores.events.ingest([newEvent('a'), newEvent('b')], TEST_START)).map(
      (result) => result.id,
    );
    await bench.stores.verdicts.write(verdictOn(a), bench.stamp());
    await bench.stores.verdicts.correct(correctionOn(a, 'c-1'), bench.stamp());
    const before = [
      await bench.stores.verdicts.get(a),
      await bench.stores.verdicts.corrections(a),
      await bench.stores.verdicts.changes(0, 10),
    ];
    await bench.restart();
    expect([
      await bench.stores.verdicts.get(a),
      await bench.stores.verdicts.corrections(a),
      await bench.stores.verdicts.changes(0, 10),
    ]).toEqual(before);
    bench.clock.step(-HOUR);
    await bench.stores.verdicts.write(verdictOn(b), bench.stamp());
    expect((await bench.stores.verdicts.changes(2, 10))[0]).toMatchObject({ changeNo: 3, at: TEST_START });
  });
}

function refusals(make: MakeHarness): void {
  const bench = useStores(make);

  const nothingWritten = async () => {
    expect(await bench.stores.verdicts.newestChangeNo()).toBe(0);
    expect(await bench.stores.verdicts.changes(0, 10)).toEqual([]);
    expect(await auditsOf(bench, 'verdict.written')).toEqual([]);
  };

  test('an event that is not there', async () => {
    expect(await bench.stores.verdicts.write(verdictOn(4711), bench.stamp())).toEqual({ kind: 'no_event' });
    expect(await bench.stores.verdicts.get(4711)).toBeNull();
    await nothingWritten();
  });

  test("a claimed tenant that is not the event's; the right one passes", async () => {
    const id = await stored(bench.stores, newEvent('k'));
    expect(await bench.stores.verdicts.write(verdictOn(id, { tenantCode: 'other' }), bench.stamp())).toEqual({
      kind: 'tenant_mismatch',
    });
    expect(await bench.stores.verdicts.get(id)).toBeNull();
    await nothingWritten();
    expect(
      await bench.stores.verdicts.write(verdictOn(id, { tenantCode: 'acme' }), bench.stamp()),
    ).toMatchObject({ kind: 'written' });
    expect(await bench.stores.verdicts.write(verdictOn(id, { tenantCode: 'other' }), bench.stamp())).toEqual({
      kind: 'tenant_mismatch',
    });
  });

  test('a merge into itself, into nothing, or into another tenant', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    const other = await stored(bench.stores, newEvent('o', { tenantCode: 'other' }));
    for (const mergedInto of [id, 4711, other, null]) {
      expect(
        await bench.stores.verdicts.write(verdictOn(id, { verdict: 'merged', mergedInto }), bench.stamp()),
      ).toEqual({ kind: 'bad_target' });
    }
    await nothingWritten();
  });

  test('a merge into an event of the same tenant names it by key in the change', async () => {
    const target = await stored(bench.stores, newEvent('target'));
    const id = await stored(bench.stores, newEvent('k'));
    expect(
      await bench.stores.verdicts.write(
        verdictOn(id, { verdict: 'merged', mergedInto: target }),
        bench.stamp(),
      ),
    ).toMatchObject({ kind: 'written', verdict: { mergedInto: target } });
    expect(bodyOf((await bench.stores.verdicts.changes(0, 1))[0]).merged_into_key).toBe('target');
    expect(await bench.stores.verdicts.get(target)).toBeNull();
  });
}

function decisions(make: MakeHarness): void {
  const bench = useStores(make);

  test('a decision is carried out once; the same again is only "answered"', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    const command = verdictOn(id, { decisionId: 'd-1' });
    expect(await bench.stores.verdicts.write(command, bench.stamp())).toMatchObject({
      kind: 'written',
      verdict: { decisionId: 'd-1' },
    });
    expect(await bench.stores.verdicts.write(command, bench.stamp())).toEqual({ kind: 'answered' });
    const changes = await bench.stores.verdicts.changes(0, 10);
    expect(changes).toMatchObject([{ kind: 'verdict', decisionId: 'd-1' }]);
    expect(bodyOf(changes[0]).decision_id).toBe('d-1');
    expect(await auditsOf(bench, 'verdict.refused')).toEqual([]);
  });

  test('a lost race is answered with a refusal on the change log, once', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    await bench.stores.verdicts.write(verdictOn(id), bench.stamp());
    const command = verdictOn(id, { decisionId: 'd-1', verdict: 'false_alarm', note: 'n' });
    expect(await bench.stores.verdicts.write(command, bench.stamp())).toMatchObject({
      kind: 'unchanged',
      verdict: { verdict: 'confirmed' },
    });
    expect(await bench.stores.verdicts.write(command, bench.stamp())).toEqual({ kind: 'answered' });
    const changes = await bench.stores.verdicts.changes(1, 10);
    expect(changes).toMatchObject([
      { changeNo: 2, kind: 'decision_refused', decisionId: 'd-1', eventId: id, tenantCode: 'acme' },
    ]);
    expect(bodyOf(changes[0])).toMatchObject({
      event_key: 'k',
      decision_id: 'd-1',
      reason: expect.stringContaining('confirmed') as string,
    });
  });

  test('a decision on an event that is no longer kept is refused on the log, once', async () => {
    const command = verdictOn(4711, { decisionId: 'd-1', tenantCode: 'acme' });
    expect(await bench.stores.verdicts.write(command, bench.stamp())).toEqual({ kind: 'no_event' });
    expect(await bench.stores.verdicts.write(command, bench.stamp())).toEqual({ kind: 'answered' });
    expect(await bench.stores.verdicts.changes(0, 10)).toMatchObject([
      { changeNo: 1, kind: 'decision_refused', decisionId: 'd-1', eventId: 0, tenantCode: 'acme' },
    ]);
  });

  test('one decision written twenty times at once makes one change', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    const outcomes = await Promise.all(
      range(20, () => bench.stores.verdicts.write(verdictOn(id, { decisionId: 'd-1' }), bench.stamp())),
    );
    expect(outcomes.map((outcome) => outcome.kind).sort()).toEqual([
      ...range(19, () => 'answered'),
      'written',
    ]);
    expect(await bench.stores.verdicts.changes(0, 10)).toHaveLength(1);
  });

  test.each<[string, EventIdentity]>([
    ['another instance', { key: 'elsewhere', instance: 'site-9' }],
    ['another instance, under our key', { key: 'k', instance: 'site-9' }],
    ['this one, no longer kept', { key: 'gone', instance: null }],
  ])(
    'a decision merges into an event of %s by its identity, and a correction after it',
    async (_, target) => {
      const id = await stored(
        bench.stores,
        newEvent('k', { doc: docOf({ feedbackUrl: 'http://10.0.0.9/' }) }),
      );
      const stands = {
        verdict: 'merged',
        mergedInto: null,
        mergedIntoKey: target.key,
        mergedIntoInstance: target.instance,
      };
      const merge = { verdict: 'merged', mergedInto: null, target } as const;
      expect(
        await bench.stores.verdicts.write(verdictOn(id, { ...merge, decisionId: 'd-1' }), bench.stamp()),
      ).toMatchObject({ kind: 'written', verdict: stands });
      expect(
        await bench.stores.verdicts.correct(
          correctionOn(id, 'd-2', { ...merge, decisionId: 'd-2' }),
          bench.stamp(),
        ),
      ).toMatchObject({ kind: 'written', correction: stands });
      expect(await bench.stores.verdicts.get(id)).toMatchObject(stands);
      expect(await bench.stores.verdicts.corrections(id)).toMatchObject([stands]);
      const bodies = (await bench.stores.verdicts.changes(0, 10)).map(bodyOf);
      expect(bodies).toMatchObject([{ decision_id: 'd-1' }, { decision_id: 'd-2' }]);
      for (const body of bodies)
        expect(body).toMatchObject({ merged_into_key: target.key, merged_into_instance: target.instance });
      expect(await messagesOn(bench.stores, id)).toHaveLength(2);
    },
  );

  test('a decision that is not understood is refused on the log, once', async () => {
    const refusal = {
      decisionId: 'd-1',
      tenantCode: 'acme',
      eventKey: 'k',
      reason: { code: 'decision_not_understood', params: { where: 'verdict' } },
    };
    expect(await bench.stores.verdicts.refuse(refusal, bench.stamp())).toBe(true);
    expect(await bench.stores.verdicts.refuse(refusal, bench.stamp())).toBe(false);
    const changes = await bench.stores.verdicts.changes(0, 10);
    expect(changes).toMatchObject([
      { changeNo: 1, kind: 'decision_refused', decisionId: 'd-1', eventId: 0, tenantCode: 'acme' },
    ]);
    expect(changes.map(bodyOf)).toMatchObject([
      {
        event_key: 'k',
        decision_id: 'd-1',
        reason: 'this version of the site does not understand it (verdict)',
        told: refusal.reason,
      },
    ]);
  });

  test('the same verdict sent once more, as after a lost answer, is answered alike and leaves no trace', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    const other = await stored(bench.stores, newEvent('other'));
    const command = verdictOn(id, {
      verdict: 'merged',
      mergedInto: other,
      note: 'twice',
      judged: { type: 't', confidence: 0.5 },
      disposition: { taskNo: '7' },
    });
    const first = await bench.stores.verdicts.write(command, bench.stamp());
    expect(await bench.stores.verdicts.write(command, bench.stamp())).toMatchObject({
      kind: 'unchanged',
      verdict: 'verdict' in first ? first.verdict : null,
    });
    expect(await bench.stores.audit.list({ tenantCode: null, action: 'verdict.refused' }, null, 10)).toEqual(
      [],
    );
    await bench.stores.verdicts.write({ ...command, note: 'another' }, bench.stamp());
    expect(
      await bench.stores.audit.list({ tenantCode: null, action: 'verdict.refused' }, null, 10),
    ).toHaveLength(1);
    expect(await bench.stores.verdicts.changes(0, 10)).toHaveLength(1);
  });

  test('a decision that names no possible target is refused on the log, once', async () => {
    const id = await stored(bench.stores, newEvent('k'));
    const command = verdictOn(id, { decisionId: 'd-1', verdict: 'merged', mergedInto: 4711 });
    expect(await bench.stores.verdicts.write(command, bench.stamp())).toEqual({ kind: 'bad_target' });
    expect(await bench.stores.verdicts.write(command, bench.stamp())).toEqual({ kind: 'answered' });
    expect(await bench.stores.verdicts.changes(0, 10)).toMatchObject([
      { kind: 'decision_refused', decisionId: 'd-1', eventId: id },
    ]);
    expect(await bench.stores.verdicts.get(id)).toBeNull();
  });
}

function changeLog(make: MakeHarness): void {
  const bench = useStores(make);

  test('numbers have no gap and times never fall while the clock steps', async () => {
    const steps = [0, 5, -HOUR, -HOUR + 1, HOUR, 1, HOUR];
    const ids = (
      await bench.stores.events.ingest(
        steps.map((_, i) => newEvent(`k${i}`)),
        TEST_START,
      )
    ).map((result) => result.id);
    for (const [index, step] of steps.entries()) {
      bench.clock.wall = TEST_START + step;
      await bench.stores.verdicts.write(verdictOn(ids[index] ?? 0), bench.stamp());
    }
    const changes = await bench.stores.verdicts.changes(0, 100);
    expect(changes.map((change) => change.changeNo)).toEqual(range(7, (i) => i + 1));
    expect(changes.map((change) => change.at - TEST_START)).toEqual([0, 5, 5, 5, HOUR, HOUR, HOUR]);
    for (const change of changes) {
      expect((await bench.stores.verdicts.get(change.eventId))?.at).toBe(change.at);
      expect(bodyOf(change).at).toBe(change.at);
    }
  });

  test('pages ascend after an exclusive number, keep to the limit, and end at the head', async () => {
    expect(await bench.stores.verdicts.newestChangeNo()).toBe(0);
    const ids = (
      await bench.stores.events.ingest(
        range(5, (i) => newEvent(`k${i}`)),
        TEST_START,
      )
    ).map((result) => result.id);
    for (const id of ids) await bench.stores.verdicts.write(verdictOn(id), bench.stamp());
    const numbers = async (after: number, limit: number) =>
      (await bench.stores.verdicts.changes(after, limit)).map((change) => change.changeNo);
    expect(await bench.stores.verdicts.newestChangeNo()).toBe(5);
    expect(await numbers(0, 2)).toEqual([1, 2]);
    expect(await numbers(2, 2)).toEqual([3, 4]);
    expect(await numbers(4, 2)).toEqual([5]);
    expect(await numbers(5, 2)).toEqual([]);
  });

  test('a reader that follows twenty writers misses no change', async () => {
    const ids = (
      await bench.stores.events.ingest(
        range(20, (i) => newEvent(`k${i}`)),
        TEST_START,
      )
    ).map((result) => result.id);
    const writes = Promise.all(ids.map((id) => bench.stores.verdicts.write(verdictOn(id), bench.stamp())));
    const seen = await follow<number>(writes, 3, async (last = 0) =>
      (await bench.stores.verdicts.changes(last, 3)).map((change) => change.changeNo),
    );
    expect(seen).toEqual(range(20, (i) => i + 1));
  });
}
