// What holds of incident groups at any time, checked through the port with nothing of what the stores decide
// by.
import { expect } from 'vitest';
import type {
  IncidentCommand,
  IncidentDetail,
  IncidentMember,
  IncidentRecord,
  UpsertIncident,
} from '../../common/core/incident/record.ts';
import { incidentStates } from '../../common/core/incident/schema.ts';
import type { Stores } from '../../common/core/stores.ts';
import { SECOND, TEST_START } from '../support/clock.ts';
import type { Bench } from './harness.ts';
import { newEvent, range } from './samples.ts';

const RANKS = ['low', 'medium', 'high', 'critical'];

export function groupOf(
  sourceKey: string,
  eventIds: readonly number[],
  over: Partial<UpsertIncident> = {},
): UpsertIncident {
  return {
    tenantCode: 'acme',
    sourceKey,
    layer: 'L1',
    siteRef: 'site-a',
    pointRef: null,
    title: null,
    eventIds,
    actor: 'agent',
    ...over,
  };
}

export const by = (id: number, over: Partial<IncidentCommand> = {}): IncidentCommand => ({
  id,
  tenantCode: null,
  by: 'li',
  note: null,
  actor: 'user:li',
  ...over,
});

/** Events 1 to `count`, one second after another, with what `over` says of each. */
export async function fill(
  bench: Bench,
  count: number,
  over: (index: number) => Parameters<typeof newEvent>[1] = () => ({}),
): Promise<number[]> {
  const { events } = bench.stores;
  const highWaterMark = (await events.bounds()).highWaterMark;
  const results = await events.ingest(
    range(count, (i) =>
      newEvent(`k${highWaterMark + i}`, {
        occurredAt: TEST_START + (highWaterMark + i) * SECOND,
        ...over(i),
      }),
    ),
    TEST_START,
  );
  return results.map(({ id }) => id);
}

export async function upserted(bench: Bench, command: UpsertIncident): Promise<IncidentRecord> {
  const outcome = await bench.stores.incidents.upsert(command, bench.stamp());
  if (outcome.kind !== 'upserted') throw new Error(`not written back: ${outcome.kind}`);
  return outcome.incident;
}

export const at = (id: number): number => TEST_START + (id - 1) * SECOND;

/** Every group with all its members, by id. */
export async function everyIncident(stores: Stores): Promise<IncidentDetail[]> {
  const all = await Promise.all(
    incidentStates.map((state) =>
      stores.incidents.list({ tenantCode: null, state, includeTest: true }, null, 10_000),
    ),
  );
  const details = await Promise.all(all.flat().map(({ id }) => stores.incidents.detail(id, null, 10_000)));
  return details.flatMap((detail) => detail ?? []).sort((a, b) => a.incident.id - b.incident.id);
}

export function factsFrom(
  layer: string,
  members: readonly Pick<IncidentMember, 'eventId' | 'at' | 'type' | 'source' | 'severity' | 'isTest'>[],
) {
  const [first] = members.toSorted((a, b) => a.at - b.at || a.eventId - b.eventId);
  return {
    firstAt: first?.at,
    lastAt: Math.max(...members.map(({ at }) => at)),
    eventTypes: [...new Set(members.map(({ type }) => type))].sort(),
    sources: [...new Set(members.map(({ source }) => source))].sort(),
    severity: RANKS[Math.max(...members.map(({ severity }) => RANKS.indexOf(severity ?? 'medium')))],
    memberCount: members.length,
    testMemberCount: members.filter(({ isTest }) => isTest).length,
    isTest: members.every(({ isTest }) => isTest),
    firstEventId: layer === 'L3' ? null : first?.eventId,
    firstEventAt: layer === 'L3' ? null : first?.at,
  };
}

function checkFacts(incident: IncidentRecord, members: IncidentMember[]): void {
  if (members.length === 0) {
    expect(incident).toMatchObject({ memberCount: 0, testMemberCount: 0 });
    return;
  }
  const { firstEventId, firstEventAt, isTest, ...facts } = factsFrom(incident.layer, members);
  expect(incident).toMatchObject(facts);
  if (!incident.firstLocked) expect(incident).toMatchObject({ firstEventId, firstEventAt });
  if (incident.confirmedAt !== null) return;
  // A group that retention emptied once stays what it was: no test, whatever came into it afterwards.
  if (!incident.firstLocked) expect(incident.isTest).toBe(isTest);
  else if (!isTest) expect(incident.isTest).toBe(false);
}

/**
 * @throws where an event has two groups in a layer, facts are not those of the members, or a closed group is
 * not closed
 */
export async function checkIncidents(stores: Stores): Promise<IncidentDetail[]> {
  const all = await everyIncident(stores);
  const places = new Set<string>();
  for (const { incident, wentTo, members } of all) {
    const rows = members.map(({ member }) => member);
    checkFacts(incident, rows);
    const closed = incident.state === 'closed';
    expect(rows.every(({ live }) => live === !closed)).toBe(true);
    expect([incident.mergedInto !== null, incident.stateBefore !== null, incident.closedAt !== null]).toEqual(
      [closed, closed, closed],
    );
    if (closed)
      expect(all.find((one) => one.incident.id === wentTo)?.incident.state).toMatch(/auto|confirmed|split/);
    for (const { eventId, layer } of rows.filter(({ live }) => live)) {
      expect(places.has(`${eventId} ${layer}`), `event ${eventId} in two groups of ${layer}`).toBe(false);
      places.add(`${eventId} ${layer}`);
    }
  }
  return all;
}
