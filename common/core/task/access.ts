// Who may call the operations on tasks, and what they all refuse.
import { actorOf } from '../../http/caller.ts';
import type { Call } from '../../http/route.ts';
import type { Caller } from './service.ts';

/** Of an operation that reads tasks. */
export const reading = {
  tag: 'Tasks',
  access: ['admin', 'session', 'consumer'],
  permission: 'events.view',
  scopes: ['tasks.read', 'tasks.write'],
} as const;

/** Of an operation that changes tasks. */
export const writing = { ...reading, permission: 'tasks.manage', scopes: ['tasks.write'] } as const;

export const errors = { 403: 'tenant_mismatch', 404: 'not_found' };

/** Of a reply that says that the site which keeps the task was ordered to change it. */
export const ORDERED = 'At headquarters: ordered of the site that keeps the task, which is as it was';
/** What the operations that change a task say of one that a site keeps. */
export const KEPT =
  ' At headquarters a task that a site keeps is changed by the site: the change is checked here, answered ' +
  'with 202 and an `order`, and carried out with the next call of the site. `GET ' +
  '/api/core/uplink/orders` and the task say what came of it.';

export const callerOf = (call: Pick<Call, 'actor' | 'ip'>): Caller => ({
  actor: call.actor,
  text: actorOf(call),
});
