import type { AttemptRow, AttemptScope, SessionRecord } from './record.ts';

const MINUTE_MS = 60_000;
/** An unused session ends after this long. */
export const IDLE_MS = 12 * 60 * MINUTE_MS;
/** Any session ends after this long. */
export const ABSOLUTE_MS = 7 * 24 * 60 * MINUTE_MS;
/** A use is written down at most this often: at a site each write costs a sync. */
export const TOUCH_EVERY_MS = 5 * MINUTE_MS;
/** Attempts count for this long after the last one. */
export const FORGET_ATTEMPTS_MS = 60 * MINUTE_MS;
const FIRST_DELAY_MS = 1_000;

/** Whether a session still opens anything: neither past its end nor unused for too long. */
export function isLive(session: Pick<SessionRecord, 'lastSeenAt' | 'expiresAt'>, now: number): boolean {
  return now < session.expiresAt && now - session.lastSeenAt < IDLE_MS;
}

/** Whether its last use is to be written down again; not every request is. */
export function touchIsDue(session: Pick<SessionRecord, 'lastSeenAt'>, now: number): boolean {
  return now - session.lastSeenAt >= TOUCH_EVERY_MS;
}

export type AttemptDecision = { kind: 'held_up'; until: number } | { kind: 'counted'; rows: AttemptRow[] };

/** The delay doubles with each failure past the free ones, up to the longest of its scope. */
export function decideAttempt(
  seen: ReadonlyMap<string, AttemptRow>,
  scopes: readonly AttemptScope[],
  now: number,
): AttemptDecision {
  const known = scopes.map((scope) => ({ scope, row: remembered(seen.get(scope.scope), now) }));
  const until = Math.max(0, ...known.map(({ row }) => row?.blockedUntil ?? 0));
  if (until > now) return { kind: 'held_up', until };
  return {
    kind: 'counted',
    rows: known.map(({ scope, row }) => {
      const failures = (row?.failures ?? 0) + 1;
      const past = failures - scope.free;
      const delay = past <= 0 ? 0 : Math.min(scope.longestMs, FIRST_DELAY_MS * 2 ** Math.min(past - 1, 30));
      return { scope: scope.scope, failures, lastAt: now, blockedUntil: delay === 0 ? 0 : now + delay };
    }),
  };
}

/** A row of the far future was written before the clock was set back; to go by it would lock people out. */
function remembered(row: AttemptRow | undefined, now: number): AttemptRow | null {
  return row && Math.abs(now - row.lastAt) < FORGET_ATTEMPTS_MS ? row : null;
}
