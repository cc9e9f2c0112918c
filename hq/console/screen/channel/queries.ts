import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';

export type Channel = Answer<'/api/agent/channels', 'get'>['items'][number];
export const CHANNELS = ['channels'] as const;

/** @param tenant undefined: of every tenant */
export const useChannels = (tenant: string | undefined) =>
  useQuery({
    ...LIVE,
    queryKey: [...CHANNELS, { tenant }],
    queryFn: async () => {
      const query = tenant === undefined ? {} : { tenant_code: tenant };
      return (await answerOf(api.GET('/api/agent/channels', { params: { query } }))).items;
    },
  });
