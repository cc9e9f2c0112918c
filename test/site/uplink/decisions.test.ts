// Verdicts of headquarters that come down: carried out once, answered always, and counted while they wait.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Decision } from '../../../common/uplink/wire.ts';
import { decisionDriver } from '../../../site/uplink/inbox/kind/decision.ts';
import { uplinkStatus } from '../../../site/uplink/status.ts';
import { newEvent } from '../../contract/samples.ts';
import { openRig, type Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

describe('decisions of headquarters', () => {
  const decision = (over: Partial<Decision>): Decision => ({
    decision_id: 'd-1',
    kind: 'verdict',
    tenant_code: 'acme',
    event_key: 'e0',
    verdict: 'confirmed',
    by: 'chen',
    by_kind: 'human',
    note: null,
    merged_into_key: null,
    judged: null,
    disposition: null,
    at: 1,
    ...over,
  });
  const changes = async () =>
    (await rig.store.verdicts.changes(0, 100)).map(({ kind, decisionId }) => ({ kind, decisionId }));

  test('are carried out once, told to the camera, and answered with what the camera hears', async () => {
    await rig.store.events.ingest(
      [newEvent('e0', { doc: JSON.stringify({ feedbackUrl: 'http://127.0.0.1:9/x' }) })],
      rig.clock.now(),
    );
    rig.hub.decisions = [decision({})];
    await rig.drain();
    rig.clock.advance(3_000);
    await rig.drain();
    expect(await rig.store.verdicts.get(1)).toMatchObject({
      verdict: 'confirmed',
      by: 'chen',
      decisionId: 'd-1',
    });
    expect(await changes()).toEqual([{ kind: 'verdict', decisionId: 'd-1' }]);
    expect(rig.told).toHaveLength(1);
    expect(rig.hub.batches('verdicts')).toEqual([[1, 2]]);
  });

  test('that lose the race, name no event here or merge into themselves, are answered as refused', async () => {
    const [first = 0] = await rig.events(2);
    await rig.judge(first);
    rig.hub.decisions = [
      decision({ decision_id: 'late' }),
      decision({ decision_id: 'strange', event_key: 'nowhere' }),
      decision({
        decision_id: 'lonely',
        event_key: 'e1',
        verdict: 'merged',
        merged_into_key: 'e1',
        merged_into_instance: 'site-1',
      }),
    ];
    await rig.drain();
    expect((await changes()).slice(1)).toEqual(
      ['late', 'strange', 'lonely'].map((decisionId) => ({ kind: 'decision_refused', decisionId })),
    );
    expect(await rig.store.verdicts.get(first)).toMatchObject({ by: 'li' });
    rig.hub.decisions = [];
    rig.clock.advance(3_000);
    await rig.drain();
    expect(rig.hub.kept.verdicts).toEqual([1, 2, 3, 4]);
    expect(rig.sender.inbox.counts.decision).toEqual({ carriedOut: 0, refused: 3, failed: 0 });
  });

  // e1 is ours; the one of site-2 has the same key and is another event.
  test.each<[string, Partial<Decision>, object]>([
    [
      'another site',
      { merged_into_key: 'x', merged_into_instance: 'site-2' },
      { mergedInto: null, mergedIntoKey: 'x', mergedIntoInstance: 'site-2' },
    ],
    [
      'another site under a key of ours',
      { merged_into_key: 'e1', merged_into_instance: 'site-2' },
      { mergedInto: null, mergedIntoKey: 'e1', mergedIntoInstance: 'site-2' },
    ],
    [
      'another site under the same key',
      { merged_into_key: 'e0', merged_into_instance: 'site-2' },
      { mergedInto: null, mergedIntoKey: 'e0', mergedIntoInstance: 'site-2' },
    ],
    [
      'this site',
      { merged_into_key: 'e1', merged_into_instance: 'site-1' },
      { mergedInto: 2, mergedIntoKey: 'e1', mergedIntoInstance: null },
    ],
    [
      'this site, no longer kept',
      { merged_into_key: 'gone', merged_into_instance: 'site-1' },
      { mergedInto: null, mergedIntoKey: 'gone', mergedIntoInstance: null },
    ],
  ])(
    'that merge into an event of %s are carried out, once, with a correction after them',
    async (_, target, stands) => {
      await rig.store.events.ingest(
        [newEvent('e0', { doc: JSON.stringify({ feedbackUrl: 'http://127.0.0.1:9/x' }) }), newEvent('e1')],
        rig.clock.now(),
      );
      const merge = decision({ verdict: 'merged', note: 'the same fire', ...target });
      rig.hub.decisions = [
        merge,
        decision({ decision_id: 'c-1', kind: 'correction', verdict: 'merged', note: 'after all', ...target }),
      ];
      await rig.drain();
      // Another process, or one that forgot: the store knows that they were answered.
      const again = decisionDriver({
        events: rig.store.events,
        verdicts: rig.store.verdicts,
        clock: rig.clock,
        instance: 'site-1',
        onWritten: () => undefined,
      });
      expect(await again.carryOut(merge)).toBe('answered');
      expect(await rig.store.verdicts.get(1)).toMatchObject({ verdict: 'merged', ...stands });
      expect(await rig.store.verdicts.corrections(1)).toMatchObject([{ verdict: 'merged', ...stands }]);
      expect(rig.told).toHaveLength(2);
      expect(await changes()).toEqual([
        { kind: 'verdict', decisionId: 'd-1' },
        { kind: 'correction', decisionId: 'c-1' },
      ]);
    },
  );

  test('that wait at headquarters are counted, with those that are not carried out here', async () => {
    await rig.events(2);
    const status = () =>
      uplinkStatus({ store: rig.store, sender: rig.sender, instance: 'site-1', clock: rig.clock });
    expect(await status()).toMatchObject({ decisions: { waiting: null } });
    rig.hub.decisions = [decision({}), {} as Decision];
    rig.hub.waiting = 7;
    await rig.drain();
    expect(await status()).toMatchObject({
      decisions: { waiting: 8, carriedOut: 1, refused: 0, failed: 1 },
    });
  });

  test('one that fails holds back what is on its event alone, is tried again, and told of', async () => {
    const [first = 0, second = 0] = await rig.events(2);
    const { verdicts } = rig.store;
    const write = verdicts.write.bind(verdicts);
    let full = true;
    verdicts.write = (command, stamp) =>
      full && command.eventId === first
        ? Promise.reject(new Error('the disk is full'))
        : write(command, stamp);
    rig.hub.decisions = [
      decision({}),
      decision({ decision_id: 'c-1', kind: 'correction', verdict: 'false_alarm', note: 'no' }),
      decision({ decision_id: 'd-2', event_key: 'e1' }),
    ];
    await rig.drain();
    expect(await verdicts.get(second)).toMatchObject({ verdict: 'confirmed' });
    expect(await verdicts.get(first)).toBeNull();
    expect(rig.store.inbox.count('decision')).toMatchObject({ waiting: 2, failing: 1 });
    expect(await rig.alarm('uplink_inbox_failing')).toBeUndefined();
    for (let tries = 0; tries < 4; tries += 1) {
      rig.clock.advance(120_000);
      await rig.drain();
    }
    expect(await rig.alarm('uplink_inbox_failing')).toMatchObject({
      clearedAt: null,
      message: expect.stringContaining('the disk is full') as string,
    });
    full = false;
    rig.clock.advance(120_000);
    await rig.drain();
    expect(await verdicts.get(first)).toMatchObject({ verdict: 'confirmed' });
    expect(await verdicts.corrections(first)).toMatchObject([{ id: 'c-1' }]);
    expect(await rig.alarm('uplink_inbox_failing')).toMatchObject({
      clearedAt: expect.any(Number) as number,
    });
  });

  test(
    'include corrections; one that is not understood is refused, one without a name does not hinder the ' +
      'others',
    async () => {
      const [first = 0] = await rig.events(1);
      await rig.judge(first);
      rig.hub.decisions = [
        {} as Decision,
        { decision_id: 'odd' } as Decision,
        decision({ decision_id: 'c-1', kind: 'correction', verdict: 'false_alarm', note: 'a shadow' }),
      ];
      await rig.drain();
      expect(await rig.store.verdicts.corrections(first)).toMatchObject([
        { id: 'c-1', verdict: 'false_alarm', note: 'a shadow', by: 'chen' },
      ]);
      expect(await rig.store.verdicts.changes(1, 1)).toMatchObject([
        {
          kind: 'decision_refused',
          decisionId: 'odd',
          body: expect.stringContaining('does not understand it') as string,
        },
      ]);
      expect(rig.sender.inbox.counts.decision).toMatchObject({ carriedOut: 1, refused: 1 });
      expect(rig.cursor('events')).toBe(1);
    },
  );

  test('their answers wait for no verdict whose event has not gone up', async () => {
    await rig.events(1);
    await rig.drain();
    const [late = 0] = await rig.events(1, 'late');
    await rig.judge(late);
    rig.hub.decisions = [decision({ event_key: 'e0' })];
    await rig.takeDown();
    rig.hub.script = ({ channel }) =>
      channel === 'events' ? { status: 500, body: { error: 'internal' } } : null;
    await rig.drain();
    const answers = () =>
      rig.hub.received.flatMap(({ channel, request }) =>
        channel === 'verdicts' ? (request.items as { body: { decision_id?: string } }[]) : [],
      );
    expect(answers().map(({ body }) => body.decision_id ?? null)).toEqual(['d-1']);
    expect(rig.store.changes.waiting(rig.cursor('verdicts'), 10)).toBe(1);
    rig.hub.script = () => null;
    rig.clock.advance(10_000);
    await rig.drain();
    expect(answers().map(({ body }) => body.decision_id ?? null)).toEqual(['d-1', null]);
    expect(rig.store.changes.waiting(rig.cursor('verdicts'), 10)).toBe(0);
  });
});
