// Counted from the groups that the index of events keeps: which of them are asked for is decided once, and
// Postgres sums the rest.
import { entryOf, groupOf, type IndexedRow, type PlaceKey } from '../../../common/core/event/index/entry.ts';
import { HOUR_MS, partsOf, startOf, type TimeSpan } from '../../../common/core/event/index/window.ts';
import type { EventGroup } from '../../../common/core/stats/record.ts';
import type { Ask } from '../../store/event-index/moment.ts';
import { uncounted } from '../../store/event-index/uncounted.ts';
import { isCounted, standingOf, StandingTally } from '../decide.ts';
import type { StatisticsQuery } from '../port.ts';
import type { CameraCount, HourCount, Standing } from '../record.ts';

/** Groups that are asked for, and how their events stand; each a column of `k (id, standing)`. */
type Groups = [ids: number[], standings: Standing[]];
const AS_GROUPS = 'unnest($2::integer[], $3::text[]) as k (id, standing)';

async function groupsOf(ask: Ask, query: StatisticsQuery): Promise<Groups> {
  const known = await ask<EventGroup & { id: number }>(
    `select id, source, kind, type, verdict, corrected_to as "correctedTo", is_test as test, judged,
       judged_type as "judgedType", severity, instance from event_groups where tenant_code = $1`,
    [query.tenantCode],
  );
  const groups = known.filter((group) => isCounted(group, query));
  return [groups.map(({ id }) => id), groups.map(standingOf)];
}

/** Puts right what the index does not count as it is now. */
async function putRight(
  ask: Ask,
  query: StatisticsQuery,
  tally: StandingTally,
  keyOf: (row: IndexedRow & { at: number }) => string,
): Promise<void> {
  for await (const { was, at, ...row } of uncounted(ask, query)) {
    if (at === null) continue;
    const key = keyOf({ ...row, at });
    if (was !== null && isCounted(was, query)) tally.add(key, standingOf(was), -1);
    const group = groupOf(row);
    if (isCounted(group, query)) tally.add(key, standingOf(group), 1);
  }
}

export async function hoursIn(ask: Ask, query: StatisticsQuery): Promise<HourCount[]> {
  const { tenantCode, since, until } = query;
  const { days, hours, rows } = partsOf(since, until);
  const values: unknown[] = [tenantCode, ...(await groupsOf(ask, query))];
  const within = (column: string, [from, to]: TimeSpan): string =>
    `${column} >= $${values.push(from)} and ${column} < $${values.push(to)}`;
  const parts = [
    ...[...days, ...hours].map(
      (span) =>
        `select start_at as at, group_id, count from event_hours
         where tenant_code = $1 and ${within('start_at', span)}`,
    ),
    ...rows.map(
      (span) =>
        `select floor(occurred_at / ${HOUR_MS}.0)::bigint * ${HOUR_MS} as at, group_id,
           1 as count
         from event_facts where tenant_code = $1 and ${within('occurred_at', span)}`,
    ),
  ];
  const counted = await ask<{ at: number; standing: Standing; count: number }>(
    `select p.at, k.standing, sum(p.count)::bigint as count from (${parts.join(' union all ')}) p
     join ${AS_GROUPS} on k.id = p.group_id group by 1, 2`,
    values,
  );
  const tally = new StandingTally();
  for (const { at, standing, count } of counted) tally.add(String(at), standing, count);
  await putRight(ask, query, tally, ({ at }) => String(startOf(at, HOUR_MS)));
  return tally
    .take()
    .map(([at, sums]) => ({ at: Number(at), ...sums }))
    .sort((a, b) => a.at - b.at);
}

export async function camerasIn(ask: Ask, query: StatisticsQuery): Promise<CameraCount[]> {
  const { tenantCode, since, until } = query;
  const counted = await ask<{ place: PlaceKey; standing: Standing; count: number }>(
    `select json_build_array(p.tenant_code, p.site_ref, p.camera_ref, p.instance) as place, s.standing,
       s.count
     from (select f.place_id, k.standing, count(*) as count from event_facts f
       join ${AS_GROUPS} on k.id = f.group_id
       where f.tenant_code = $1 and f.occurred_at >= $4 and f.occurred_at < $5 group by 1, 2) s
     join event_places p on p.tenant_code = $1 and p.id = s.place_id`,
    [tenantCode, ...(await groupsOf(ask, query)), since, until],
  );
  const tally = new StandingTally();
  for (const { place, standing, count } of counted) tally.add(JSON.stringify(place), standing, count);
  await putRight(ask, query, tally, (row) => entryOf(row).place);
  return tally.take().map(([key, sums]) => {
    const [, siteRef, cameraRef, instance] = JSON.parse(key) as PlaceKey;
    return { cameraRef, siteRef, instance, ...sums };
  });
}
