// How a person proves who it is: by password, and by what a browser keeps. The library for passkeys is loaded
// with the first press.
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { answerOf, api } from '../api/client.ts';
import { Refused } from '../api/fault.ts';
import type { Identity } from '../session/session.tsx';

interface Credentials {
  name: string;
  password: string;
  /** Of the authenticator app, or a recovery code; where it was asked for. */
  code?: string;
}
type Options = Record<string, unknown>;

/** The browser gave no passkey: the person broke it off, it took too long, or there is none. */
export class PasskeyNotGiven extends Error {
  constructor(cause: unknown) {
    super('The browser gave no passkey.', { cause });
    this.name = 'PasskeyNotGiven';
  }
}

/** @param origin the address at which passkeys can be; null: none */
export const canPasskey = (origin: string | null): boolean =>
  origin === window.location.origin && 'PublicKeyCredential' in window;

/** @throws Refused 401 invalid_credentials, second_factor_required, 429 too_many_attempts */
export const byPassword = (body: Credentials): Promise<Identity> =>
  answerOf(api.POST('/api/core/session/login', { body }));

/** @throws Refused as `byPassword`, PasskeyNotGiven */
export async function byPasswordAndPasskey(credentials: Credentials): Promise<Identity> {
  try {
    return await byPassword(credentials);
  } catch (error) {
    const options = optionsOf(error);
    if (options === null) throw error;
    const body = { ...credentials, passkey: await signed(options) };
    return answerOf(api.POST('/api/core/session/login', { body }));
  }
}

/** In place of the password. @throws Refused 403, 429, PasskeyNotGiven */
export async function byPasskey(): Promise<Identity> {
  const { options } = await answerOf(api.POST('/api/core/session/passkey/start'));
  const body = { credential: await signed(options) };
  return answerOf(api.POST('/api/core/session/passkey/finish', { body }));
}

/** What the browser is asked for beside the password; null: nothing. */
export function optionsOf(error: unknown): Options | null {
  if (!(error instanceof Refused) || error.code !== 'second_factor_required') return null;
  const { passkey } = error.body;
  return typeof passkey === 'object' && passkey !== null ? { ...passkey } : null;
}

/** Has the browser make one. @throws PasskeyNotGiven */
export async function made(options: Options) {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const { id, rawId, type, response } = await given(startRegistration({ optionsJSON }));
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports } };
}

async function signed(options: Options) {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const { id, rawId, type, response } = await given(startAuthentication({ optionsJSON }));
  const { clientDataJSON, authenticatorData, signature, userHandle = null } = response;
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature, userHandle } };
}

async function given<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw new PasskeyNotGiven(error);
  }
}
