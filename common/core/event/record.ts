import type { VerdictValue } from '../verdict/schema.ts';
import type { EventKind, EventSource, Severity } from './schema.ts';

/**
 * An event as the stores keep it. `doc` is the JSON text of an object holding
 * the reader-facing members that no store needs as columns (siteRef, cameraRef,
 * cameraName, pointRef, title, description, localAlertNo, feedbackUrl, judged,
 * evidence, payload). It is written once at intake and spliced, not parsed,
 * when events are served.
 */
export interface NewEvent {
  tenantCode: string;
  idempotencyKey: string;
  type: string;
  kind: EventKind;
  source: EventSource;
  severity: Severity | null;
  /** Epoch milliseconds; null when the camera gave none. */
  occurredAt: number | null;
  isTest: boolean;
  /** Key id of the node that posted it; null when it came by uplink. */
  nodeKey: string | null;
  doc: string;
  /** What `factsOf` reads in `doc`, from whoever has just written it and need not parse it. */
  facts?: DocFacts;
  /** Set on events that arose at another instance and came by uplink. */
  origin?: EventOrigin;
}

export interface EventOrigin {
  instance: string;
  originId: number;
  /** Receipt time at the instance where it arose, epoch milliseconds. */
  receivedAt: number;
}

export interface EventRecord {
  id: number;
  tenantCode: string;
  idempotencyKey: string;
  type: string;
  kind: EventKind;
  source: EventSource;
  severity: Severity | null;
  occurredAt: number | null;
  /**
   * Receipt at this store, epoch milliseconds, never less than that of any
   * smaller id (DESIGN.md, "Two stores"): the 2-second watermark rests on it.
   */
  receivedAt: number;
  isTest: boolean;
  nodeKey: string | null;
  /** Instance where the event arose; null: at this one. */
  instance: string | null;
  /** Its id there; null: the same as `id`. */
  originId: number | null;
  /** Receipt time there, epoch milliseconds; null: the same as `receivedAt`. */
  originReceivedAt: number | null;
  doc: string;
  verdict: VerdictValue | null;
  /** Value of the newest correction, which stands beside the first verdict. */
  correctedTo: VerdictValue | null;
}

/** The members of `doc` that lists filter by and statistics group by. */
export interface DocFacts {
  siteRef: string | null;
  cameraRef: string | null;
  judged: boolean;
  judgedType: string | null;
}

/** The members of `doc`, for the few readers that need one of them. */
export interface EventDoc {
  siteRef?: string;
  cameraRef?: string;
  cameraName?: string;
  pointRef?: string;
  title?: string;
  description?: string;
  localAlertNo?: string;
  feedbackUrl?: string;
  judged?: Judged;
  evidence?: { name: string; contentType: string; size: number; sha256: string }[];
  payload?: Record<string, unknown>;
  /** The clock of the store that received it was not to be trusted then. */
  clockSuspect?: boolean;
}

export interface Judged {
  type?: string;
  confidence?: number;
  by?: string;
  modelVersion?: string;
  basisVersion?: string;
  text?: string;
}

/** Numbers that JavaScript cannot hold are rounded here; what is shown to readers is the text itself. */
export function readDoc(record: { doc: string }): EventDoc {
  return JSON.parse(record.doc) as EventDoc;
}
