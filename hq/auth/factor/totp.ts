// Codes by time (RFC 6238), as every authenticator app makes them.
import { Secret, TOTP } from 'otpauth';

const PERIOD_MS = 30_000;
const SECRET_BYTES = 20;
/** Steps by which the clock of a telephone may be off, either way. */
const WINDOW = 1;

/** base32, as it can be typed into an app. */
export const newTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What an app reads from the picture. */
export const totpAddress = (secret: string, userName: string): string => totpOf(secret, userName).toString();

/** The time step that a code is of; null when it is of none around now. */
export function totpStep(secret: string, code: string, now: number): number | null {
  const off = totpOf(secret, '').validate({ token: code, timestamp: now, window: WINDOW });
  return off === null ? null : Math.floor(now / PERIOD_MS) + off;
}

const totpOf = (secret: string, label: string): TOTP =>
  new TOTP({
    issuer: 'Fieldline',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_MS / 1000,
    secret: Secret.fromBase32(secret),
  });
