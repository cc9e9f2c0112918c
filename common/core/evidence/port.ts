import type { Stamp } from '../../clock.ts';
import type { EventDoc, EventRecord } from '../event/record.ts';
import type { EvidenceLimits } from './record.ts';

export type { EvidenceLimits };

/**
 * A file that was announced with an event and has come; where it lies follows from the event and the digest.
 */
export interface EvidenceRecord {
  tenantCode: string;
  eventId: number;
  name: string;
  /** Bytes. */
  size: number;
  /** Lowercase hex. */
  sha256: string;
  storedAt: number;
  /** The site that its event arose at, where that is told apart; left out: here. */
  instance?: string | null;
}

export type StoreEvidenceOutcome = 'stored' | 'known' | OverRoom;
/** Whose room is full: that of all, of the tenant, of the site. */
export type OverRoom = 'over_limit' | 'over_tenant' | 'over_site';

/** Bytes of one tenant's files from one site; what is known here and has none is among them with 0. */
export interface EvidenceUse {
  tenantCode: string;
  /** null: files of events that arose here, or a tenant as such. */
  instance: string | null;
  bytes: number;
}

export interface EvidencePort {
  /** By name. */
  ofEvent(tenantCode: string, eventId: number): Promise<EvidenceRecord[]>;
  /** Bytes of all files. */
  totalSize(): Promise<number>;
  use(): Promise<EvidenceUse[]>;
  /**
   * Writes that a file is there, audited as `evidence.stored` on `event:<id>`, unless it is known or a sum of
   * sizes would pass its limit. Of writers of one file at once one stores it. Pending jobs for the file
   * become due.
   */
  store(
    record: EvidenceRecord,
    limits: EvidenceLimits,
    actor: string,
    stamp: Stamp,
  ): Promise<StoreEvidenceOutcome>;
  /** Those of events up to an id, at most `limit`, for retention. */
  ofEventsUpTo(eventId: number, limit: number): Promise<EvidenceRecord[]>;
  /** The files are gone with their events. */
  forget(records: readonly EvidenceRecord[]): Promise<void>;
}

export type EvidenceJobState = 'pending' | 'done' | 'failed';

/** A file that a consumer wants at an address of its own (spec 2, "Optional push"). */
export interface NewEvidenceJob {
  id: string;
  tenantCode: string;
  eventId: number;
  name: string;
  consumer: string;
  /** Without its query. */
  putUrl: string;
  /** What opens the address, sealed (access.ts); null when it is over. */
  access: string | null;
  /** `failed` for one that cannot be carried out here. */
  state: EvidenceJobState;
  lastError: string | null;
}

export interface EvidenceJob extends NewEvidenceJob {
  /** Tries that reached out. */
  attempts: number;
  /** Epoch ms before which it is left alone. */
  nextAt: number;
  createdAt: number;
  settledAt: number | null;
}

export interface EvidenceJobFilter {
  /** null: every tenant (operator). */
  tenantCode: string | null;
  state?: EvidenceJobState;
  consumer?: string;
}

/**
 * Where a file stands that is kept at the site of its event. `at_site`: only there, and not asked for;
 * `asked`: the site is to bring it; `awaited`: the camera has not sent it there; `lost`: deleted there
 * before it had come.
 */
export const remoteFileStates = ['at_site', 'asked', 'awaited', 'arriving', 'lost', 'failed'] as const;
export type RemoteFileState = (typeof remoteFileStates)[number];

export interface RemoteFile {
  state: RemoteFileState;
  /** The site. */
  instance: string;
  /** Bytes that have come. */
  bytes: number;
  /** What else there is to know, for a person. */
  reason: string | null;
  /** The site sends no files at all, which is the reason. */
  sendsNone: boolean;
  /** Epoch ms. */
  askedAt: number | null;
  deletedAt: number | null;
}

/** Files of events that arose at other instances. */
export interface RemoteEvidence {
  /** Of each file that the event announced, by name. */
  ofEvent(event: EventRecord): Promise<Map<string, RemoteFile>>;
  /** Asks the site for the file, where it takes such wishes. Asking again changes nothing. */
  ask(event: EventRecord, file: AnnouncedFile, actor: string): Promise<RemoteFile>;
  /**
   * Has the site carry out a job. @param here whether the file is here too
   * @returns how it stands, for a person, and whether the site knows of it; null where the job is better
   *   carried out here
   */
  order(
    job: EvidenceJob,
    event: EventRecord,
    file: AnnouncedFile,
    here: boolean,
  ): Promise<{ reason: string; known: boolean } | null>;
}

/** Makes a picture small. */
export interface PictureShrinker {
  /**
   * @param size bytes of the file
   * @returns a JPEG
   * @throws AppError 422 no_small_picture, which says why; 503 small_pictures_unavailable
   */
  shrink(file: string, size: number): Promise<Buffer>;
}

export type AnnouncedFile = NonNullable<EventDoc['evidence']>[number];

/** Jobs are made by `PushPort.delivered`. A settled one forgets what opens its address. */
export interface EvidenceJobPort {
  /**
   * Claims pending jobs that are due by moving their `nextAt` to `now + leaseMs`, oldest first. Two processes
   * never claim the same one.
   */
  claimDue(now: number, leaseMs: number, limit: number): Promise<EvidenceJob[]>;
  get(id: string): Promise<EvidenceJob | null>;
  /**
   * Moves `nextAt` of a pending job without counting a try; a reason becomes its `lastError`, null leaves
   * that. False when it is not pending.
   */
  postpone(id: string, nextAt: number, reason: string | null): Promise<boolean>;
  done(id: string, at: number): Promise<void>;
  /** Counts one failed try. `nextAt` null gives up: state `failed`. */
  failed(id: string, error: string, nextAt: number | null, at: number): Promise<void>;
  /** Newest first, before the position when given, at most `limit`. */
  list(
    filter: EvidenceJobFilter,
    before: { createdAt: number; id: string } | null,
    limit: number,
  ): Promise<EvidenceJob[]>;
  counts(): Promise<{ pending: number; failed: number }>;
}
