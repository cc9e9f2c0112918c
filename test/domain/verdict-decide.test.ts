import { describe, expect, test } from 'vitest';
import type { Stamp } from '../../common/clock.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import { decideCorrection, type SeenForCorrection } from '../../common/core/verdict/correction.ts';
import { decideVerdict, type SeenForVerdict } from '../../common/core/verdict/decide.ts';
import type {
  CorrectionRecord,
  VerdictRecord,
  WriteCorrection,
  WriteVerdict,
} from '../../common/core/verdict/record.ts';
import type { ChangeBody } from '../../common/uplink/wire.ts';
import { correctionOn, docOf, newEvent, verdictOn } from '../contract/samples.ts';

const NOW = 1_000_000;

function record(id: number, over: Partial<EventRecord> = {}): EventRecord {
  const { origin: _, ...members } = newEvent(`key-${id}`);
  return {
    ...members,
    id,
    receivedAt: 0,
    instance: null,
    originId: null,
    originReceivedAt: null,
    verdict: null,
    correctedTo: null,
    ...over,
  };
}

function stamp(): Stamp {
  let issued = 0;
  return { now: NOW, newId: () => `id-${++issued}` };
}

const EVENT = record(7);
const TARGET = record(8);
const CAMERA = record(7, { doc: docOf({ feedbackUrl: 'http://10.0.0.9/a', localAlertNo: 'A-7' }) });
const REMOTE = record(7, {
  instance: 'site-9',
  originId: 3,
  originReceivedAt: 1,
  nodeKey: null,
  doc: CAMERA.doc,
});
const PRIOR: VerdictRecord = {
  eventId: 7,
  tenantCode: 'acme',
  verdict: 'confirmed',
  by: 'li',
  byKind: 'human',
  note: null,
  mergedInto: null,
  mergedIntoKey: null,
  mergedIntoInstance: null,
  judged: null,
  disposition: null,
  at: 5,
  decisionId: null,
};
const SAME: CorrectionRecord = {
  id: 'c-1',
  eventId: 7,
  tenantCode: 'acme',
  verdict: 'false_alarm',
  by: 'wu',
  byKind: 'human',
  note: 'n',
  mergedInto: null,
  mergedIntoKey: null,
  mergedIntoInstance: null,
  at: 6,
};
const bodyOf = (change: { body: string } | null): ChangeBody =>
  JSON.parse(change?.body ?? 'null') as ChangeBody;

describe('decideVerdict', () => {
  const decide = (seen: Partial<SeenForVerdict>, over: Partial<WriteVerdict> = {}) =>
    decideVerdict(
      { event: EVENT, prior: null, target: null, answered: false, ...seen },
      verdictOn(7, over),
      stamp(),
    );
  const merge = { verdict: 'merged', mergedInto: 8 } as const;
  const carried = { decisionId: 'd-1' };
  const byIdentity = {
    verdict: 'merged',
    mergedInto: null,
    target: { key: 'key-8', instance: 'site-9' },
  } as const;

  test.each<[string, Partial<SeenForVerdict>, Partial<WriteVerdict>, string]>([
    ['first verdict', {}, {}, 'written'],
    ['right tenant', {}, { tenantCode: 'acme' }, 'written'],
    ['merge into a neighbour', { target: TARGET }, merge, 'written'],
    ['answered before everything', { event: null, prior: PRIOR, answered: true }, carried, 'answered'],
    ['no event', { event: null }, {}, 'no_event'],
    ['no event before the tenant', { event: null }, { tenantCode: 'other' }, 'no_event'],
    ['merge into an event of another site, by its identity', {}, byIdentity, 'written'],
    [
      'merge into an event of ours that is no longer kept',
      {},
      { ...byIdentity, target: { key: 'gone', instance: null } },
      'written',
    ],
    [
      'merge into an event of another site that has our key',
      {},
      { ...byIdentity, target: { key: 'key-7', instance: 'site-9' } },
      'written',
    ],
    [
      'merge into itself, by its identity',
      {},
      { ...byIdentity, target: { key: 'key-7', instance: null } },
      'bad_target',
    ],
    ['another tenant', {}, { tenantCode: 'other' }, 'tenant_mismatch'],
    [
      'another tenant before the standing verdict',
      { prior: PRIOR },
      { tenantCode: 'other' },
      'tenant_mismatch',
    ],
    ['standing verdict', { prior: PRIOR }, {}, 'unchanged'],
    ['standing verdict before the target', { prior: PRIOR }, merge, 'unchanged'],
    ['merge into nothing', {}, { verdict: 'merged', mergedInto: null }, 'bad_target'],
    ['merge into a missing event', { target: null }, merge, 'bad_target'],
    ['merge into itself', { target: EVENT }, { verdict: 'merged', mergedInto: 7 }, 'bad_target'],
    ['merge into another tenant', { target: record(8, { tenantCode: 'other' }) }, merge, 'bad_target'],
  ])('%s', (_, seen, over, kind) => expect(decide(seen, over).kind).toBe(kind));

  test('written: record, change and audit say the same at the same time', () => {
    const decision = decide(
      { target: TARGET },
      { ...merge, note: 'twice', judged: { type: 't' }, disposition: { type: 'd' }, byKind: 'machine' },
    );
    if (decision.kind !== 'written') throw new Error(decision.kind);
    expect(decision.verdict).toEqual({
      ...PRIOR,
      verdict: 'merged',
      byKind: 'machine',
      note: 'twice',
      mergedInto: 8,
      mergedIntoKey: 'key-8',
      judged: { type: 't' },
      disposition: { type: 'd' },
      at: NOW,
    });
    expect(decision.change).toMatchObject({
      eventId: 7,
      tenantCode: 'acme',
      kind: 'verdict',
      decisionId: null,
    });
    expect(bodyOf(decision.change)).toEqual({
      event_key: 'key-7',
      at: NOW,
      verdict: 'merged',
      by: 'li',
      by_kind: 'machine',
      note: 'twice',
      merged_into_key: 'key-8',
      merged_into_instance: null,
      judged: { type: 't' },
      disposition: { type: 'd' },
      decision_id: null,
    });
    expect(decision.audit).toMatchObject({
      at: NOW,
      actor: 'admin',
      action: 'verdict.written',
      subject: 'event:7',
      tenantCode: 'acme',
      before: null,
      after: { ...decision.verdict, reason: 'twice' },
    });
  });

  test('feedback only where the event arose here and names an address', () => {
    const made = decide({ event: CAMERA }, { verdict: 'false_alarm', note: 'rain' });
    if (made.kind !== 'written') throw new Error(made.kind);
    expect(made.feedback).toMatchObject({
      eventId: 7,
      kind: 'verdict',
      url: 'http://10.0.0.9/a',
      nodeKey: 'cam-1',
      state: 'pending',
      attempts: 0,
      createdAt: NOW,
      lastError: null,
      deliveredAt: null,
    });
    expect(made.feedback?.nextAt).toBeGreaterThan(NOW);
    expect(JSON.parse(made.feedback?.body ?? '')).toEqual({
      localAlertNo: 'A-7',
      eventId: 7,
      verdict: 'false_alarm',
      by: 'li',
      reason: 'rain',
    });
    expect(decide({ event: EVENT })).toMatchObject({ feedback: null, toSite: null });
    expect(decide({ event: REMOTE })).toMatchObject({ feedback: null });
  });

  test('an event of a site: one fresh decision id on verdict, change body and message', () => {
    const decision = decide({ event: REMOTE });
    if (decision.kind !== 'written' || !decision.toSite) throw new Error(decision.kind);
    const { decisionId, instance, body } = decision.toSite;
    expect(instance).toBe('site-9');
    expect([
      decision.verdict.decisionId,
      bodyOf(decision.change).decision_id,
      decision.change.decisionId,
    ]).toEqual([decisionId, decisionId, null]);
    expect(JSON.parse(body)).toMatchObject({
      kind: 'verdict',
      tenant_code: 'acme',
      event_key: 'key-7',
      verdict: 'confirmed',
      decision_id: decisionId,
    });
  });

  test('the same verdict sent once more leaves no trace', () => {
    expect(decide({ prior: PRIOR })).toEqual({
      kind: 'unchanged',
      verdict: PRIOR,
      audit: null,
      change: null,
    });
    // A decision is answered all the same.
    expect(decide({ prior: PRIOR }, carried)).toMatchObject({
      audit: null,
      change: { kind: 'decision_refused' },
    });
  });

  test('a merge by identity keeps key and instance, and sends them up', () => {
    const decision = decide({}, { ...byIdentity, ...carried });
    if (decision.kind !== 'written') throw new Error(decision.kind);
    expect(decision.verdict).toMatchObject({
      mergedInto: null,
      mergedIntoKey: 'key-8',
      mergedIntoInstance: 'site-9',
    });
    expect(bodyOf(decision.change)).toMatchObject({
      merged_into_key: 'key-8',
      merged_into_instance: 'site-9',
    });
    expect(decision.audit.after).toMatchObject({
      reason: 'li judged it merged into the event key-8 of site-9, without a note',
    });
  });

  test.each<[string, EventRecord]>([
    ['of the same site', record(8, { instance: 'site-9' })],
    ['of another site', record(8, { instance: 'site-8' })],
    ['of headquarters', TARGET],
  ])("a merge of a site's event into one %s names it by its identity", (_, target) => {
    const decision = decide({ event: REMOTE, target }, merge);
    if (decision.kind !== 'written' || !decision.toSite) throw new Error(decision.kind);
    expect(JSON.parse(decision.toSite.body)).toMatchObject({
      merged_into_key: 'key-8',
      merged_into_instance: target.instance,
    });
  });

  test('a carried decision answers with its id', () => {
    const decision = decide({}, carried);
    if (decision.kind !== 'written') throw new Error(decision.kind);
    expect([
      decision.verdict.decisionId,
      decision.change.decisionId,
      bodyOf(decision.change).decision_id,
    ]).toEqual(['d-1', 'd-1', 'd-1']);
  });

  test.each<[string, Partial<SeenForVerdict>, Partial<WriteVerdict>]>([
    ['no event', { event: null }, { tenantCode: 'acme' }],
    ['standing verdict', { prior: PRIOR }, {}],
    ['bad target', {}, merge],
  ])('what cannot be carried out is answered: %s', (_, seen, over) => {
    const decision = decide(seen, { ...over, ...carried });
    if (!('change' in decision) || !decision.change) throw new Error(decision.kind);
    expect(decision.change).toMatchObject({
      kind: 'decision_refused',
      decisionId: 'd-1',
      tenantCode: 'acme',
      eventId: seen.event === null ? 0 : 7,
    });
    expect(bodyOf(decision.change)).toMatchObject({
      decision_id: 'd-1',
      at: NOW,
      reason: expect.any(String) as string,
    });
    expect(decide(seen, over)).toMatchObject({ change: null });
  });

  test('unchanged is audited with both values', () => {
    const decision = decide({ prior: PRIOR }, { by: 'wu', verdict: 'false_alarm' });
    expect(decision).toMatchObject({
      kind: 'unchanged',
      verdict: PRIOR,
      audit: {
        action: 'verdict.refused',
        subject: 'event:7',
        after: { standing: 'confirmed', refused: 'false_alarm', by: 'wu' },
      },
    });
  });
});

describe('decideCorrection', () => {
  const decide = (seen: Partial<SeenForCorrection>, over: Partial<WriteCorrection> = {}) =>
    decideCorrection(
      { event: EVENT, prior: PRIOR, same: null, target: null, answered: false, ...seen },
      correctionOn(7, 'c-1', over),
      stamp(),
    );
  const merge = { verdict: 'merged', mergedInto: 8 } as const;
  const byIdentity = {
    verdict: 'merged',
    mergedInto: null,
    target: { key: 'key-8', instance: 'site-9' },
  } as const;

  test.each<[string, Partial<SeenForCorrection>, Partial<WriteCorrection>, string]>([
    ['first correction', {}, {}, 'written'],
    ['merge into a neighbour', { target: TARGET }, merge, 'written'],
    ['answered before everything', { event: null, same: SAME, answered: true }, {}, 'answered'],
    ['no event', { event: null }, { tenantCode: 'other' }, 'no_event'],
    ['merge into an event of another site, by its identity', {}, byIdentity, 'written'],
    [
      'merge into an event of ours that is no longer kept',
      {},
      { ...byIdentity, target: { key: 'gone', instance: null } },
      'written',
    ],
    [
      'merge into an event of another site that has our key',
      {},
      { ...byIdentity, target: { key: 'key-7', instance: 'site-9' } },
      'written',
    ],
    [
      'merge into itself, by its identity',
      {},
      { ...byIdentity, target: { key: 'key-7', instance: null } },
      'bad_target',
    ],
    ['another tenant', {}, { tenantCode: 'other' }, 'tenant_mismatch'],
    ['another tenant before the replay', { same: SAME }, { tenantCode: 'other' }, 'tenant_mismatch'],
    ['the same id', { same: SAME }, {}, 'replayed'],
    ['nothing to correct', { prior: null }, {}, 'no_verdict'],
    ['merge into a missing event', {}, merge, 'bad_target'],
    ['merge into itself', { target: EVENT }, { verdict: 'merged', mergedInto: 7 }, 'bad_target'],
    ['merge into another tenant', { target: record(8, { tenantCode: 'other' }) }, merge, 'bad_target'],
  ])('%s', (_, seen, over, kind) => expect(decide(seen, over).kind).toBe(kind));

  test('written: record, change and audit say the same at the same time', () => {
    const decision = decide({ event: CAMERA });
    if (decision.kind !== 'written') throw new Error(decision.kind);
    expect(decision.correction).toEqual({ ...SAME, by: 'wang', note: 'a shadow', at: NOW });
    expect(decision.change).toMatchObject({
      eventId: 7,
      tenantCode: 'acme',
      kind: 'correction',
      decisionId: null,
    });
    expect(bodyOf(decision.change)).toEqual({
      event_key: 'key-7',
      at: NOW,
      id: 'c-1',
      verdict: 'false_alarm',
      by: 'wang',
      by_kind: 'human',
      note: 'a shadow',
      merged_into_key: null,
      decision_id: null,
    });
    expect(decision.audit).toMatchObject({
      action: 'verdict.corrected',
      subject: 'event:7',
      after: decision.correction,
    });
    expect(decision.feedback).toMatchObject({ kind: 'correction', eventId: 7 });
    expect(decision.toSite).toBeNull();
  });

  test('on an event of a site it travels under its own id', () => {
    const decision = decide({ event: REMOTE });
    if (decision.kind !== 'written' || !decision.toSite) throw new Error(decision.kind);
    expect(decision.toSite).toMatchObject({ instance: 'site-9', decisionId: 'c-1' });
    expect(JSON.parse(decision.toSite.body)).toMatchObject({
      kind: 'correction',
      id: 'c-1',
      decision_id: 'c-1',
    });
    expect(decision.feedback).toBeNull();
  });

  test.each<[string, Partial<SeenForCorrection>, Partial<WriteCorrection>]>([
    ['no event', { event: null }, { tenantCode: 'acme' }],
    ['nothing to correct', { prior: null }, {}],
    ['bad target', {}, merge],
  ])('what cannot be carried out is answered: %s', (_, seen, over) => {
    const decision = decide(seen, { ...over, decisionId: 'c-1' });
    if (!('change' in decision) || !decision.change) throw new Error(decision.kind);
    expect(decision.change).toMatchObject({
      kind: 'decision_refused',
      decisionId: 'c-1',
      tenantCode: 'acme',
    });
    expect(decide(seen, over)).toMatchObject({ change: null });
  });
});
