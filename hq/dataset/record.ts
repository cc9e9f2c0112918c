import type { DatasetDescriptor } from '../../common/dataset/schema.ts';
import type { Message } from '../../common/message.ts';

/** What landed rows are made into; `none`: they are only kept. */
export const processors = [
  'projects',
  'wbs_nodes',
  'milestones',
  'ncrs',
  'hazards',
  'purchase_orders',
  'none',
] as const;
export type Processor = (typeof processors)[number];

/**
 * `landing`: the first complete pull is under way; `increment`: rows after the cursor; `recompute`:
 * everything again, whatever the cursor is.
 */
export type PullMode = 'landing' | 'increment' | 'recompute';

/** What went wrong, as text and, where it has one, as a message. */
export interface Trouble {
  text: string;
  told: Message | null;
}

/** A business system that datasets are pulled from. */
export interface SourceRecord {
  id: string;
  tenantCode: string;
  name: string;
  /** Beginning of its addresses, without a slash at the end. */
  baseUrl: string;
  keyId: string;
  secretRef: string;
  /** Cron expression, in Beijing time. */
  schedule: string;
  enabled: boolean;
  /** Rows of a page. */
  pageRows: number;
  /** Milliseconds before the cursor that each run reads again, for rows that a source commits late. */
  overlapMs: number;
  createdAt: number;
  updatedAt: number;
  /** Epoch ms; null while it is disabled, and during a run unless another was asked for meanwhile. */
  nextRunAt: number | null;
  /** Runs in a row that did not reach the source. */
  failures: number;
  lastError: string | null;
}

/** One dataset of a source and how far it has been pulled. */
export interface DatasetState {
  dataset: string;
  processor: Processor;
  /** What the source declared when it was taken up, or what a person has accepted since. */
  contract: DatasetDescriptor | null;
  /** What it declares now, where that is something else. */
  offered: DatasetDescriptor | null;
  mode: PullMode;
  /**
   * Position up to which every row has landed and been processed, as text; null before the first complete
   * pull.
   */
  cursor: string | null;
  /**
   * Position before which nothing can be committed late any more, so that no run reads it again; null where
   * none is known.
   */
  settled: string | null;
  /** Position of a landing or a recompute that is under way. */
  runCursor: string | null;
  /**
   * Raised by 1 with every recompute: rows that still carry an older generation at its end no longer exist at
   * the source.
   */
  generation: number;
  completedAt: number | null;
  /** Of the run under way, or of the last one. */
  runStartedAt: number | null;
  runEndedAt: number | null;
  runRows: number;
  /** Time up to which the source had served its rows at the last complete run. */
  asOf: string | null;
  lastSuccessAt: number | null;
  lastError: string | null;
  /** The same as a message; null where it is none, or came from elsewhere in the program. */
  lastErrorTold: Message | null;
  failures: number;
  rowsTotal: number;
  changedTotal: number;
  duplicateTotal: number;
  /** Rows that are kept, markers of deleted ones with them. */
  rowsKept: number;
  /** What they take on the disk, about. */
  bytesKept: number;
}

/** Rows and bytes of what has landed: how much there is, or the most that a tenant may have. */
export interface LandedShare {
  rows: number;
  bytes: number;
}

export interface Source extends SourceRecord {
  datasets: DatasetState[];
  /** Whether some process pulls it now. */
  running: boolean;
}

/** A source taken by one process. Whoever holds another token writes nothing. */
export interface PullLease {
  sourceId: string;
  token: string;
  /** Epoch ms. */
  until: number;
}

/**
 * By the name of the field; an integer beyond 2^53, or a decimal that a double rounds, is text, its digits.
 */
export type FieldValues = Record<string, string | number | boolean | null>;

/** A row that keeps the contract. */
export interface LandedRow {
  pk: string;
  /** `Position.updatedAt`. */
  updatedAt: string;
  deleted: boolean;
  fields: FieldValues;
}

/** A page to be landed. */
export interface Batch {
  dataset: string;
  /** Cursor that the page was asked with, and the state's that it goes out from. */
  expected: { mode: PullMode; cursor: string | null; runCursor: string | null };
  to: string | null;
  rows: LandedRow[];
  /** The most that the tenant's datasets may take together. */
  most: LandedShare;
}
