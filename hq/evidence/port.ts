import type { EvidenceUse } from '../../common/core/evidence/port.ts';
import type { EvidenceMode } from '../../common/core/evidence/schema.ts';
import type { SiteState } from '../../common/uplink/evidence.ts';

/** `asked`: the site has not said that it knows. The first five are open. */
export type WantState = 'asked' | 'taken' | 'awaited' | 'waiting' | 'arriving' | 'gone' | 'failed';

/** A file of a site's event that is wanted here, or of which the site told that it is gone. */
export interface Want {
  id: string;
  tenantCode: string;
  /** Where the event arose. */
  instance: string;
  eventId: number;
  eventKey: string;
  name: string;
  /** `put` has the id of the job that it serves. */
  kind: 'keep' | 'put';
  state: WantState;
  size: number;
  sha256: string;
  /** Bytes that are durable here. */
  held: number;
  /** Times that the whole was not what was announced. */
  mismatches: number;
  reason: string | null;
  /** The site offered it; null where it was asked for here. */
  askedBy: string | null;
  askedAt: number;
  /** When the site last brought or said something of it. */
  updatedAt: number;
  /** Epoch of the site's store that knows of it. */
  toldEpoch: string | null;
  /** Epoch ms; of `gone`, when it was deleted there. */
  settledAt: number | null;
}

export type NewWant = Pick<
  Want,
  'id' | 'tenantCode' | 'instance' | 'eventId' | 'eventKey' | 'name' | 'kind' | 'size' | 'sha256' | 'askedBy'
>;

/** What a site last said of its files. */
export interface SiteEvidence {
  mode: EvidenceMode;
  backlogFiles: number;
  backlogBytes: number;
  heardAt: number;
  receivedFiles: number;
  receivedBytes: number;
  lastReceivedAt: number | null;
}

/** Of one instance. */
export interface WantCounts {
  /** Open `keep` wants, and the bytes of them that are not here. */
  files: number;
  bytes: number;
  /** When the first of them was asked for, epoch ms. */
  oldestAt: number | null;
  /** Why the last file failed or is held up. */
  lastReason: string | null;
  /** Open `put` wants. */
  orders: number;
  gone: number;
  failed: number;
}

export interface WantPort {
  /**
   * Writes a want unless there is one: there is one for each kept file, and one for each job. A want that
   * failed is replaced, under the new id; one that the site had offered becomes that of whoever asks now. Of
   * a file that has come meanwhile nothing is written.
   */
  ask(want: NewWant, now: number): Promise<Want>;
  /** The same of files that a site offers, all in one transaction: each is a write to the disk. */
  offered(wants: readonly NewWant[], now: number): Promise<void>;
  /** What is wanted of an event, or gone at its site. */
  ofEvent(tenantCode: string, eventId: number): Promise<Want[]>;
  find(id: string): Promise<Want | null>;
  /** Those of these ids that there are. */
  among(ids: readonly string[]): Promise<Want[]>;
  /**
   * The sites of these names are told again of open wants of which nothing was heard since `silentSince`.
   */
  again(instances: readonly string[], silentSince: number, now: number): Promise<void>;
  /** Sets `held` to `to` if it is still `from`. False when it is not, or when the want is no longer open. */
  hold(id: string, from: number, to: number, now: number): Promise<boolean>;
  /** The whole was not what was announced: from the start again, or `failed` with a reason. */
  mismatched(id: string, failed: string | null, now: number): Promise<void>;
  /**
   * Deletes a want whose file is here, or whose order was carried out. A kept file is counted for its site.
   */
  fulfilled(want: Want, now: number): Promise<void>;
  /** What the site says of open wants. `at`: epoch ms, of the deletion */
  told(
    said: readonly { id: string; state: SiteState; reason: string | null; at: number | null }[],
    site: { epoch: string; now: number },
  ): Promise<void>;
  /**
   * Notes that files are deleted at the site, at `at`; changes nothing where there is a want of the file
   * already, in whatever state.
   */
  gone(files: readonly { want: NewWant; at: number }[], now: number): Promise<void>;
  /** Bytes of files that are here in part, by whose they are. */
  heldBytes(): Promise<EvidenceUse[]>;
  /** Ids of open `keep` wants among these. */
  openAmong(ids: readonly string[]): Promise<Set<string>>;
  /** The events are deleted. @returns ids of the wants that went with them */
  forget(eventIds: readonly number[]): Promise<string[]>;
  heard(
    instance: string,
    said: Pick<SiteEvidence, 'mode' | 'backlogFiles' | 'backlogBytes'>,
    now: number,
  ): Promise<void>;
  sites(): Promise<Map<string, SiteEvidence>>;
  counts(): Promise<Map<string, WantCounts>>;
  /** `sites` and `counts` as of one moment: what is counted as received is not waited for any more. */
  overview(): Promise<{ sites: Map<string, SiteEvidence>; counts: Map<string, WantCounts> }>;
}
