// Which cameras are told of as turned away. Pure.
import type { AppError } from '../../../common/http/error.ts';
import type { refusalReasons } from '../../intake/schema.ts';

type RefusalReason = (typeof refusalReasons)[number];

/** What is refused without a break for so long, ms, is told: a camera that is being set up is not. */
const AFTER_MS = 5 * 60_000;
/** One refused message of a camera that was heard before may be damaged or forged. */
const ENOUGH = 2;
/** A camera that tries no more is silent, and told as that. */
const FORGET_MS = 86_400_000;

/** Messages of a camera that were refused since one was taken. */
export interface Run {
  count: number;
  /** The first of them, epoch ms. */
  since: number;
}

/** @param last when the last message was refused, epoch ms @param heard whether any was ever taken */
export const isTurnedAway = (
  { count, since }: Run,
  { last, heard, now }: { last: number; heard: boolean; now: number },
): boolean => count >= (heard ? ENOUGH : 1) && now - since >= AFTER_MS && now - last < FORGET_MS;

/** Why a message was refused that a camera signed, or somebody in its name; null: it is to come again. */
export function refusedFor({ status, code }: Pick<AppError, 'status' | 'code'>): RefusalReason | null {
  if (code === 'bad_signature') return 'bad_signature';
  if (code === 'clock_skew') return 'clock_off';
  if (status === 413) return 'too_large';
  return status >= 400 && status < 500 && status !== 429 ? 'invalid' : null;
}
