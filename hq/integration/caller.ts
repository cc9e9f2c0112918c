import { type Clock, stampOf } from '../../common/clock.ts';
import { actorOf } from '../../common/http/caller.ts';
import type { Call } from '../../common/http/route.ts';
import type { By } from './port.ts';

/** Who calls: the name for the audit, and the tenant that bounds what is seen; null is every tenant. */
export interface Caller {
  actor: string;
  /** Without the address it called from, for whoever sees what was done. */
  name: string;
  tenantCode: string | null;
}

export const callerOf = (call: Pick<Call, 'actor' | 'ip'>): Caller => ({
  actor: actorOf(call),
  name: call.actor.name,
  tenantCode: call.actor.tenantCode,
});

export const byOf = ({ actor }: Caller, clock: Clock): By => ({ actor, ...stampOf(clock) });

/** Whether the caller may see what is of this tenant. */
export const sees = ({ tenantCode }: Caller, of: { tenantCode: string }): boolean =>
  tenantCode === null || of.tenantCode === tenantCode;
