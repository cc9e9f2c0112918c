import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { ownDevice } from './device.ts';

export type MyCalls = Answer<'/api/core/duty/me', 'get'>;
export type Device = MyCalls['devices'][number];
export type Call = Answer<'/api/core/duty/calls', 'get'>['items'][number];

export const MINE = ['my-calls'] as const;
export const CALLS = ['duty-calls'] as const;

export const useMyCalls = () =>
  useQuery({ queryKey: MINE, queryFn: () => answerOf(api.GET('/api/core/duty/me')) });

/** Whether this browser takes calls. */
export const useOwnDevice = () => useQuery({ queryKey: [...MINE, 'own-device'], queryFn: ownDevice });

/** Who was called of these events, and who has taken them over; by event. */
export const useCalls = (ids: readonly number[]) =>
  useQuery({
    ...LIVE,
    queryKey: [...CALLS, ids],
    queryFn: async () => {
      const query = { event_ids: ids.join(',') };
      const { items } = await answerOf(api.GET('/api/core/duty/calls', { params: { query } }));
      return new Map(items.map((call) => [call.eventId, call]));
    },
    enabled: ids.length > 0,
  });
