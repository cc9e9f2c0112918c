import type { Actor } from '../../common/http/actor.ts';
import { AppError, forbidden } from '../../common/http/error.ts';
import { PROTOCOL } from '../../common/uplink/wire.ts';

/** @throws AppError 403 for another instance than that of the key, 400 protocol_unsupported */
export function checkSender(request: { instance: string; protocol: number }, subject: string): void {
  if (request.instance !== subject) {
    throw forbidden(
      `This key is of the site ${subject}; it cannot speak for ${request.instance}. CORE_INSTANCE ` +
        'there must be the name registered here.',
    );
  }
  if (request.protocol > PROTOCOL) {
    throw new AppError(
      400,
      'protocol_unsupported',
      `Protocol ${request.protocol} is not spoken here, only up to ${PROTOCOL}; update headquarters.`,
      { extra: { protocol: PROTOCOL } },
    );
  }
}

export interface SiteKey {
  keyId: string;
  /** Instance of the site. */
  subject: string;
}

/** The key of a site that a call was signed with. @throws AppError 403 */
export function siteKeyOf(actor: Actor): SiteKey {
  if (actor.kind !== 'key') throw forbidden('An uplink is signed with the key of its site.');
  return actor;
}
