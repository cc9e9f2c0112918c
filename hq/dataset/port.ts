import type { Stamp } from '../../common/clock.ts';
import type { DatasetDescriptor } from '../../common/dataset/schema.ts';
import type {
  Batch,
  DatasetState,
  LandedShare,
  Processor,
  PullLease,
  Source,
  SourceRecord,
  Trouble,
} from './record.ts';

export type NewSource = Omit<SourceRecord, 'failures' | 'lastError'>;
export type SourceChange = Partial<
  Pick<
    SourceRecord,
    | 'name'
    | 'baseUrl'
    | 'keyId'
    | 'secretRef'
    | 'schedule'
    | 'enabled'
    | 'pageRows'
    | 'overlapMs'
    | 'nextRunAt'
  >
>;
export interface DatasetChoice {
  dataset: string;
  processor: Processor;
}

/**
 * Sources as people manage them. `tenant` null: any tenant's; otherwise another tenant's source does not
 * exist. Each change is audited in its transaction.
 */
export interface SourcePort {
  /**
   * @throws conflict `source_exists` (the name within the tenant), `processor_taken` (another source of the
   * tenant feeds it)
   */
  create(
    source: NewSource,
    datasets: readonly DatasetChoice[],
    by: { actor: string; stamp: Stamp },
  ): Promise<Source>;
  list(tenant: string | null): Promise<Source[]>;
  get(id: string, tenant: string | null): Promise<Source | null>;
  /** What the datasets of each tenant take. */
  kept(): Promise<KeptByTenant[]>;
  /**
   * Changes what is given and ends a run under way. A dataset that is left out of `datasets` goes with its
   * rows, a new one begins from the start, one whose processor changes begins anew. null when there is no
   * such source. @throws as `create`
   */
  change(
    id: string,
    tenant: string | null,
    change: { set: SourceChange; datasets?: readonly DatasetChoice[] | undefined },
    by: { actor: string; stamp: Stamp },
  ): Promise<Source | null>;
  /** The source with its landed rows and what was made of them. False when there is none. */
  remove(id: string, tenant: string | null, by: { actor: string; stamp: Stamp }): Promise<boolean>;
  /**
   * Runs it at once; with `recompute`, those datasets from the start. null as above. @throws 404 for a
   * dataset that it does not have
   */
  request(
    id: string,
    tenant: string | null,
    wanted: { recompute: readonly string[] | 'all' | null },
    by: { actor: string; stamp: Stamp },
  ): Promise<Source | null>;
  /**
   * Makes what the source offers the contract. @throws conflict `nothing_offered`, `other_version_offered`
   * ; 404
   */
  accept(
    id: string,
    tenant: string | null,
    wanted: { dataset: string; schemaVersion: string },
    by: { actor: string; stamp: Stamp },
  ): Promise<Source | null>;
}

export interface KeptByTenant extends LandedShare {
  tenantCode: string;
  /** The dataset that takes most of it, with the name of its source. */
  largest: { source: string; dataset: string };
}

export interface Landed {
  state: DatasetState;
  changed: number;
  duplicates: number;
}

/** Nothing of the batch was taken, since the datasets of the tenant would be beyond what they may have. */
export interface ShareReached {
  /** What they take. */
  reached: LandedShare;
}

export interface RepeatedCode {
  code: string;
  /** Ids of the business system. */
  projects: string[];
}

/**
 * What a pull does. Each method writes nothing, and says so by null or false, when the lease is no longer
 * held.
 */
export interface PullPort {
  /**
   * Takes one enabled source that is due and held by nobody; one that another process is taking is passed
   * over.
   */
  claim(lease: Omit<PullLease, 'sourceId'>, now: number): Promise<Source | null>;
  renew(lease: PullLease): Promise<boolean>;
  release(lease: PullLease, outcome: { nextRunAt: number | null; error: string | null }): Promise<boolean>;
  /** Whether another run was asked for since this one began or was last asked; it is this one's then. */
  takeRequest(lease: PullLease): Promise<boolean>;
  begin(lease: PullLease, dataset: string, now: number): Promise<DatasetState | null>;
  /** Takes the declared fields as the contract, unless there is one already. Audited. */
  pin(lease: PullLease, dataset: string, contract: DatasetDescriptor, stamp: Stamp): Promise<boolean>;
  /** Keeps what the source declares instead of the contract; null: they are the same. */
  offer(lease: PullLease, dataset: string, offered: DatasetDescriptor | null): Promise<boolean>;
  /**
   * In one transaction: lands the rows that are newer than what is there (in a recompute, all), processes
   * those, tells business events, and moves the cursor. A batch that makes nothing larger is always taken.
   * @throws conflict `cursor_moved` when the dataset is
   * not where the batch goes out from
   */
  land(lease: PullLease, batch: Batch, stamp: Stamp): Promise<Landed | ShareReached | null>;
  /**
   * After the last page of a recompute: deletes what the source no longer has, a part at a time. @param
   * spared keys of rows that it has although they were not taken @returns rows that were deleted; 0 at the
   * end
   */
  sweep(lease: PullLease, dataset: string, spared: readonly string[], stamp: Stamp): Promise<number | null>;
  /**
   * The run has reached the end: cursor, completion and what is computed over everything, in one transaction.
   * @param end `trouble`: what was left out although the run is complete; null: nothing. `settled`: as of the
   * state; null: no more than before
   */
  complete(
    lease: PullLease,
    dataset: string,
    end: { asOf: string; trouble: Trouble | null; settled: string | null },
    stamp: Stamp,
  ): Promise<boolean>;
  /** Codes that several live projects of the tenant have, at most `limit` of them. */
  repeatedCodes(tenantCode: string, limit: number): Promise<RepeatedCode[]>;
  /** Ends the run of one dataset without success. @returns failures in a row, null when the lease is lost */
  failed(lease: PullLease, dataset: string, trouble: Trouble, now: number): Promise<number | null>;
}
