import { type Answer, answerOf, api } from '../../api/client.ts';
import { useGrowing } from '../../list/growing.ts';

export type Client = Answer<'/api/integration/clients', 'get'>['items'][number];

/** Beginning of the keys of what a change of a client changes. */
export const CLIENTS = ['clients'] as const;

const idOf = ({ client_id: id }: Client): string => id;

export const useClients = (tenant: string | undefined) =>
  useGrowing<Client>({
    key: [...CLIENTS, tenant ?? ''],
    idOf,
    fetch: (cursor) =>
      answerOf(
        api.GET('/api/integration/clients', {
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
