import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { timeNow } from '../../api/clock.ts';
import { Refused } from '../../api/fault.ts';
import { LIVE } from '../../api/queries.ts';

export type Rule = Answer<'/api/core/objects/rules', 'get'>['items'][number];

export const keyOf = ({ tenantCode, kind, name }: Pick<Rule, 'tenantCode' | 'kind' | 'name'>): string =>
  JSON.stringify([tenantCode, kind, name]);

/** The newest version of each rule. */
export function useRules(kind: Rule['kind'] | undefined, tenant: string | undefined) {
  const query = useInfiniteQuery({
    ...LIVE,
    queryKey: ['rules', 'list', kind, tenant],
    queryFn: ({ pageParam }) =>
      answerOf(
        api.GET('/api/core/objects/rules', {
          params: {
            query: {
              ...(kind ? { kind } : {}),
              ...(tenant ? { tenant_code: tenant } : {}),
              ...(pageParam === null ? {} : { cursor: pageParam }),
            },
          },
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.hasMore ? page.nextCursor : undefined),
  });
  return {
    query,
    paged: true,
    rows: query.data?.pages.flatMap(({ items }) => items) ?? [],
    hasMore: query.hasNextPage,
    loadMore: () => void query.fetchNextPage(),
    loadingMore: query.isFetchingNextPage,
  };
}

/** What headquarters' agent has loaded: what it cannot use, and which rules never decide. */
export const useLoaded = () =>
  useQuery({
    ...LIVE,
    queryKey: ['rules', 'loaded'],
    queryFn: async () => {
      const [{ shadowed }, status] = await Promise.all([
        answerOf(api.GET('/api/agent/rules')),
        answerOf(api.GET('/api/agent/status')),
      ]);
      const { badRules, reloadedAt, ruleSource, lastError } = status;
      return { shadowed, badRules, reloadedAt, ruleSource, lastError };
    },
  });

type RuleName = Pick<Rule, 'tenantCode' | 'kind' | 'name'>;
const about = ({ tenantCode, kind, name }: RuleName) => ({ tenant_code: tenantCode, kind, name });

export const useHistory = (rule: Rule) =>
  useQuery({
    queryKey: ['rules', 'history', keyOf(rule), rule.version],
    queryFn: async () =>
      (await answerOf(api.GET('/api/core/objects/rules/history', { params: { query: about(rule) } }))).items,
  });

/** The version that counts now; null: there is no rule of that name. */
export async function fetchNewest(rule: RuleName): Promise<Rule | null> {
  const asked = api.GET('/api/core/objects/rules/history', { params: { query: about(rule) } });
  try {
    return (await answerOf(asked)).items[0] ?? null;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return null;
    throw error;
  }
}

/** What a version changed of the one before it. */
export const useDifference = (rule: RuleName, version: number) =>
  useQuery({
    queryKey: ['rules', 'difference', keyOf(rule), version],
    enabled: version > 1,
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/api/core/objects/rules/difference', {
            params: { query: { ...about(rule), from: version - 1, to: version } },
          }),
        )
      ).differences,
  });
export type Rehearsal = Answer<'/api/agent/rules/rehearse', 'post'>;
export type Threshold = Answer<'/api/agent/rules/thresholds', 'get'>['items'][number];

/** @param tenant empty: none is chosen yet */
export const useThresholds = (tenant: string) =>
  useQuery({
    queryKey: ['rules', 'thresholds', tenant],
    enabled: tenant !== '',
    queryFn: () =>
      answerOf(api.GET('/api/agent/rules/thresholds', { params: { query: { tenant_code: tenant } } })),
  });

/** Events that are looked at for the hits of the last day. */
const HITS_OF = 2_000;
const HITS_FRESH_MS = 60_000;
const DAY_MS = 86_400_000;

/** How many of the last day's events each rule decides, as the rules are now. */
export const useHits = (tenant: string | undefined, enabled: boolean) =>
  useQuery({
    queryKey: ['rules', 'hits', tenant],
    enabled,
    staleTime: HITS_FRESH_MS,
    queryFn: async () => {
      const { rules, complete, events } = await answerOf(
        api.POST('/api/agent/rules/rehearse', {
          body: {
            rules: [],
            since: new Date(timeNow() - DAY_MS).toISOString(),
            limit: HITS_OF,
            ...(tenant === undefined ? {} : { tenant_code: tenant }),
          },
        }),
      );
      return { of: new Map(rules.map((one) => [hitsKey(one), one.before])), complete, events };
    },
  });

export const hitsKey = ({ tenantCode, name }: { tenantCode: string; name: string | null }): string =>
  JSON.stringify([tenantCode, name]);
