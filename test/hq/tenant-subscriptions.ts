// Calls about consumers, as a customer makes them about those of another tenant.
import type { Expected } from './tenant-things.ts';

export const SUBSCRIPTIONS: Record<string, Expected> = {
  'POST /api/core/events/subscribe': {
    status: 403,
    body: () => ({ consumer: 'alpha-new', tenant_code: 'alpha' }),
  },
  'PATCH /api/core/subscriptions/{consumer}': {
    target: () => '/api/core/subscriptions/bravo-c',
    missing: { target: () => '/api/core/subscriptions/nobody' },
    body: () => ({ enabled: false }),
    status: 404,
  },
  'DELETE /api/core/subscriptions/{consumer}': {
    target: () => '/api/core/subscriptions/alpha-c',
    status: 403,
  },
  'GET /api/core/events/since': {
    target: () => '/api/core/events/since?consumer=bravo-c',
    missing: { target: () => '/api/core/events/since?consumer=nobody' },
    status: 404,
  },
  'GET /api/core/events/stream': {
    target: () => '/api/core/events/stream?consumer=bravo-c',
    missing: { target: () => '/api/core/events/stream?consumer=nobody' },
    status: 404,
  },
  'POST /api/core/events/ack': {
    body: () => ({ consumer: 'bravo-c', cursor: 0 }),
    missing: { body: () => ({ consumer: 'nobody', cursor: 0 }) },
    status: 404,
  },
};
