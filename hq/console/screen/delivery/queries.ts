import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { useGrowing } from '../../list/growing.ts';
import { DELIVERIES } from '../webhook/queries.ts';
import type { DeliveryFilters } from './filters.ts';

export type Delivery = Answer<'/api/integration/webhooks/{id}/deliveries', 'get'>['items'][number];
export type DeliveryInFull = Answer<'/api/integration/deliveries/{id}', 'get'>;

const idOf = ({ id }: Delivery): string => id;

export function useDeliveries(webhook: string, { status, event, code, since, until }: DeliveryFilters) {
  const given = Object.entries({ status, event, response_code: code, since, until });
  const query = Object.fromEntries(given.filter(([, value]) => value !== undefined));
  return useGrowing<Delivery>({
    key: [...DELIVERIES, webhook, query],
    idOf,
    fetch: (cursor) =>
      answerOf(
        api.GET('/api/integration/webhooks/{id}/deliveries', {
          params: {
            path: { id: webhook },
            query: { ...query, ...(cursor === null ? {} : { cursor: String(cursor) }) },
          },
        }),
      ),
  });
}

export const useDelivery = (id: string | undefined) =>
  useQuery({
    ...LIVE,
    queryKey: [...DELIVERIES, 'one', id],
    enabled: id !== undefined,
    queryFn: () =>
      answerOf(api.GET('/api/integration/deliveries/{id}', { params: { path: { id: id ?? '' } } })),
  });
