import type { Message } from '../../../common/message.ts';
import type { AnswerFile, RequestKind, SiteRequest } from '../../../common/uplink/request/schema.ts';

/** What a request says beside its kind. */
export type AskedFor = Pick<SiteRequest, 'device' | 'lines' | 'seconds' | 'language'>;

/**
 * `open`: it waits here or at the site. `expired`: its time was over before it was carried out. `withdrawn`:
 * it is not wanted here any more; a site that has it by then may carry it out, and its answer counts.
 */
export const rowStates = ['open', 'done', 'failed', 'refused', 'expired', 'withdrawn'] as const;

export interface RequestRow {
  id: string;
  tenantCode: string;
  instance: string;
  what: RequestKind;
  asked: AskedFor;
  askedBy: string;
  askedAt: number;
  expiresAt: number;
  state: (typeof rowStates)[number];
  /** When it first went down; null: it waits here. */
  sentAt: number | null;
  answeredAt: number | null;
  /** As a command of the site would have ended. */
  exit: number | null;
  text: string | null;
  file: AnswerFile | null;
  /** Bytes of the file that are here. */
  held: number;
  fileWhole: boolean;
  reason: string | null;
  told: Message | null;
}

export type NewRequest = Pick<
  RequestRow,
  'id' | 'tenantCode' | 'instance' | 'what' | 'asked' | 'askedBy' | 'askedAt' | 'expiresAt'
>;

/** A site, as far as asking it goes. */
export interface AskedSite {
  tenants: string[];
  /** What it last said of being looked into; null: an older version, or it was never heard. */
  care: 'on' | 'off' | null;
}
