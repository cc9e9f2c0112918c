// Pure: why a camera did not take a message, in a word for everybody and in detail for operators.
import type { Actor } from '../../http/actor.ts';
import { AddressRefused } from '../../http/outbound/address.ts';
import type { TransportError } from '../../http/outbound/client.ts';
import { classOf } from './decide.ts';
import type { FailureClass } from './record.ts';

const REFUSED = new Set(['ECONNREFUSED']);
const LATE = new Set(['timeout', 'ETIMEDOUT']);

/** The failure as it is kept: its class, and after a colon the detail. */
export const failureText = (kind: FailureClass, detail: string): string => `${kind}: ${detail}`;

/** @returns the text that is kept of an exchange that gave no whole answer */
export function transportFailure(error: TransportError): string {
  if (error.cause instanceof AddressRefused)
    return failureText('address not allowed', `${error.message}; allow it with CORE_FEEDBACK_NETWORKS`);
  return failureText(
    REFUSED.has(error.code) ? 'connection refused' : LATE.has(error.code) ? 'timed out' : 'unreachable',
    error.message,
  );
}

/** What the caller may see of a kept failure: whoever is bound to one tenant, its class. */
export function failureFor(actor: Pick<Actor, 'tenantCode'>, kept: string | null): string | null {
  return kept === null || actor.tenantCode === null ? kept : classOf(kept);
}
