import { type QueryKey, useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { useSession } from '../../session/session.tsx';

export type Alarm = Answer<'/api/core/alarms', 'get'>['items'][number];
/** Key of every query of alarms. */
export const ALARMS = ['alarms'] as const;

/** What of the alarms is asked for; absent: every one that stands. */
export interface AlarmFilters {
  severity?: Alarm['severity'] | undefined;
  instance?: string | undefined;
  tenant?: string | undefined;
  cleared?: 'shown' | undefined;
}

/**
 * Worst first, then those that stand longest.
 * @param limit most rows
 * @param key of the query, for a screen that counts all of its own
 */
export function useAlarms(
  { severity, instance, tenant, cleared }: AlarmFilters,
  limit: number,
  key: QueryKey = [...ALARMS, 'list'],
) {
  const { can } = useSession();
  return useQuery({
    ...LIVE,
    queryKey: [...key, { severity, instance, tenant, cleared, limit }],
    queryFn: () => {
      const query = {
        order: 'worst' as const,
        limit,
        ...(severity && { severity }),
        ...(instance && { instance }),
        ...(tenant && { tenant_code: tenant }),
        ...(cleared && { include_cleared: 'true' as const }),
      };
      return answerOf(api.GET('/api/core/alarms', { params: { query } }));
    },
    enabled: can('events.view'),
  });
}

/** How many stand, for who may see them. */
export function useAlarmCount() {
  const { can } = useSession();
  return useQuery({
    ...LIVE,
    queryKey: [...ALARMS, 'count'],
    queryFn: () => answerOf(api.GET('/api/core/alarms/count')),
    enabled: can('events.view'),
  });
}
