// What a browser is asked, and whether its answer is true. The library that reads answers is loaded with the
// first one: few hubs have passkeys, and it is some ten thousand lines.
import { hash } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Clock } from '../../../common/clock.ts';
import type { FactorKeeping } from '../factor/keeping.ts';
import type { PasskeyPort } from './port.ts';
import { CHALLENGE_MS, type PasskeyPlace, type PasskeyRecord } from './record.ts';
import { passkeyRefused, passkeyStale, passkeyUnknown } from './refusals.ts';
import type { PasskeyAnswer, PasskeyMade } from './schema.ts';

const library = () => import('@simplewebauthn/server');

export interface PasskeyCeremonyOptions {
  place: PasskeyPlace;
  passkeys: PasskeyPort;
  keeping: FactorKeeping;
  clock: Clock;
}

/** A signature that was right; using it up is for who starts the session. */
export interface Asserted {
  passkey: PasskeyRecord;
  counter: number;
}

/** Asks browsers for passkeys, and reads what they answer. */
export class PasskeyCeremony {
  readonly #options: PasskeyCeremonyOptions;

  constructor(options: PasskeyCeremonyOptions) {
    this.#options = options;
  }

  get place(): PasskeyPlace {
    return this.#options.place;
  }

  /** For a new one. @param boundTo what alone may answer */
  async askNew(userName: string, boundTo: string): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { place, passkeys, keeping } = this.#options;
    const { generateRegistrationOptions } = await library();
    const present = await passkeys.list(userName);
    const options = await generateRegistrationOptions({
      rpName: 'Fieldline',
      rpID: place.rpId,
      userName,
      userDisplayName: userName,
      userID: Buffer.from(keeping.handleOf(userName), 'base64url'),
      timeout: CHALLENGE_MS,
      excludeCredentials: present.map(named),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    await this.#keep(options.challenge, boundTo);
    return options;
  }

  /** @throws AppError 403 passkey_stale, passkey_refused */
  async readNew(
    made: PasskeyMade,
    boundTo: string,
  ): Promise<Pick<PasskeyRecord, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'rpId'>> {
    const { place } = this.#options;
    const expectedChallenge = await this.#taken(made.response.clientDataJSON, boundTo);
    const { verifyRegistrationResponse } = await library();
    const read = await verifyRegistrationResponse({
      response: { ...made, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: place.origin,
      expectedRPID: place.rpId,
      requireUserVerification: false,
    }).catch((error: unknown) => {
      throw passkeyRefused(error);
    });
    if (!read.verified) throw passkeyRefused();
    const { id, publicKey, counter } = read.registrationInfo.credential;
    return {
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: made.response.transports ?? [],
      rpId: place.rpId,
    };
  }

  /**
   * For a signature. @param userName of whom; null: of whoever has a passkey here, verified by it
   */
  async askSigned(userName: string | null, boundTo: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { place } = this.#options;
    const { generateAuthenticationOptions } = await library();
    const options = await generateAuthenticationOptions({
      rpID: place.rpId,
      timeout: CHALLENGE_MS,
      ...(userName === null ? {} : { allowCredentials: (await this.of(userName)).map(named) }),
      userVerification: userName === null ? 'required' : 'preferred',
    });
    await this.#keep(options.challenge, boundTo);
    return options;
  }

  /**
   * @param userName whose passkey it must be; null: anybody's, and the person was verified by it
   * @throws AppError 403 passkey_stale, passkey_unknown, passkey_refused
   */
  async readSigned(answer: PasskeyAnswer, userName: string | null, boundTo: string): Promise<Asserted> {
    const { place, passkeys, keeping } = this.#options;
    const expectedChallenge = await this.#taken(answer.response.clientDataJSON, boundTo);
    const passkey = await passkeys.find(answer.id);
    if (!passkey || (userName !== null && passkey.userName !== userName)) throw passkeyUnknown();
    const { userHandle } = answer.response;
    const handle = keeping.handleOf(passkey.userName);
    if (userHandle ? userHandle !== handle : userName === null) throw passkeyRefused();
    const { verifyAuthenticationResponse } = await library();
    const read = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: place.origin,
      expectedRPID: place.rpId,
      credential: {
        id: passkey.credentialId,
        publicKey: Buffer.from(passkey.publicKey, 'base64url'),
        counter: passkey.counter,
      },
      requireUserVerification: userName === null,
    }).catch((error: unknown) => {
      throw passkeyRefused(error);
    });
    if (!read.verified) throw passkeyRefused();
    return { passkey, counter: read.authenticationInfo.newCounter };
  }

  /** Whose it says that it is; null: nobody's here. */
  async ownerOf({ id }: PasskeyAnswer): Promise<string | null> {
    return (await this.#options.passkeys.find(id))?.userName ?? null;
  }

  /** Those of a user that work at this address. */
  async of(userName: string): Promise<PasskeyRecord[]> {
    const { passkeys, place } = this.#options;
    return (await passkeys.list(userName)).filter(({ rpId }) => rpId === place.rpId);
  }

  async #keep(challenge: string, boundTo: string): Promise<void> {
    const now = this.#options.clock.now();
    const row = { id: idOf(challenge), boundTo, expiresAt: now + CHALLENGE_MS };
    await this.#options.passkeys.ask(row, now);
  }

  /** A challenge is gone with the first answer, whatever that is worth. */
  async #taken(clientData: string, boundTo: string): Promise<string> {
    const { passkeys, clock } = this.#options;
    const challenge = challengeOf(clientData);
    if (challenge === null) throw passkeyRefused();
    if (!(await passkeys.take(idOf(challenge), boundTo, clock.now()))) throw passkeyStale();
    return challenge;
  }
}

const idOf = (challenge: string): string => hash('sha256', challenge, 'hex');

const named = ({ credentialId: id, transports }: PasskeyRecord) => ({ id, transports });

function challengeOf(clientData: string): string | null {
  try {
    const read = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')) as unknown;
    const { challenge } = (read ?? {}) as { challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}
