// A security key made of a program, with every answer that a real one gives, and those that it never should.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What a hub asks, as WebAuthn writes it. */
export interface Asked {
  challenge: string;
  rpId?: string;
  rp?: { id: string };
  user?: { id: string };
  allowCredentials?: { id: string }[];
  userVerification?: string;
}

/** What differs from a true answer. */
export interface Wrong {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Of the person; left out: as the key says. */
  verified?: boolean;
  counter?: number;
  userHandle?: string | null;
}

const [PRESENT, VERIFIED, ATTESTED] = [0x01, 0x04, 0x40];
const url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** One credential for one person at one origin. */
export class Authenticator {
  readonly #key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly #origin: string;
  #userHandle: string | null = null;
  id = url(randomBytes(32));
  counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Answers `navigator.credentials.create`. */
  make(asked: Asked, wrong: Wrong = {}): object {
    this.#userHandle = asked.user?.id ?? null;
    const id = Buffer.from(this.id, 'base64url');
    const length = Buffer.from([0, id.length]);
    const authData = Buffer.concat([
      this.#data(wrong.rpId ?? asked.rp?.id ?? '', ATTESTED, wrong),
      ...[Buffer.alloc(16), length, id, this.#coseKey()],
    ]);
    const attestation = cborMap([
      ['fmt', cborText('none')],
      ['attStmt', Buffer.from([0xa0])],
      ['authData', cborBytes(authData)],
    ]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: url(this.#clientData('webauthn.create', asked, wrong)),
        attestationObject: url(attestation),
        transports: ['internal'],
      },
    };
  }

  /** Answers `navigator.credentials.get`. */
  sign(asked: Asked, wrong: Wrong = {}): object {
    if (this.counter > 0) this.counter += 1;
    const data = this.#data(wrong.rpId ?? asked.rpId ?? '', 0, wrong);
    const clientData = this.#clientData('webauthn.get', asked, wrong);
    const signed = Buffer.concat([data, sha256(clientData)]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: url(clientData),
        authenticatorData: url(data),
        signature: url(sign('sha256', signed, this.#key.privateKey)),
        userHandle: wrong.userHandle === undefined ? this.#userHandle : wrong.userHandle,
      },
    };
  }

  #named() {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {} };
  }

  #clientData(type: string, asked: Asked, wrong: Wrong): Buffer {
    const challenge = wrong.challenge ?? asked.challenge;
    const origin = wrong.origin ?? this.#origin;
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #data(rpId: string, flags: number, { verified = true, counter = this.counter }: Wrong): Buffer {
    const tail = Buffer.alloc(5);
    tail.writeUInt8(PRESENT | flags | (verified ? VERIFIED : 0));
    tail.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), tail]);
  }

  /** ES256, as COSE writes it. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#key.publicKey.export({ format: 'jwk' });
    const coordinate = (text: string): Buffer => cborBytes(Buffer.from(text, 'base64url'));
    const head = [0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21];
    return Buffer.concat([Buffer.from(head), coordinate(x), Buffer.from([0x22]), coordinate(y)]);
  }
}

const cborHead = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([major | length])
    : length < 256
      ? Buffer.from([major | 24, length])
      : Buffer.from([major | 25, length >> 8, length & 0xff]);
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(0x40, bytes.length), bytes]);
const cborText = (text: string): Buffer => Buffer.concat([cborHead(0x60, text.length), Buffer.from(text)]);
const cborMap = (entries: [string, Buffer][]): Buffer =>
  Buffer.concat([
    cborHead(0xa0, entries.length),
    ...entries.flatMap(([name, value]) => [cborText(name), value]),
  ]);
