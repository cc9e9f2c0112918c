import { useInfiniteQuery, useQueries } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { useGrowing } from '../../list/growing.ts';
import type { IncidentFilters } from './filters.ts';

export type Incident = Answer<'/api/core/incidents', 'get'>['items'][number];
export type IncidentDetail = Answer<'/api/core/incidents/{id}', 'get'>;
export type Member = IncidentDetail['members'][number];

/** All its events, tests among them. */
export const sizeOf = ({
  memberCount,
  testMemberCount,
}: Pick<Incident, 'memberCount' | 'testMemberCount'>): number => memberCount + testMemberCount;

const PAGE = 50;
const MEMBERS = 200;
/** Of everything about groups. */
export const incidentsKey = ['incidents'] as const;

const queryOf = ({ state, layer, place, site, tenant, event, test }: IncidentFilters) => ({
  ...(state && { state }),
  ...(layer && { layer }),
  ...(place && { site_ref: place }),
  ...(site && { instance: site }),
  ...(tenant && { tenant_code: tenant }),
  ...(event && { event_id: event }),
  ...(test && { include_test: 'true' as const }),
});

const idOf = ({ id }: Incident): number => id;

/** Groups that the filters take, the one with the newest member first. */
export function useIncidents(filters: IncidentFilters) {
  return useGrowing<Incident>({
    key: [...incidentsKey, 'list', filters],
    fetch: (cursor) =>
      answerOf(
        api.GET('/api/core/incidents', {
          params: {
            query: {
              ...queryOf(filters),
              limit: PAGE,
              ...(cursor === null ? {} : { cursor: String(cursor) }),
            },
          },
        }),
      ),
    idOf,
  });
}

const fetchIncident = (id: number, cursor: string | null): Promise<IncidentDetail> =>
  answerOf(
    api.GET('/api/core/incidents/{id}', {
      params: { path: { id }, query: { limit: MEMBERS, ...(cursor === null ? {} : { cursor }) } },
    }),
  );

/** A group with its members, page by page. */
export function useIncident(id: number, enabled = true) {
  return useInfiniteQuery({
    refetchInterval: LIVE.refetchInterval,
    queryKey: [...incidentsKey, id],
    queryFn: ({ pageParam }) => fetchIncident(id, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ hasMore, nextCursor }) => (hasMore ? nextCursor : undefined),
    enabled,
  });
}

/** These groups, as they are now. */
export function useIncidentsOf(ids: readonly number[]): { groups: Incident[] | null; failed: boolean } {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: [...incidentsKey, id, 'alone'],
      queryFn: () => fetchIncident(id, null),
    })),
    combine: (found) => {
      const groups = found.flatMap(({ data }) => data ?? []);
      return {
        groups: groups.length === ids.length ? groups : null,
        failed: found.some(({ isError }) => isError),
      };
    },
  });
}
