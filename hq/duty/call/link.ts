import { createHmac, timingSafeEqual } from 'node:crypto';

/** A link is good for so long after its message was made, ms. */
export const LINK_MS = 24 * 3_600_000;

/**
 * Links by which the receiver of one message takes its call over without logging in: whoever holds one was
 * sent it. Signed, so that a guess costs no look into the database, and used up once the call is taken.
 */
export class CallLinks {
  #key: Buffer;

  /** @param secret the same for every process of one installation */
  constructor(secret: Buffer) {
    this.#key = createHmac('sha256', secret).update('fieldline call link').digest();
  }

  issue(sendingId: string): string {
    return `${sendingId}.${this.#sign(sendingId)}`;
  }

  /** The message that the link was sent with; null: nobody here made it. */
  read(token: string): string | null {
    const [id = '', sign = '', ...rest] = token.split('.');
    if (id === '' || rest.length > 0) return null;
    const [given, right] = [Buffer.from(sign), Buffer.from(this.#sign(id))];
    return given.length === right.length && timingSafeEqual(given, right) ? id : null;
  }

  #sign(sendingId: string): string {
    return createHmac('sha256', this.#key).update(sendingId).digest('base64url');
  }
}
