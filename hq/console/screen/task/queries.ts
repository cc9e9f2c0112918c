import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { useGrowing } from '../../list/growing.ts';
import { errandTypes, type TaskFilters, unfinished } from './filters.ts';

export type Task = Answer<'/api/core/objects/tasks', 'get'>['items'][number];
export type TaskDetail = Answer<'/api/core/objects/tasks/{id}', 'get'>;
export type TaskState = Task['state'];

const PAGE = 50;
/** Of everything about tasks. */
export const tasksKey = ['tasks'] as const;

const idOf = ({ id }: Task): number => id;

/** @param me the user whose tasks are "mine" */
const queryOf = (
  { state, type, organisation, site, tenant, event, mine, overdue }: TaskFilters,
  me: string,
) => ({
  state: (state ?? unfinished).join(','),
  order: 'due' as const,
  // Of one event all are shown.
  ...(type ? { type: type.join(',') } : event ? {} : { type: errandTypes.join(',') }),
  ...(organisation && { assignee_org: organisation }),
  ...(site && { instance: site }),
  ...(tenant && { tenant_code: tenant }),
  ...(event && { event_id: event }),
  ...(mine && { taken_over_by: me }),
  ...(overdue && { overdue: 'true' as const }),
});

/** Tasks that the filters take, the earliest deadline first. */
export function useTasks(filters: TaskFilters, me: string) {
  return useGrowing<Task>({
    key: [...tasksKey, 'list', filters, me],
    fetch: (cursor) =>
      answerOf(
        api.GET('/api/core/objects/tasks', {
          params: {
            query: {
              ...queryOf(filters, me),
              limit: PAGE,
              ...(cursor === null ? {} : { cursor: String(cursor) }),
            },
          },
        }),
      ),
    idOf,
  });
}

export const fetchTask = (id: number): Promise<TaskDetail> =>
  answerOf(api.GET('/api/core/objects/tasks/{id}', { params: { path: { id } } }));

/** The task that a site knows by a number of its own; null: it has not come up yet. */
export function useTaskOfSite(instance: string, origin: number) {
  return useQuery({
    ...LIVE,
    queryKey: [...tasksKey, 'of', instance, origin],
    queryFn: async () => {
      const query = { instance, origin_id: origin, limit: 1 };
      const page = await answerOf(api.GET('/api/core/objects/tasks', { params: { query } }));
      return page.items[0] ?? null;
    },
  });
}

/** @param id null: none is asked for */
export function useTask(id: number | null) {
  return useQuery({
    ...LIVE,
    queryKey: [...tasksKey, id],
    queryFn: () => fetchTask(id ?? 0),
    enabled: id !== null,
  });
}
