import { useQuery } from '@tanstack/react-query';
import { answerOf, api, type Answer } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';

export type Site = Answer<'/api/core/uplink/status', 'get'>['sites'][number];

/** Every site that the user may see, with what it last told. */
export function useSites<T = Site[]>(options: { enabled?: boolean; select?: (sites: Site[]) => T } = {}) {
  return useQuery({
    ...LIVE,
    queryKey: ['sites'],
    queryFn: async () => (await answerOf(api.GET('/api/core/uplink/status'))).sites,
    ...options,
  });
}
