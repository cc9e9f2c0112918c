// Any interleaving of what may be done to incident groups, through both stores and a model: every answer and
// every group must be the same three times, no event is in two groups of a layer, facts are those of the
// members, and closed groups are closed.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stampOf } from '../../common/clock.ts';
import type { NewEvent } from '../../common/core/event/record.ts';
import { severities } from '../../common/core/event/schema.ts';
import { incidentLayers } from '../../common/core/incident/schema.ts';
import type { Stores } from '../../common/core/stores.ts';
import { SECOND, TEST_START, TestClock } from '../support/clock.ts';
import { hubHarness } from '../support/hub-harness.ts';
import { siteHarness } from '../support/site-harness.ts';
import { by, checkIncidents, groupOf } from './incident-check.ts';
import { IncidentModel, type IncidentStep } from './incident-model.ts';
import { newEvent } from './samples.ts';

const EVENTS = 14;
const SOURCE_KEYS = ['k1', 'k2', 'k3', 'k4', 'k5'];
const pick = fc.nat(1_000);
const eventIds = fc.uniqueArray(fc.integer({ min: 1, max: EVENTS }), { minLength: 1, maxLength: 5 });

const event = fc.record({
  occurredAt: fc.option(
    fc.integer({ min: 0, max: 5 }).map((n) => TEST_START - n * SECOND),
    { nil: null, freq: 6 },
  ),
  type: fc.constantFrom('b.x', 'a.x', 'c'),
  source: fc.constantFrom('video', 'quick_photo'),
  severity: fc.option(fc.constantFrom(...severities), { nil: null }),
  isTest: fc.boolean(),
  tenantCode: fc.nat(9).map((n) => (n === 0 ? 'other' : 'acme')),
});

/** A step whose numbers mean groups and members that are there, unless it is wild. */
const draft = fc.record({
  op: fc.constantFrom(
    'upsert',
    'upsert',
    'upsert',
    'confirm',
    'split',
    'split',
    'merge',
    'merge',
    'unmerge',
    'unmerge',
    'forget',
  ),
  tenantCode: fc.nat(9).map((n) => (n === 0 ? 'other' : n === 1 ? 'acme' : null)),
  wild: fc.nat(9).map((n) => n === 0),
  group: pick,
  others: fc.uniqueArray(pick, { minLength: 1, maxLength: 2 }),
  eventIds,
});
type Draft = typeof draft extends fc.Arbitrary<infer D> ? D : never;

const plays = fc.record({
  events: fc
    .array(event, { minLength: EVENTS, maxLength: EVENTS })
    .map((all) => all.map((over, index) => newEvent(`k${index}`, over))),
  drafts: fc.array(draft, { minLength: 20, maxLength: 60, size: 'max' }),
});

const DONE = [
  'upsert upserted',
  'confirm confirmed',
  'split split',
  'merge merged',
  'unmerge unmerged',
  'unmerge members_gone',
  'forget ',
];

const nth = <T>(all: readonly T[], index: number): T | undefined => all[index % Math.max(all.length, 1)];

function stepOf(one: Draft, events: readonly NewEvent[], { groups }: IncidentModel): IncidentStep {
  const { op, tenantCode, wild } = one;
  const fitting = groups.filter(({ record }) => (op === 'unmerge') === (record.state === 'closed'));
  const group = nth(fitting, one.group);
  const id = wild ? (one.group % 9) + 1 : (group?.record.id ?? 1);
  switch (op) {
    case 'upsert': {
      const tenant = tenantCode ?? 'acme';
      const sourceKey = nth(SOURCE_KEYS, one.group) ?? '';
      const layer = wild ? (nth(incidentLayers, one.group) ?? 'L1') : sourceKey === 'k5' ? 'L3' : 'L1';
      const own = one.eventIds.filter((eventId) => wild || events[eventId - 1]?.tenantCode === tenant);
      return { op, tenantCode: tenant, sourceKey, layer, eventIds: own.length > 0 ? own : one.eventIds };
    }
    case 'split': {
      const rows = [...(group?.rows ?? [])];
      const members = [...new Set(one.others.flatMap((index) => nth(rows, index) ?? []))];
      return { op, id, tenantCode, eventIds: wild || members.length === 0 ? one.eventIds : members };
    }
    case 'merge': {
      const like = fitting.filter(
        ({ record }) =>
          record.id !== id &&
          record.layer === group?.record.layer &&
          record.tenantCode === group.record.tenantCode,
      );
      const ids =
        wild || like.length === 0
          ? one.others.map((index) => (index % 9) + 1)
          : one.others.flatMap((index) => nth(like, index)?.record.id ?? []);
      return { op, id, tenantCode, incidentIds: [...new Set(ids)] };
    }
    case 'forget':
      return { op, eventIds: one.eventIds };
    case 'confirm':
    case 'unmerge':
      return { op, id, tenantCode };
    default:
      throw new Error(`no step ${op}`);
  }
}

async function perform(stores: Stores, clock: TestClock, one: IncidentStep): Promise<unknown> {
  const { incidents } = stores;
  const stamp = stampOf(clock);
  switch (one.op) {
    case 'upsert':
      return incidents.upsert(
        groupOf(one.sourceKey, one.eventIds, { tenantCode: one.tenantCode, layer: one.layer }),
        stamp,
      );
    case 'confirm':
      return incidents.confirm(by(one.id, { tenantCode: one.tenantCode }), stamp);
    case 'split':
      return incidents.split(
        { ...by(one.id, { tenantCode: one.tenantCode }), eventIds: one.eventIds },
        stamp,
      );
    case 'merge':
      return incidents.merge(
        { ...by(one.id, { tenantCode: one.tenantCode }), incidentIds: one.incidentIds },
        stamp,
      );
    case 'unmerge':
      return incidents.unmerge(by(one.id, { tenantCode: one.tenantCode }), stamp);
    case 'forget':
      return incidents.forgetEvents(one.eventIds, stamp);
  }
}

/** What is named in the order of rows is named in no order. */
function settled(outcome: unknown): unknown {
  const { elsewhere } = outcome as { elsewhere?: { eventId: number }[] };
  return elsewhere
    ? { ...(outcome as object), elsewhere: elsewhere.toSorted((a, b) => a.eventId - b.eventId) }
    : outcome;
}

function modelOf(events: readonly NewEvent[]): IncidentModel {
  return new IncidentModel(
    events.map(({ tenantCode, type, source, severity, isTest, occurredAt }, index) => ({
      eventId: index + 1,
      at: occurredAt ?? TEST_START,
      type,
      source,
      severity,
      isTest,
      tenantCode,
    })),
  );
}

test('both stores answer and hold the same as each other and as the model', async () => {
  const met = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(plays, async ({ events, drafts }) => {
      const harnesses = [siteHarness(), hubHarness()];
      const clock = new TestClock();
      try {
        const both = [];
        for (const harness of harnesses) both.push(await harness.open(clock));
        for (const stores of both) await stores.events.ingest(events, TEST_START);
        const model = modelOf(events);
        for (const each of drafts) {
          clock.advance(SECOND);
          const one = stepOf(each, events, model);
          const expected = structuredClone(model.perform(one, clock.now()));
          const kind = `${one.op} ${(expected as { kind?: string }).kind ?? ''}`;
          met.set(kind, (met.get(kind) ?? 0) + 1);
          for (const stores of both)
            expect(settled(await perform(stores, clock, one)), JSON.stringify(one)).toEqual(expected);
        }
        for (const stores of both) {
          const all = await checkIncidents(stores);
          expect(all.map(({ incident }) => incident)).toEqual(
            model.groups.map(({ record }) => record).sort((a, b) => a.id - b.id),
          );
          expect(
            all.map(({ members }) => members.map(({ member }) => member.eventId).sort((a, b) => a - b)),
          ).toEqual(
            model.groups
              .toSorted((a, b) => a.record.id - b.record.id)
              .map(({ rows }) => [...rows].sort((a, b) => a - b)),
          );
        }
      } finally {
        for (const harness of harnesses) await harness.close();
      }
    }),
    { numRuns: 25, endOnFailure: true },
  );
  // The commands meet often enough that something was really done.
  for (const kind of DONE) expect(met.get(kind) ?? 0, kind).toBeGreaterThan(0);
}, 600_000);
