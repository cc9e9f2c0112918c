// What is wrong with a passkey, in words for the person who waits.
import { AppError, conflict } from '../../../common/http/error.ts';
import { MOST_PASSKEYS } from './record.ts';

/** @param cause what the library found, for the log */
export const passkeyRefused = (cause?: unknown): AppError =>
  new AppError(
    403,
    'passkey_refused',
    'The answer of the passkey is not true: it is of another address, or was changed or copied. Try again.',
    { cause },
  );

export const passkeyStale = (): AppError =>
  new AppError(403, 'passkey_stale', 'The passkey took too long, or its answer was used already. Try again.');

export const passkeyUnknown = (): AppError =>
  new AppError(403, 'passkey_unknown', 'This passkey opens nothing here; perhaps it was removed.');

export const passkeysOff = (): AppError =>
  new AppError(
    404,
    'passkeys_off',
    'Passkeys need the https:// address of the console with the name of a host (AGENT_LINK_URL).',
  );

export const passkeyKnown = (): AppError =>
  conflict('passkey_known', 'This passkey is registered already. Choose another device.');

export const passkeysMany = (): AppError =>
  conflict('passkeys_many', `There are ${MOST_PASSKEYS} passkeys already. Remove one first.`);
