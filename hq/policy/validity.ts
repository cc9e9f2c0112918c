import { BEIJING_OFFSET_MINUTES, parseTime } from '../../common/time.ts';
import { ALWAYS_FROM, NEVER_UNTIL, type PolicyDocument } from './record.ts';

const DAY_MS = 86_400_000;

/** Start of a calendar day in Beijing, epoch ms; null for what is no day `YYYY-MM-DD`. */
export function beijingDay(text: string): number | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseTime(`${text}T00:00:00`, BEIJING_OFFSET_MINUTES) : null;
}

/**
 * Dates of a policy file as moments. It is valid from 00:00 Beijing time of its effective date to the end of
 * its expiry date; without the one it is valid as soon as it is effective, without the other for ever.
 */
export function validityOf(
  effectiveDate: string | null,
  expiryDate: string | null,
): { validFrom: number; validUntil: number } {
  const from = effectiveDate === null ? null : beijingDay(effectiveDate);
  const last = expiryDate === null ? null : beijingDay(expiryDate);
  return { validFrom: from ?? ALWAYS_FROM, validUntil: last === null ? NEVER_UNTIL : last + DAY_MS };
}

export type ValidityFacts = Pick<PolicyDocument, 'status' | 'validFrom' | 'validUntil'>;

/**
 * Why chunks of a file may not be found and cited now, clearance aside; empty when they may (spec 3,
 * "Citation check reasons").
 */
export function outOfForce(
  { status, validFrom, validUntil }: ValidityFacts,
  now: number,
): '' | 'superseded' | 'withdrawn' | 'not_effective' | 'expired' | 'not_yet_effective' {
  if (status === 'superseded' || status === 'withdrawn') return status;
  if (status === 'scheduled') return 'not_yet_effective';
  if (status !== 'effective') return 'not_effective';
  if (now >= validUntil) return 'expired';
  return now < validFrom ? 'not_yet_effective' : '';
}

export const isInForce = (document: ValidityFacts, now: number): boolean => outOfForce(document, now) === '';
