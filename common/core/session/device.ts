import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Marks a browser in which a user has logged in before. Attempts from it are counted apart, so that a
 * stranger who guesses, also from the same address or through the same proxy, does not hold up the owner.
 * A mark opens nothing: the password is asked for all the same.
 */
export class DeviceMarks {
  #key: Buffer;

  /** @param secret the same for every process of one installation */
  constructor(secret: Buffer) {
    this.#key = createHmac('sha256', secret).update('fieldline device mark').digest();
  }

  issue(userName: string): string {
    const nonce = randomBytes(16).toString('base64url');
    return `${nonce}.${this.#seal(nonce, userName)}`;
  }

  /** What tells the browser from others, or null when the mark was not given to this user here. */
  read(mark: string | undefined, userName: string): string | null {
    const [nonce = '', seal = '', ...rest] = (mark ?? '').split('.');
    if (nonce === '' || rest.length > 0) return null;
    const [given, right] = [Buffer.from(seal), Buffer.from(this.#seal(nonce, userName))];
    return given.length === right.length && timingSafeEqual(given, right) ? nonce : null;
  }

  #seal(nonce: string, userName: string): string {
    return createHmac('sha256', this.#key).update(`${nonce}\n${userName.toLowerCase()}`).digest('base64url');
  }
}
