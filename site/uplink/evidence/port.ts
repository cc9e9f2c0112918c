import type { NewEvidenceJob } from '../../../common/core/evidence/port.ts';
import type { SiteState } from '../../../common/uplink/evidence.ts';

export type WantState = 'open' | 'gone' | 'failed';

/** A file that headquarters wants of this site. */
export interface SiteWant {
  id: string;
  /** `put` has the id of the job that carries it out. */
  kind: 'keep' | 'put';
  tenantCode: string;
  /** 0: the event is not kept here. */
  eventId: number;
  eventKey: string;
  name: string;
  offered: boolean;
  /** Epoch ms. */
  askedAt: number;
  state: WantState;
  reason: string | null;
  /** Of `gone`: when the file was deleted, epoch ms; null: not known. */
  at: number | null;
  /** What headquarters was last told, as `stateText` writes it; null: nothing. */
  told: string | null;
}

/** What headquarters is to be told of a want. */
export interface WantAnswer {
  id: string;
  state: SiteState;
  reason: string | null;
  at: number | null;
}

export interface NamedFile {
  eventId: number;
  tenantCode: string;
  eventKey: string;
  name: string;
}

/** An open `keep` want whose file is here. */
export interface ReadyFile {
  id: string;
  tenantCode: string;
  eventId: number;
  name: string;
  size: number;
  sha256: string;
  /** Nobody asked for it: the site had offered it. */
  offered: boolean;
}

/** A picture of which headquarters has no preview yet. */
export interface PreviewedFile extends NamedFile {
  size: number;
  sha256: string;
}

export interface EvidenceBacklog {
  /** Files that wait to go to headquarters, wanted or to be offered, and their bytes. */
  files: number;
  bytes: number;
  /** When the first of them was asked for, or its event received, epoch ms. */
  oldestAt: number | null;
  /** Wanted files that the camera has not sent. */
  awaited: number;
  /** Orders to send a file to a consumer's storage that are not carried out yet. */
  orders: number;
}

/** The site's side of what travels beside the channels: each method is one transaction. */
export interface EvidenceWantPort {
  /**
   * Writes wants that are not known, with their jobs; of those that are known headquarters is told again.
   */
  take(wants: readonly { want: SiteWant; job: NewEvidenceJob | null }[]): Promise<void>;
  /** Open `keep` wants of other tenants than these whose file is here: what was asked for first. */
  ready(limit: number, without: readonly string[]): ReadyFile[];
  /** The next picture of such a tenant to send a preview of, of events up to an id: of the gravest first. */
  previewed(lastEventId: number, without: readonly string[]): PreviewedFile | null;
  /** No preview of it is to be sent any more. */
  previewSettled(file: Pick<PreviewedFile, 'eventId' | 'name'>): Promise<void>;
  previewsWaiting(): number;
  /** Settles open wants whose file or event was deleted, and the jobs that wait for them. */
  lose(now: number): Promise<void>;
  /** Ends a want that headquarters does not have any more. */
  end(id: string): Promise<void>;
  /** Ends a want whose file headquarters has said that it holds, and notes that of the file. */
  arrived(id: string): Promise<void>;
  /** Notes that headquarters holds these files. */
  held(files: readonly Omit<NamedFile, 'eventId'>[]): Promise<void>;
  fail(id: string, reason: string): Promise<void>;
  /** What has changed since headquarters was told. */
  untold(limit: number): WantAnswer[];
  /** Files to offer of events up to an id, and deleted files that headquarters was not told of. */
  offers(lastEventId: number, limit: number): NamedFile[];
  goneUntold(lastEventId: number, limit: number): (NamedFile & { at: number })[];
  /** Notes what headquarters has been told. Wants that are settled are deleted. */
  told(
    states: readonly WantAnswer[],
    offers: readonly NamedFile[],
    gone: readonly NamedFile[],
  ): Promise<void>;
  waiting(): EvidenceBacklog;
}

export const stateText = ({ state, reason }: Pick<WantAnswer, 'state' | 'reason'>): string =>
  `${state}|${reason ?? ''}`;
