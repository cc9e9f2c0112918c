// What somebody has typed and not sent yet, kept by this browser: a telephone ends pages as it likes.
import { useCallback, useState } from 'react';
import { timeNow } from '../api/clock.ts';
import { useSession } from '../session/session.tsx';

/** A draft is forgotten after this, ms: what it is about has passed. */
const KEPT_MS = 24 * 3_600_000;
const PREFIX = 'fieldline.draft.';

/**
 * The draft of one form, of this user alone.
 * @param name of what it is about
 * @returns `found`: what was kept when the form was opened; null: nothing
 */
export function useDraft<T extends object>(name: string) {
  const { identity } = useSession();
  const key = `${PREFIX}${identity.name}.${name}`;
  const [found, find] = useState<T | null>(() => readDraft<T>(key));
  const keep = useCallback((value: T): void => writeDraft(key, value), [key]);
  const drop = useCallback((): void => {
    find(null);
    clearDraft(key);
  }, [key]);
  return { found, keep, drop };
}

function readDraft<T extends object>(key: string): T | null {
  try {
    const { at, value } = JSON.parse(localStorage.getItem(key) ?? 'null') as { at: number; value: T };
    return timeNow() - at < KEPT_MS ? value : null;
  } catch {
    return null; // there is none, or storage is switched off
  }
}

function writeDraft(key: string, value: object): void {
  try {
    localStorage.setItem(key, JSON.stringify({ at: timeNow(), value }));
  } catch {
    // storage is switched off, or full
  }
}

function clearDraft(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // storage is switched off
  }
}

/** Drafts that nobody has come back to. To be called once, when the console opens. */
export function forgetOldDrafts(): void {
  try {
    for (const key of Object.keys(localStorage).filter((one) => one.startsWith(PREFIX)))
      if (readDraft(key) === null) localStorage.removeItem(key);
  } catch {
    // storage is switched off
  }
}
