// Who calls, as services and the audit take it.
import type { Actor } from './actor.ts';
import { forbidden } from './error.ts';
import type { Call } from './route.ts';

/** Who it was, as the audit keeps it: the name of the caller, and from where. */
export const actorOf = (call: Pick<Call, 'actor' | 'ip'>): string =>
  `${call.actor.name} from ${call.ip || 'local socket'}`;

/** The tenant that a caller is shown: its own where it is bound to one. @throws 403 when it names another */
export function tenantFor(actor: Actor, wanted: string | undefined): string | null {
  if (actor.tenantCode === null) return wanted ?? null;
  if (wanted !== undefined && wanted !== actor.tenantCode)
    throw forbidden('You may only ask for your own tenant.');
  return actor.tenantCode;
}
