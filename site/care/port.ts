import type { Stamp } from '../../common/clock.ts';
import type { Message } from '../../common/message.ts';
import type { SiteRequest } from '../../common/uplink/request/schema.ts';
import type { Carried } from '../uplink/inbox/port.ts';
import type { CareAnswer, OpenRequest, WaitingFile } from './record.ts';

/** Requests of headquarters on this site's disk; each method is one transaction. */
export interface CarePort {
  /**
   * Notes a request with an entry of the audit, unless it is known. Where too many are open it is refused.
   * @param refusal why it is not to be carried out; null: it is
   */
  take(asked: SiteRequest, refusal: Message | null, stamp: Stamp): Promise<Carried>;
  /** Those that are not answered, oldest first. */
  open(): OpenRequest[];
  /** The process is about to end of it. */
  restarting(requestId: string): Promise<void>;
  /** Notes the answer, which goes up with the log; one that is answered stays as it is. */
  settle(requestId: string, answer: CareAnswer, stamp: Stamp): Promise<void>;
  /** Files that headquarters is yet to have, oldest first. */
  files(): WaitingFile[];
  /** Headquarters has the file, or does not want it. */
  fileSent(requestId: string): Promise<void>;
}
