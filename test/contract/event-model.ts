// What lists and statistics must say, found by looking at every event.
import type { EventFilter } from '../../common/core/event/port.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import { byCount, EventTally } from '../../common/core/stats/decide.ts';
import type { StatsQuery } from '../../common/core/stats/port.ts';
import type { EventCount } from '../../common/core/stats/record.ts';
import type { Stores } from '../../common/core/stores.ts';

export const allEvents = (stores: Stores): Promise<EventRecord[]> => stores.events.page(0, 100_000);

export function plainList(
  events: readonly EventRecord[],
  filter: EventFilter,
  before: number | null,
  limit: number,
): number[] {
  return events
    .filter((event) => matches(event, filter) && (before === null || event.id < before))
    .map(({ id }) => id)
    .reverse()
    .slice(0, limit);
}

function matches(event: EventRecord, filter: EventFilter): boolean {
  const doc = JSON.parse(event.doc) as { siteRef?: string; cameraRef?: string };
  const equal = (wanted: unknown, is: unknown): boolean => wanted === undefined || wanted === is;
  const { occurredAt } = event;
  return (
    (filter.tenantCode === null || filter.tenantCode === event.tenantCode) &&
    (filter.includeTest || !event.isTest) &&
    equal(filter.type, event.type) &&
    (filter.severities === undefined || filter.severities.includes(event.severity ?? 'medium')) &&
    equal(filter.kind, event.kind) &&
    equal(filter.source, event.source) &&
    equal(filter.instance, event.instance) &&
    (filter.instances === undefined || (event.instance !== null && filter.instances.has(event.instance))) &&
    equal(filter.verdict, event.verdict ?? 'none') &&
    equal(filter.correctedTo, event.correctedTo ?? 'none') &&
    equal(filter.standing, event.correctedTo ?? event.verdict ?? 'none') &&
    equal(filter.siteRef, doc.siteRef) &&
    equal(filter.cameraRef, doc.cameraRef) &&
    (filter.since === undefined || (occurredAt !== null && occurredAt >= filter.since)) &&
    (filter.until === undefined || (occurredAt !== null && occurredAt < filter.until))
  );
}

export async function plainCount(
  stores: Stores,
  events: readonly EventRecord[],
  { tenantCode, since, until }: StatsQuery,
): Promise<{ events: EventCount[]; undated: EventCount[] }> {
  const [dated, undated] = [new EventTally(), new EventTally()];
  for (const event of events) {
    const { occurredAt } = event;
    if (event.tenantCode !== tenantCode) continue;
    if (occurredAt !== null && (occurredAt < since || occurredAt >= until)) continue;
    const tally = occurredAt === null ? undated : dated;
    const verdict = await stores.verdicts.get(event.id);
    const judged =
      verdict?.judged ?? (JSON.parse(event.doc) as { judged?: { type?: string } }).judged ?? null;
    const severity = event.severity ?? 'medium';
    const judgedType = judged?.type ?? null;
    tally.add({ ...event, severity, test: event.isTest, judged: judged !== null, judgedType }, 1);
  }
  return { events: byCount(dated.take()), undated: byCount(undated.take()) };
}
