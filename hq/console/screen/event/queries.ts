import { type QueryClient, useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { type Growing, growingPages, useGrowing } from '../../list/growing.ts';
import { type EventFilters, eventFilters } from './filters.ts';

export type Event = Answer<'/api/core/events/list', 'get'>['items'][number];
export type Verdict = NonNullable<Event['verdict']>;
export type Timeline = Answer<'/api/core/events/{id}/timeline', 'get'>;
export type Step = Timeline['steps'][number];
export type Explanation = Answer<'/api/agent/rules/explain', 'post'>;

/** Rows at a time: more than two screens of them, and soon drawn also on a slow machine. */
export const PAGE = 30;
export const eventsKey = ['events'] as const;
export const eventKey = (id: number) => ['event', id] as const;

const queryOf = ({
  q,
  since,
  until,
  severity,
  type,
  camera,
  source,
  place,
  site,
  group,
  tenant,
  verdict,
  corrected,
  standing,
  test,
}: EventFilters) => ({
  ...(q && { q }),
  ...(since && { since }),
  ...(until && { until }),
  ...(severity && { severity: severity.join(',') }),
  ...(type && { type }),
  ...(camera && { camera_ref: camera }),
  ...(source && { source }),
  ...(place && { site_ref: place }),
  ...(site && { instance: site }),
  ...(group && { site_group: group }),
  ...(tenant && { tenant_code: tenant }),
  ...(verdict && { verdict }),
  ...(corrected && { corrected_to: corrected }),
  ...(standing && { standing }),
  ...(test && { include_test: 'true' as const }),
});

const pagesOf = (filters: EventFilters): Growing<Event> => ({
  key: [...eventsKey, filters],
  fetch: (cursor) =>
    answerOf(
      api.GET('/api/core/events/list', {
        params: {
          query: {
            ...queryOf(filters),
            limit: PAGE,
            ...(cursor === null ? {} : { cursor: String(cursor) }),
          },
        },
      }),
    ),
});

/** Events that the filters take, newest first. */
export const useEvents = (filters: EventFilters) =>
  useGrowing<Event>({
    ...pagesOf(filters),
    idOf: ({ id }) => id,
    // What looks through thousands of events is asked for by a person.
    still: filters.q !== undefined,
  });

/** Asks for the first of them before their list is drawn, by what its address says. */
export const askEvents = (queries: QueryClient, search: Record<string, unknown>): Promise<void> =>
  queries.prefetchInfiniteQuery(growingPages(pagesOf(eventFilters(search))));

/** The newest events that nobody has judged. */
export const fetchUnjudged = (limit: number) =>
  answerOf(api.GET('/api/core/events/list', { params: { query: { verdict: 'none', limit } } }));

/** @param id null: none is asked for */
export function useEvent(id: number | null) {
  return useQuery({
    ...LIVE,
    queryKey: eventKey(id ?? 0),
    queryFn: () => answerOf(api.GET('/api/core/events/{id}', { params: { path: { id: id ?? 0 } } })),
    enabled: id !== null,
  });
}

export function useTimeline({ id, tenantCode }: Pick<Event, 'id' | 'tenantCode'>) {
  return useQuery({
    ...LIVE,
    queryKey: [...eventKey(id), 'timeline'],
    queryFn: () =>
      answerOf(
        api.GET('/api/core/events/{id}/timeline', {
          params: { path: { id }, query: { tenant_code: tenantCode } },
        }),
      ),
  });
}

/** Groups that have the event, at most one a layer. */
export function useGroups(id: number, enabled: boolean) {
  return useQuery({
    queryKey: [...eventKey(id), 'groups'],
    queryFn: () =>
      answerOf(api.GET('/api/core/incidents', { params: { query: { event_id: id, include_test: 'true' } } })),
    enabled,
  });
}

export function useExplanation(id: number, enabled: boolean) {
  return useQuery({
    queryKey: [...eventKey(id), 'explanation'],
    queryFn: () => answerOf(api.POST('/api/agent/rules/explain', { body: { event_id: id } })),
    enabled,
  });
}
