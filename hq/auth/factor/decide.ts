// What a second factor is asked for, and what was typed. Pure.
import type { Role } from '../../../common/http/access.ts';
import { readShortCode } from '../../../common/secret/short-code.ts';
import type { Demand } from './record.ts';

export const isDemanded = (demand: Demand, role: Role): boolean =>
  demand === 'all' || (demand === 'operators' && role === 'operator');

export type TypedCode = { kind: 'totp' | 'recovery'; code: string };

/** A code of an authenticator app, or a recovery code, as it was typed; null for what is neither. */
export function readTypedCode(typed: string): TypedCode | null {
  const digits = typed.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(digits)) return { kind: 'totp', code: digits };
  const code = readShortCode(typed);
  return code === null ? null : { kind: 'recovery', code };
}
