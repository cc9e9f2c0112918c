import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';

export type Retention = Answer<'/api/core/retention', 'get'>;
export type Guard = Retention['guards'][number];
export type Scope = Answer<'/api/core/retention/scopes', 'get'>['items'][number];
export const RETENTION = ['retention'] as const;

export const useRetention = () =>
  useQuery({
    ...LIVE,
    queryKey: [...RETENTION, 'status'],
    queryFn: () => answerOf(api.GET('/api/core/retention')),
  });

/** The last backup of this headquarters; null: none is known of. */
export const useLastBackup = () =>
  useQuery({
    ...LIVE,
    queryKey: [...RETENTION, 'backup'],
    queryFn: async () => (await answerOf(api.GET('/api/core/last-backup'))).backup,
  });

export const useScopes = () =>
  useQuery({
    queryKey: [...RETENTION, 'scopes'],
    queryFn: async () => (await answerOf(api.GET('/api/core/retention/scopes'))).items,
  });
