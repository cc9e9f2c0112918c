import type { Message } from '../../common/message.ts';
import type { AnswerFile, RequestState, SiteRequest } from '../../common/uplink/request/schema.ts';

/** `restarting`: this process ends of it, and the next one answers. */
export type CareState = 'taken' | 'restarting' | RequestState;

/** A request that is not answered yet. */
export interface OpenRequest {
  asked: SiteRequest;
  state: 'taken' | 'restarting';
}

/** What came of a request. */
export interface CareAnswer {
  state: RequestState;
  /** As a command would have ended; null: it was no command. */
  exit: number | null;
  text: string | null;
  file: AnswerFile | null;
  told: Message | null;
}

/** A file of an answer that headquarters does not have yet. */
export interface WaitingFile {
  requestId: string;
  size: number;
}
