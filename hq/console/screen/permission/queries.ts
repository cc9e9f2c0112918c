import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';

export type PermissionRow = Answer<'/api/core/permissions', 'get'>['items'][number];

/** They change with a release only. */
export const usePermissions = () =>
  useQuery({
    queryKey: ['permissions'],
    queryFn: async () => (await answerOf(api.GET('/api/core/permissions'))).items,
    staleTime: Infinity,
  });
