import { say } from '../../../common/message.ts';
import { ingestMessages, type UnreadableReason } from './ingest-messages.ts';

/** A document that gives no text. */
export class Unreadable extends Error {
  readonly reason: UnreadableReason;

  constructor(reason: UnreadableReason, cause?: unknown) {
    super(say(ingestMessages, reason, 'en'), cause === undefined ? undefined : { cause });
    this.name = 'Unreadable';
    this.reason = reason;
  }
}
