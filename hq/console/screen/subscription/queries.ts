import type { Answer } from '../../api/client.ts';

export type Subscription = Answer<'/api/core/events/subscriptions', 'get'>['items'][number];
export const SUBSCRIPTIONS = ['subscriptions'] as const;
