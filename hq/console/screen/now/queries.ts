import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE, SLOW } from '../../api/queries.ts';
import { type Permission, useSession } from '../../session/session.tsx';
import { LIMIT, severeQuery, weekAgo } from './severe.ts';

export type Task = Answer<'/api/core/objects/tasks', 'get'>['items'][number];
export type Order = Answer<'/api/core/uplink/orders', 'get'>['items'][number];
export type Notification = Answer<'/api/core/notifications', 'get'>['items'][number];
export type Webhook = Answer<'/api/integration/webhooks', 'get'>['items'][number];
export type Source = Answer<'/api/dataset/sources', 'get'>['items'][number];

interface Listed<T> {
  items: T[];
  hasMore: boolean;
}

/** A list that is asked for only by who may see it. */
function useListed<T>(
  name: string,
  permission: Permission,
  fetch: () => Promise<Listed<T>>,
  pace: typeof LIVE = LIVE,
) {
  const { can } = useSession();
  return useQuery({ ...pace, queryKey: ['now', name], queryFn: fetch, enabled: can(permission) });
}

const recent = <T extends { createdAt: string }>({ items, hasMore }: Listed<T>): Listed<T> => {
  const kept = items.filter(({ createdAt }) => createdAt >= weekAgo());
  return { items: kept, hasMore: hasMore && kept.length === items.length };
};

export const useOverdue = () =>
  useListed<Task>('overdue', 'tasks.manage', () =>
    answerOf(api.GET('/api/core/objects/tasks', { params: { query: { overdue: 'true', limit: LIMIT } } })),
  );

export function useSevere() {
  const { can } = useSession();
  return useQuery({ ...severeQuery, enabled: can('events.view') });
}

export const useRefusedOrders = () =>
  useListed<Order>(
    'orders',
    'uplink.view',
    async () =>
      recent(
        await answerOf(
          api.GET('/api/core/uplink/orders', { params: { query: { state: 'refused', limit: LIMIT } } }),
        ),
      ),
    SLOW,
  );

export const useRefusals = () =>
  useListed<Notification>(
    'refusals',
    'notifications.view',
    async () =>
      recent(
        await answerOf(
          api.GET('/api/core/notifications', {
            params: { query: { channel: 'inbox', kind: 'refusal', limit: LIMIT } },
          }),
        ),
      ),
    SLOW,
  );

export const useFailingWebhooks = () =>
  useListed<Webhook>(
    'webhooks',
    'integration.view',
    async () => {
      const { items, hasMore } = await answerOf(
        api.GET('/api/integration/webhooks', { params: { query: { limit: LIMIT } } }),
      );
      return {
        items: items.filter(({ status, failures }) => status === 'disabled' || failures > 0),
        hasMore,
      };
    },
    SLOW,
  );

export const useFailingSources = () =>
  useListed<Source>(
    'sources',
    'integration.view',
    async () => {
      const { items, hasMore } = await answerOf(api.GET('/api/dataset/sources'));
      return {
        items: items.filter(
          ({ failures, datasets }) => failures > 0 || datasets.some((one) => one.failures > 0),
        ),
        hasMore,
      };
    },
    SLOW,
  );
