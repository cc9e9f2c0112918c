/** A document that gives no text; the message says why and completes "The file could not be read: …". */
export class Unreadable extends Error {
  constructor(why: string, cause?: unknown) {
    super(why, cause === undefined ? undefined : { cause });
    this.name = 'Unreadable';
  }
}
