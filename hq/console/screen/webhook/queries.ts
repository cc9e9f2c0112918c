import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { useGrowing } from '../../list/growing.ts';

export type Webhook = Answer<'/api/integration/webhooks', 'get'>['items'][number];
/** With what it tells of a change. */

/** Beginning of the keys of what a change of a webhook changes. */
export const WEBHOOKS = ['webhooks'] as const;
export const DELIVERIES = ['deliveries'] as const;

const idOf = ({ id }: Webhook): string => id;

export const useWebhooks = (tenant: string | undefined) =>
  useGrowing<Webhook>({
    key: [...WEBHOOKS, 'list', tenant ?? ''],
    idOf,
    fetch: (cursor) =>
      answerOf(
        api.GET('/api/integration/webhooks', {
          params: {
            query: {
              limit: 100,
              ...(tenant === undefined ? {} : { tenant_code: tenant }),
              ...(cursor === null ? {} : { cursor: String(cursor) }),
            },
          },
        }),
      ),
  });

export const useWebhook = (id: string) =>
  useQuery({
    ...LIVE,
    queryKey: [...WEBHOOKS, 'one', id],
    queryFn: () => answerOf(api.GET('/api/integration/webhooks/{id}', { params: { path: { id } } })),
  });
