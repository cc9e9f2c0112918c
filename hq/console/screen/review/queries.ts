import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { eventsKey } from '../event/queries.ts';
import type { ReviewFilters } from './filters.ts';

type Unjudged = Answer<'/api/core/events/unjudged', 'get'>;
/** Alerts of one camera and type, which one look judges together. */
export type UnjudgedRow = Unjudged['items'][number];

export const rowKey = ({ tenantCode, instance, cameraRef, type, ids }: UnjudgedRow): string =>
  // What names no camera is told apart by the box that posted it, which is not shown: by its oldest event.
  JSON.stringify([tenantCode, instance, cameraRef ?? ids.at(-1), type]);

/**
 * What waits to be judged, the gravest first.
 * @param limit rows that come at most; left out: as many as the hub gives unasked
 */
export const useUnjudged = ({ severity, type, site, group, tenant }: ReviewFilters, limit?: number) =>
  useQuery({
    ...LIVE,
    queryKey: [...eventsKey, 'unjudged', severity, type, site, group, tenant, limit],
    queryFn: () =>
      answerOf(
        api.GET('/api/core/events/unjudged', {
          params: {
            query: {
              ...(severity && { severity: severity.join(',') }),
              ...(type && { type }),
              ...(site && { instance: site }),
              ...(group && { site_group: group }),
              ...(tenant && { tenant_code: tenant }),
              ...(limit && { limit }),
            },
          },
        }),
      ),
  });
