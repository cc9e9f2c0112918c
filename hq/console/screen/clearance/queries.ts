import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';

export type Grant = Answer<'/api/core/kb/clearance', 'get'>['items'][number];
export const CLEARANCE = ['clearance'] as const;

/** The grants of a tenant, by account. */
export const useGrants = (tenant: string | undefined) =>
  useQuery({
    queryKey: [...CLEARANCE, tenant],
    queryFn: () =>
      answerOf(
        api.GET('/api/core/kb/clearance', { params: { query: { tenant_code: tenant ?? '', limit: 1000 } } }),
      ),
    enabled: tenant !== undefined,
  });
