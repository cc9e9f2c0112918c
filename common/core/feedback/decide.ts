import type { Stamp } from '../../clock.ts';
import { type EventRecord, readDoc } from '../event/record.ts';
import { type FailureClass, failureClasses, type FeedbackKind, type FeedbackRecord } from './record.ts';

/** The request that wrote the message makes the first try itself; the background leaves it that long. */
const FIRST_TRY_LEASE_MS = 10_000;

/**
 * The message to the camera that raised an event. Only an event that arose here has a camera here; a site
 * tells its own cameras.
 * @param content what the message says besides the local alert number and the event id
 * @returns null when there is no camera to tell
 */
export function messageToCamera(
  event: EventRecord,
  kind: FeedbackKind,
  content: object,
  stamp: Stamp,
): FeedbackRecord | null {
  if (event.instance !== null) return null;
  const doc = readDoc(event);
  if (doc.feedbackUrl === undefined) return null;
  return {
    id: stamp.newId(),
    eventId: event.id,
    tenantCode: event.tenantCode,
    kind,
    url: doc.feedbackUrl,
    nodeKey: event.nodeKey,
    body: JSON.stringify({ localAlertNo: doc.localAlertNo ?? null, eventId: event.id, ...content }),
    state: 'pending',
    attempts: 0,
    nextAt: stamp.now + FIRST_TRY_LEASE_MS,
    lastError: null,
    createdAt: stamp.now,
    deliveredAt: null,
  };
}

/** The class of a kept failure. */
export const classOf = (kept: string): FailureClass =>
  failureClasses.find((kind) => kept.startsWith(`${kind}:`)) ?? 'not sent';

/** A verdict that its site has carried out is told to the camera, and the site has not said how that went. */
export function lacksMessage({
  event,
  verdict,
  feedback,
  decisions,
}: {
  event: EventRecord;
  verdict: object | null;
  feedback: readonly { kind: string }[];
  decisions: readonly { kind: string }[];
}): boolean {
  return (
    event.instance !== null &&
    verdict !== null &&
    readDoc(event).feedbackUrl !== undefined &&
    !decisions.some(({ kind }) => kind === 'verdict') &&
    !feedback.some(({ kind }) => kind === 'verdict')
  );
}
