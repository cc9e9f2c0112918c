// How second factors are kept: what must be read again is sealed, what is only compared is hashed, both under
// the master key, so that a copy of the database alone opens nothing.
import { createHmac } from 'node:crypto';
import { seal, unseal } from '../../../common/secret/sealing.ts';
import { newShortCode } from '../../../common/secret/short-code.ts';

const CODES = 10;

export class FactorKeeping {
  #masterKey: Buffer;
  #codeKey: Buffer;
  #handleKey: Buffer;

  constructor(masterKey: Buffer) {
    this.#masterKey = masterKey;
    this.#codeKey = createHmac('sha256', masterKey).update('fieldline recovery codes').digest();
    this.#handleKey = createHmac('sha256', masterKey).update('fieldline passkeys').digest();
  }

  seal(secret: string, userName: string): string {
    return seal(secret, this.#masterKey, boundTo(userName));
  }

  /** @throws Error when it was sealed under another master key, or for another user */
  unseal(sealed: string, userName: string): string {
    return unseal(sealed, this.#masterKey, boundTo(userName));
  }

  newCodes(userName: string): { codes: string[]; hashes: string[] } {
    const codes = Array.from({ length: CODES }, newShortCode);
    return { codes, hashes: codes.map((code) => this.hashOf(code, userName)) };
  }

  /** By what passkeys know their user, base64url: it tells nobody else who that is. */
  handleOf(userName: string): string {
    return createHmac('sha256', this.#handleKey).update(userName).digest('base64url');
  }

  /** What is compared of a recovery code. */
  hashOf(code: string, userName: string): string {
    return createHmac('sha256', this.#codeKey).update(`${userName}\n${code}`).digest('hex');
  }
}

const boundTo = (userName: string): string => `second factor of ${userName}`;
