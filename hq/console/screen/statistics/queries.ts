import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { timeNow } from '../../api/clock.ts';
import { readAll } from '../../csv/pages.ts';
import type { ReportFilters } from '../report/filters.ts';

export type Counts = Answer<'/api/core/stats/window', 'get'>;

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Of the period that is shown when none is chosen, days. */
const DAYS = 7;
const EXPORT_PAGE = 200;

/** Left-closed, right-open, epoch ms. */
export interface Window {
  since: number;
  until: number;
}

/** The period of the address; where it has no end the one in which the screen was opened. */
export function useWindow({ since, until }: ReportFilters): Window {
  const [opened] = useState(() => Math.ceil(timeNow() / MINUTE_MS) * MINUTE_MS);
  const end = until === undefined ? opened : Date.parse(until);
  return { since: since === undefined ? end - DAYS * DAY_MS : Date.parse(since), until: end };
}

export const windowBefore = ({ since, until }: Window): Window => ({
  since: since - (until - since),
  until: since,
});

/** What narrows the figures down. */
export type Narrowed = Pick<ReportFilters, 'severity' | 'group'>;

/** What is asked for: whose events, when, how severe, and of which sites. */
interface Asked extends Narrowed {
  tenant: string;
  span: Window;
}

/** What the routes of a window ask. */
export const queryOf = ({ tenant, span: { since, until }, severity, group }: Asked) => ({
  tenant_code: tenant,
  ...(severity && { severity: severity.join(',') }),
  ...(group && { site_group: group }),
  since: new Date(since).toISOString(),
  until: new Date(until).toISOString(),
});

export type HourCounts = Answer<'/api/core/stats/hours', 'get'>;
export type CameraCounts = Answer<'/api/core/stats/cameras', 'get'>;
export type Times = Answer<'/api/core/stats/times', 'get'>;

/** As `Asked`, with whether test events count. */
interface Weighed extends Omit<Asked, 'tenant'> {
  tenant: string | undefined;
  tests: boolean;
}

/**
 * What stands until the figures of another period have come: those of the same tenant alone.
 * @param at where the key of the query names the tenant
 */
const ofTheSame =
  (tenant: string | undefined, at: number) =>
  <T>(before: T | undefined, query: { queryKey: readonly unknown[] } | undefined): T | undefined =>
    query?.queryKey[at] === tenant ? before : undefined;

/** What one of the routes that tell more of a window says. */
const useMore = <T>(
  what: string,
  { tenant, span, severity, group, tests }: Weighed,
  ask: (query: ReturnType<typeof queryOf> & { include_test: 'true' | 'false' }) => Promise<T>,
) =>
  useQuery({
    queryKey: ['statistics', what, tenant, span.since, span.until, severity, group, tests],
    queryFn: () =>
      ask({
        ...queryOf({ tenant: tenant ?? '', span, severity, group }),
        include_test: tests ? 'true' : 'false',
      }),
    enabled: tenant !== undefined,
    staleTime: MINUTE_MS,
    refetchInterval: MINUTE_MS,
    placeholderData: ofTheSame(tenant, 2),
  });

export const useHourCounts = (asked: Weighed) =>
  useMore<HourCounts>('hours', asked, (query) =>
    answerOf(api.GET('/api/core/stats/hours', { params: { query } })),
  );
export const useCameraCounts = (asked: Weighed) =>
  useMore<CameraCounts>('cameras', asked, (query) =>
    answerOf(api.GET('/api/core/stats/cameras', { params: { query } })),
  );
export const useTimes = (asked: Weighed) =>
  useMore<Times>('times', asked, (query) =>
    answerOf(api.GET('/api/core/stats/times', { params: { query } })),
  );

export const useCounts = ({
  tenant,
  span,
  severity,
  group,
}: Omit<Asked, 'tenant'> & { tenant: string | undefined }) =>
  useQuery({
    queryKey: ['statistics', tenant, span.since, span.until, severity, group],
    queryFn: () =>
      answerOf(
        api.GET('/api/core/stats/window', {
          params: { query: queryOf({ tenant: tenant ?? '', span, severity, group }) },
        }),
      ),
    enabled: tenant !== undefined,
    staleTime: MINUTE_MS,
    refetchInterval: MINUTE_MS,
    placeholderData: ofTheSame(tenant, 1),
  });

/** The events of the period, as far as a file takes them. */
export const readEvents = (asked: Asked, tests: boolean) =>
  readAll(async (cursor) => {
    const page = await answerOf(
      api.GET('/api/core/events/list', {
        params: {
          query: {
            ...queryOf(asked),
            limit: EXPORT_PAGE,
            include_test: tests ? 'true' : 'false',
            ...(cursor === null ? {} : { cursor }),
          },
        },
      }),
    );
    return { items: page.items, next: page.hasMore ? page.nextCursor : null };
  });
