// Whether the camera of an event has heard what was judged, as the answers to a verdict say it.
import type { Actor } from '../../http/actor.ts';
import { type EventRecord, readDoc } from '../event/record.ts';
import { failureFor } from '../feedback/failure.ts';
import type { CameraMessage } from '../feedback/record.ts';
import type { SiteDecision } from '../timeline/port.ts';

export interface PushedBack {
  pushedBack: boolean;
  pushError: string | null;
}

/** Of a decision of headquarters that waits for its site. */
export const goesDown = (site: string): string =>
  `goes down to the site ${site}: at once while it has a link, otherwise with its next contact`;

/**
 * @param message the last one of the kind, where one is known
 * @param open what headquarters decided and the site has not carried out
 */
export function heardOf(
  event: EventRecord,
  message: CameraMessage | undefined,
  open: SiteDecision | undefined,
  actor: Actor,
): PushedBack {
  if (message === undefined) return { pushedBack: false, pushError: untold(event, open) };
  if (message.state === 'delivered') return { pushedBack: true, pushError: null };
  return { pushedBack: false, pushError: failureFor(actor, message.lastError) ?? 'not delivered yet' };
}

/** null: the event came without an address to tell. */
function untold(event: EventRecord, open: SiteDecision | undefined): string | null {
  const site = event.instance;
  if (site === null) return null;
  if (open?.refused) {
    const { reason } = open.refused;
    return `the site ${site} did not carry it out, and its camera does not hear of it: ${reason}`;
  }
  if (open) return goesDown(open.instance);
  if (readDoc(event).feedbackUrl === undefined) return null;
  return `the site ${site} has not said yet whether its camera heard`;
}
