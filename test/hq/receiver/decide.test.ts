// Which batches the receiver takes, and what it makes of a site's verdict changes.
import { describe, expect, test } from 'vitest';
import { eventKey } from '../../../common/core/event/port.ts';
import type { VerdictRecord } from '../../../common/core/verdict/record.ts';
import type { JudgementItem } from '../../../common/uplink/change/judgement.ts';
import { decidePosition } from '../../../hq/receiver/decide.ts';
import type { KnownDecision, SeenForJudgements } from '../../../hq/receiver/judgement-plan.ts';
import { planJudgements } from '../../../hq/receiver/judgements.ts';
import type { DecisionState } from '../../../hq/receiver/port.ts';

describe('the position of a batch', () => {
  const head = (from: number, to: number, newest: number, oldest = 1) => ({
    instance: 'site-1',
    epoch: 'e',
    version: '1',
    from,
    to,
    head: newest,
    oldest,
    held: null,
    at: null,
  });
  test.each([
    ['the first of a new epoch', 0, head(0, 5, 9), { kind: 'in_step', cursor: 5, gap: null }],
    ['the next', 5, head(5, 9, 9), { kind: 'in_step', cursor: 9, gap: null }],
    ['an empty one', 9, head(9, 9, 9), { kind: 'in_step', cursor: 9, gap: null }],
    ['one sent again', 9, head(5, 9, 9), { kind: 'in_step', cursor: 9, gap: null }],
    [
      'an older one does not move the position down',
      9,
      head(2, 4, 9),
      { kind: 'in_step', cursor: 9, gap: null },
    ],
    [
      'the next, of a log of which the site has deleted what was sent before this store was put back',
      5,
      head(5, 12, 12, 10),
      { kind: 'in_step', cursor: 12, gap: { from: 6, to: 9 } },
    ],
    [
      'single items of such a log once more',
      5,
      head(5, 5, 12, 10),
      { kind: 'in_step', cursor: 5, gap: null },
    ],
    ['one beyond what is held', 5, head(7, 9, 9), { kind: 'cursor_ahead', known: 5 }],
    ['one of a new epoch that does not begin at 0', 0, head(7, 9, 9), { kind: 'cursor_ahead', known: 0 }],
    [
      'one beyond, of which the site still keeps a part',
      5,
      head(9, 12, 12, 8),
      { kind: 'cursor_ahead', known: 5 },
    ],
    [
      'one beyond, where just the next is kept',
      5,
      head(5, 12, 12, 6),
      { kind: 'in_step', cursor: 12, gap: null },
    ],
    [
      'one that begins with the oldest that is kept',
      5,
      head(7, 12, 12, 8),
      { kind: 'in_step', cursor: 12, gap: { from: 6, to: 7 } },
    ],
    ['a site that was set back', 9, head(3, 4, 4), { kind: 'sender_rolled_back', known: 9 }],
    ['a site that was emptied', 9, head(0, 0, 0), { kind: 'sender_rolled_back', known: 9 }],
    ['one whose predecessor is on its way', 5, { ...head(7, 9, 9), held: 5 }, { kind: 'early', known: 5 }],
    [
      'one whose predecessor is on its way and no longer kept at the site',
      5,
      { ...head(7, 9, 9, 8), held: 5 },
      { kind: 'early', known: 5 },
    ],
    [
      'one whose predecessor has come',
      7,
      { ...head(7, 9, 9), held: 5 },
      { kind: 'in_step', cursor: 9, gap: null },
    ],
    [
      'one whose predecessor stands beyond what is held',
      3,
      { ...head(7, 9, 9), held: 5 },
      { kind: 'cursor_ahead', known: 3 },
    ],
  ])('%s', (_name, known, batch, expected) => {
    expect(decidePosition(known, batch)).toEqual(expected);
  });
});

const standing = (more: Partial<VerdictRecord> = {}): VerdictRecord => ({
  eventId: 1,
  tenantCode: 'acme',
  verdict: 'confirmed',
  by: 'op',
  byKind: 'human',
  note: null,
  mergedInto: null,
  mergedIntoKey: null,
  mergedIntoInstance: null,
  judged: null,
  disposition: null,
  at: 50,
  decisionId: null,
  ...more,
});
const ofHeadquarters = standing({ by: 'hq', at: 40, decisionId: 'd1' });
const decision = (id: string, state: DecisionState): KnownDecision => ({
  id,
  tenantCode: 'acme',
  eventId: 1,
  state,
});
type Body = Record<string, unknown>;
const verdictItem = (body: Body = {}, more: Body = {}) =>
  ({
    change_no: 7,
    at: 60,
    tenant_code: 'acme',
    kind: 'verdict',
    body: {
      event_key: 'k',
      at: 50,
      verdict: 'confirmed',
      by: 'op',
      by_kind: 'human',
      note: null,
      decision_id: null,
      ...body,
    },
    ...more,
  }) as JudgementItem;
const correctionItem = (body: Body = {}) =>
  ({
    change_no: 8,
    at: 61,
    tenant_code: 'acme',
    kind: 'correction',
    body: {
      event_key: 'k',
      at: 51,
      id: 'c1',
      verdict: 'false_alarm',
      by: 'op',
      by_kind: 'human',
      note: 'dog',
      ...body,
    },
  }) as JudgementItem;
const refusal = (id: string) =>
  ({
    change_no: 9,
    at: 62,
    tenant_code: '',
    kind: 'decision_refused',
    body: { event_key: '', at: 52, decision_id: id, reason: 'gone' },
  }) as JudgementItem;

const EVENTS = new Map(
  [
    { key: 'k', id: 1, instance: 'site-1' },
    { key: 'm', id: 2, instance: 'site-1' },
    { key: 'theirs', id: 3, instance: 'site-2' },
    { key: 'ours', id: 4, instance: null },
    { key: 'before', id: 5, instance: 'site-0' },
  ].map(({ key, ...event }) => [eventKey('acme', key), event]),
);

interface World {
  verdict?: VerdictRecord;
  decisions?: KnownDecision[];
  corrections?: string[];
}

function plan(items: JudgementItem[], world: World = {}) {
  const seen: SeenForJudgements = {
    instance: 'site-1',
    owned: new Set(['site-1', 'site-0']),
    tenants: new Set(['acme']),
    events: EVENTS,
    verdicts: new Map(world.verdict ? [[world.verdict.eventId, world.verdict]] : []),
    corrections: new Map((world.corrections ?? []).map((id) => [eventKey('acme', id), 1])),
    decisions: new Map((world.decisions ?? []).map((one) => [one.id, one])),
  };
  let ids = 0;
  const made = planJudgements(seen, items, { now: 1000, newId: () => `id${++ids}` });
  return {
    made,
    short: {
      accepted: made.accepted,
      duplicates: made.duplicates,
      rejected: made.rejected.map((one) => `${one.originId} ${one.error}`),
      verdicts: made.verdicts.map((one) => `${one.verdict} by ${one.by}`),
      corrections: made.corrections.map((one) => one.correction.id),
      audit: made.audit.map((one) => one.action),
      settled: made.settled.map((one) => `${one.decision.id} ${one.state}`),
    },
  };
}

const nothing = {
  accepted: 0,
  duplicates: 0,
  rejected: [],
  verdicts: [],
  corrections: [],
  audit: [],
  settled: [],
};
const stored = { ...nothing, accepted: 1, verdicts: ['confirmed by op'], audit: ['verdict.written'] };
const replaced = { ...stored, audit: ['verdict.replaced_by_site'], settled: ['d1 lost'] };
const duplicate = { ...nothing, duplicates: 1 };
const foreign = { ...nothing, audit: ['verdict.refused_foreign'] };

describe('a verdict change', () => {
  test.each<[string, JudgementItem[], World, object]>([
    [
      "of a tenant that is not the site's",
      [verdictItem({}, { tenant_code: 'other' })],
      {},
      { ...nothing, rejected: ['7 tenant_not_allowed'] },
    ],
    [
      'of an unknown event',
      [verdictItem({ event_key: 'x' })],
      {},
      { ...nothing, rejected: ['7 event_unknown'] },
    ],
    ['the first verdict', [verdictItem()], {}, stored],
    ['the same verdict again', [verdictItem()], { verdict: standing() }, duplicate],
    ['twice in one batch', [verdictItem(), verdictItem()], {}, { ...stored, duplicates: 1 }],
    [
      'another verdict of the site',
      [verdictItem({ verdict: 'false_alarm', note: 'dog' })],
      { verdict: standing() },
      { ...nothing, rejected: ['7 verdict_conflict'] },
    ],
    [
      'the site carried out the decision',
      [verdictItem({ decision_id: 'd1', by: 'hq' })],
      { verdict: ofHeadquarters, decisions: [decision('d1', 'pending')] },
      { ...duplicate, settled: ['d1 applied'] },
    ],
    [
      'and tells so again',
      [verdictItem({ decision_id: 'd1', by: 'hq' })],
      { verdict: ofHeadquarters, decisions: [decision('d1', 'applied')] },
      duplicate,
    ],
    [
      'the site was first',
      [verdictItem()],
      { verdict: ofHeadquarters, decisions: [decision('d1', 'pending')] },
      replaced,
    ],
    [
      'the site was first, and refuses later',
      [verdictItem(), refusal('d1')],
      { verdict: ofHeadquarters, decisions: [decision('d1', 'pending')] },
      { ...replaced, duplicates: 1 },
    ],
    [
      "the refusal overtook the site's verdict",
      [verdictItem()],
      { verdict: ofHeadquarters, decisions: [decision('d1', 'lost')] },
      { ...replaced, settled: [] },
    ],
    [
      'after the decision was carried out',
      [verdictItem()],
      { verdict: ofHeadquarters, decisions: [decision('d1', 'applied')] },
      { ...nothing, rejected: ['7 verdict_conflict'] },
    ],
    [
      'a correction',
      [correctionItem()],
      { verdict: standing() },
      { ...nothing, accepted: 1, corrections: ['c1'], audit: ['verdict.corrected'] },
    ],
    [
      'a correction right after its verdict',
      [verdictItem(), correctionItem()],
      {},
      { ...stored, accepted: 2, corrections: ['c1'], audit: ['verdict.written', 'verdict.corrected'] },
    ],
    ['a known correction', [correctionItem()], { verdict: standing(), corrections: ['c1'] }, duplicate],
    [
      'the site carried out a correction',
      [correctionItem({ decision_id: 'c1' })],
      { verdict: standing(), corrections: ['c1'], decisions: [decision('c1', 'pending')] },
      { ...duplicate, settled: ['c1 applied'] },
    ],
    ['a correction of nothing', [correctionItem()], {}, { ...nothing, rejected: ['8 verdict_unknown'] }],
    [
      'a refusal',
      [refusal('d1')],
      { verdict: ofHeadquarters, decisions: [decision('d1', 'pending')] },
      { ...nothing, accepted: 1, audit: ['decision.refused'], settled: ['d1 refused'] },
    ],
    ['a refusal again', [refusal('d1')], { decisions: [decision('d1', 'refused')] }, duplicate],
    [
      'a refusal after the race was lost',
      [refusal('d1')],
      { decisions: [decision('d1', 'lost')] },
      duplicate,
    ],
    [
      'what was refused, carried out after all',
      [verdictItem({ decision_id: 'd1', by: 'hq' })],
      { verdict: ofHeadquarters, decisions: [decision('d1', 'refused')] },
      { ...duplicate, settled: ['d1 applied'] },
    ],
    [
      'a verdict on an event of another site',
      [verdictItem({ event_key: 'theirs' })],
      {},
      { ...foreign, rejected: ['7 event_of_another_instance'] },
    ],
    [
      'a verdict on an event of headquarters',
      [verdictItem({ event_key: 'ours' })],
      {},
      { ...foreign, rejected: ['7 event_of_another_instance'] },
    ],
    [
      'a correction of an event of another site',
      [correctionItem({ event_key: 'theirs' })],
      { verdict: standing({ eventId: 3 }) },
      { ...foreign, rejected: ['8 event_of_another_instance'] },
    ],
    [
      'what stands on an event of another site',
      [verdictItem({ event_key: 'theirs' })],
      { verdict: standing({ eventId: 3 }) },
      duplicate,
    ],
    ['a verdict on an event of a site that this one was', [verdictItem({ event_key: 'before' })], {}, stored],
    [
      "a correction under the id of another event's",
      [correctionItem({ event_key: 'm' })],
      { verdict: standing({ eventId: 2 }), corrections: ['c1'] },
      { ...nothing, rejected: ['8 correction_conflict'] },
    ],
    [
      'an answer that cannot be taken',
      [verdictItem({ decision_id: 'd1', event_key: 'x' })],
      { verdict: ofHeadquarters, decisions: [decision('d1', 'pending')] },
      { ...nothing, rejected: ['7 event_unknown'], audit: ['decision.refused'], settled: ['d1 refused'] },
    ],
    ['a refusal of a decision that is not known', [refusal('d9')], {}, duplicate],
  ])('%s', (_name, items, world, expected) => {
    const { made, short } = plan(items, world);
    expect(short).toEqual(expected);
    // Each stored or placed item leaves one entry in the change log; a refusal changes no verdict.
    expect(made.changes).toHaveLength(made.verdicts.length + made.corrections.length + made.placed.length);
  });

  test("keeps the site's time, and the key of an event merged into that is not known", () => {
    const { made } = plan([verdictItem({ verdict: 'merged', merged_into_key: 'gone' })]);
    expect(made.verdicts).toMatchObject([
      { at: 50, mergedInto: null, mergedIntoKey: 'gone', mergedIntoInstance: 'site-1' },
    ]);
    expect(made.audit).toMatchObject([
      { actor: 'site:site-1', subject: 'event:1', at: 1000, after: { mergedIntoKey: 'gone' } },
    ]);
    expect(plan([verdictItem({ verdict: 'merged', merged_into_key: 'm' })]).made.verdicts).toMatchObject([
      { mergedInto: 2 },
    ]);
  });

  test.each<[string, string, string | null, object]>([
    ['of this site', 'm', 'site-1', { mergedInto: 2, mergedIntoInstance: 'site-1' }],
    ['of another site', 'theirs', 'site-2', { mergedInto: 3, mergedIntoInstance: 'site-2' }],
    ['of headquarters', 'ours', null, { mergedInto: 4, mergedIntoInstance: null }],
    ['of a site that this one was', 'before', 'site-1', { mergedInto: 5, mergedIntoInstance: 'site-0' }],
    [
      'of this site, whose key another site has used',
      'theirs',
      'site-1',
      { mergedInto: null, mergedIntoInstance: 'site-1' },
    ],
  ])('finds an event merged into %s', (_, key, from, target) => {
    const { made } = plan([
      verdictItem({ verdict: 'merged', merged_into_key: key, merged_into_instance: from }),
    ]);
    expect(made.verdicts).toMatchObject([{ mergedIntoKey: key, ...target }]);
  });

  test('that replaces a verdict of headquarters shows both in the audit', () => {
    const { made } = plan([verdictItem()], {
      verdict: ofHeadquarters,
      decisions: [decision('d1', 'pending')],
    });
    expect(made.audit).toMatchObject([{ before: { by: 'hq' }, after: { by: 'op' } }]);
    expect(made.settled).toMatchObject([{ note: 'the site had judged confirmed by op' }]);
  });
});
