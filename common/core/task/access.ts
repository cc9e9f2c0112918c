// Who may call the operations on tasks, and what they all refuse.
import type { Call } from '../../http/route.ts';
import { actorOf } from '../key/routes.ts';
import type { Caller } from './service.ts';

/** Of an operation that reads tasks. */
export const reading = {
  tag: 'Tasks',
  access: ['admin', 'session', 'consumer'],
  permission: 'tasks.manage',
  scopes: ['tasks.read', 'tasks.write'],
} as const;

/** Of an operation that changes tasks. */
export const writing = { ...reading, scopes: ['tasks.write'] } as const;

export const errors = { 403: 'tenant_mismatch', 404: 'not_found' };

export const callerOf = (call: Pick<Call, 'actor' | 'ip'>): Caller => ({
  actor: call.actor,
  text: actorOf(call),
});
