import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { readAll } from '../../csv/pages.ts';
import { useGrowing } from '../../list/growing.ts';
import type { ReportFilters } from '../report/filters.ts';

export type KnowledgeMeta = Answer<'/api/core/objects/knowledge', 'get'>['items'][number];
export type Knowledge = Answer<'/api/core/objects/knowledge/{core_id}', 'get'>;
export type Revision = Answer<'/api/core/objects/knowledge/{core_id}/history', 'get'>['items'][number];

const PATH = '/api/core/objects/knowledge';
const PAGE = 50;
const EXPORT_PAGE = 1000;

/** Which object: it is looked for in its tenant alone. */
export interface Which {
  id: number;
  tenant: string;
}
export const knowledgeKey = ['knowledge'] as const;
export const objectKey = ({ id, tenant }: Which) => [...knowledgeKey, 'one', tenant, id] as const;

const queryOf = ({ kind, system, since, until, tenant, event }: ReportFilters) => ({
  ...(kind && { kind }),
  ...(system && { src_system: system }),
  ...(since && { since }),
  ...(until && { until }),
  ...(tenant && { tenant_code: tenant }),
  ...(event && { ref_key: 'event_id', ref_value: event }),
});

/**
 * A part of the list from an offset. What goes on carries the end of the first part, so that what is stored
 * meanwhile moves nothing: `next` is both.
 */
async function part(filters: ReportFilters, next: string | null, limit: number) {
  const [until, offset] = next === null ? [filters.until, 0] : (JSON.parse(next) as [string, number]);
  const page = await answerOf(
    api.GET(PATH, {
      params: { query: { ...queryOf({ ...filters, until }), fields: 'meta', limit, offset } },
    }),
  );
  const following = page.nextOffset === null ? null : JSON.stringify([page.until, page.nextOffset]);
  return { items: page.items, next: following, cut: page.hasMore && following === null };
}

/** Objects that the filters take, newest first, without what they say. */
export function useKnowledge(filters: ReportFilters) {
  return useGrowing<KnowledgeMeta>({
    key: [...knowledgeKey, 'list', filters],
    fetch: async (cursor) => {
      const { items, next } = await part(filters, cursor === null ? null : String(cursor), PAGE);
      return { items, nextCursor: next, hasMore: next !== null };
    },
    idOf: ({ coreId }) => coreId,
  });
}

/** All of them, as far as a file takes them. */
export async function readKnowledge(filters: ReportFilters) {
  let cut = false;
  const all = await readAll(async (next) => {
    const one = await part(filters, next, EXPORT_PAGE);
    cut ||= one.cut;
    return one;
  });
  return { items: all.items, cut: all.cut || cut };
}

const paramsOf = ({ id, tenant }: Which) => ({ path: { core_id: id }, query: { tenant_code: tenant } });

export const useObject = (which: Which, enabled: boolean) =>
  useQuery({
    ...LIVE,
    queryKey: objectKey(which),
    queryFn: () => answerOf(api.GET(`${PATH}/{core_id}`, { params: paramsOf(which) })),
    enabled,
  });

/** @param version asks anew when it has changed */
export const useHistory = (which: Which, version: number) =>
  useQuery({
    queryKey: [...objectKey(which), 'history', version],
    queryFn: async () =>
      (await answerOf(api.GET(`${PATH}/{core_id}/history`, { params: paramsOf(which) }))).items,
  });
