import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Answer } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';

export type User = Answer<'/api/core/users', 'get'>['items'][number];
export type Session = Answer<'/api/core/sessions', 'get'>['items'][number];
export type AuditEntry = Answer<'/api/core/audit', 'get'>['items'][number];

export const useUsers = () =>
  useQuery({
    ...LIVE,
    queryKey: ['users'],
    queryFn: async () => (await answerOf(api.GET('/api/core/users'))).items,
  });

/** Live ones, last used first; only one's own without the permission to manage users. */
export const useSessions = () =>
  useQuery({
    ...LIVE,
    queryKey: ['sessions'],
    queryFn: () => answerOf(api.GET('/api/core/sessions', { params: { query: { limit: 1000 } } })),
  });
