import type { LeftOutRow } from './record.ts';

const FIRST_MS = 60_000;
/** No row waits longer, ms. */
export const LONGEST_MS = 3_600_000;
const MAX_REASON = 500;

export interface NotedRow extends LeftOutRow {
  reason: string;
  firstAt: number;
  nextAt: number;
}

/** How a row that failed is noted. @param firstAt of the first failure in a row; null: this one */
export function decideLeftOut(
  row: LeftOutRow,
  reason: string,
  firstAt: number | null,
  now: number,
): NotedRow {
  const failedFor = firstAt === null ? 0 : Math.abs(now - firstAt);
  return {
    ...row,
    reason: reason.slice(0, MAX_REASON).toWellFormed().replaceAll('\0', ''),
    firstAt: firstAt ?? now,
    nextAt: now + Math.min(LONGEST_MS, Math.max(FIRST_MS, failedFor)),
  };
}
