export const feedbackStates = ['pending', 'delivered', 'expired'] as const;
export type FeedbackState = (typeof feedbackStates)[number];
/** What a message tells: a verdict, a correction, the progress of a task, or a reminder. */
export const feedbackKinds = ['verdict', 'correction', 'task', 'edge_note'] as const;
export type FeedbackKind = (typeof feedbackKinds)[number];

/** One message to the camera node that raised an event (spec 2, "Feedback to edge nodes"). */
export interface FeedbackRecord {
  id: string;
  eventId: number;
  tenantCode: string;
  kind: FeedbackKind;
  url: string;
  /** Key whose secret signs it; null when the event came without one. */
  nodeKey: string | null;
  /** The exact JSON text that is sent. */
  body: string;
  state: FeedbackState;
  attempts: number;
  /** Epoch ms before which no further try is made. */
  nextAt: number;
  lastError: string | null;
  createdAt: number;
  deliveredAt: number | null;
}

/** What is known of a message where its event is shown, also of one that a site sends to its own camera. */
export type CameraMessage = Pick<
  FeedbackRecord,
  'id' | 'eventId' | 'tenantCode' | 'kind' | 'state' | 'lastError' | 'createdAt' | 'deliveredAt'
>;

/**
 * All that a tenant is told: it chooses the address, and details of what answers there would let it explore
 * the operator's network.
 */
export const failureClasses = [
  'address not allowed',
  'connection refused',
  'timed out',
  'unreachable',
  'answered with an error',
  'not sent',
] as const;
export type FailureClass = (typeof failureClasses)[number];
