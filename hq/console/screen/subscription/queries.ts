import type { Answer } from '../../api/client.ts';

export type Subscription = Answer<'/api/core/events/subscriptions', 'get'>['items'][number];
export type ConsumerKey = Answer<'/api/core/consumer-keys', 'get'>['items'][number];
export const CONSUMER_KEYS = ['consumer-keys'] as const;
export const SUBSCRIPTIONS = ['subscriptions'] as const;
