// The last rows that somebody saw, which this browser keeps for when there is no link: they are shown with
// the time that they are of, nothing can be done from them, and they are gone when the person logs out, when
// the session has ended, and when somebody else logs in.
import type { QueryClient } from '@tanstack/react-query';
import { letAct } from '../api/acting.ts';
import type { Identity } from './identity.ts';
import { chosenRows, isKept, type KeptQuery, OLDEST_MS } from './kept-choice.ts';

const KEY = 'fieldline.rows';
/** Between two times that they are written, ms. */
const EVERY_MS = 5_000;
const SESSION = ['session'] as const;

interface Kept {
  who: Identity;
  rows: KeptQuery[];
}

export const samePerson = (one: Identity, other: Identity): boolean =>
  one.name === other.name && one.tenantCode === other.tenantCode;

export function forgetRows(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // storage is switched off
  }
}

/** Maps are written as their entries. */
const replacer = (_: string, value: unknown): unknown =>
  value instanceof Map ? { entriesOfMap: [...value] } : value;
const reviver = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'entriesOfMap' in value
    ? new Map(value.entriesOfMap as [unknown, unknown][])
    : value;

function read(): Kept | null {
  try {
    const text = localStorage.getItem(KEY);
    return text === null ? null : (JSON.parse(text, reviver) as Kept);
  } catch {
    return null; // storage is switched off, or somebody wrote something else there
  }
}

function write(kept: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept, replacer));
  } catch {
    forgetRows(); // there is no room: rather none than old ones
  }
}

function save(queries: QueryClient): void {
  const who = queries.getQueryData<Identity>(SESSION);
  if (!who || who.keptAt !== undefined) return;
  const before = read();
  const seen = queries
    .getQueryCache()
    .findAll({ predicate: ({ queryKey, state }) => state.status === 'success' && isKept(queryKey) })
    .map(({ queryKey: key, state: { dataUpdatedAt: at, data } }) => ({ key, at, data }));
  const earlier = before && samePerson(before.who, who) ? before.rows : [];
  write({ who, rows: chosenRows([...seen, ...earlier], Date.now()) });
}

/** Keeps what is answered from now on. */
export function keepRows(queries: QueryClient): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = (): void => {
    clearTimeout(timer);
    timer = undefined;
    save(queries);
  };
  queries.getQueryCache().subscribe(({ type, query: { queryKey, state } }) => {
    if (type === 'updated' && state.status === 'success' && isKept(queryKey))
      timer ??= setTimeout(now, EVERY_MS);
  });
  // A telephone that is put away may end the page without a word.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && timer !== undefined) now();
  });
}

/**
 * Shows what is kept, where the hub does not answer and nothing is shown yet.
 * @returns who saw it, who may now look and do nothing; null: there is nothing
 */
export function recallRows(queries: QueryClient): Identity | null {
  const kept = read();
  const fresh = kept?.rows.filter(({ at }) => at >= Date.now() - OLDEST_MS) ?? [];
  if (!kept || fresh.length === 0) return null;
  for (const { key, at, data } of fresh)
    if (queries.getQueryData(key) === undefined) queries.setQueryData(key, data, { updatedAt: at });
  letAct(false);
  const permissions = kept.who.permissions.filter((name) => name.endsWith('.view'));
  return { ...kept.who, permissions, keptAt: Math.max(...fresh.map(({ at }) => at)) };
}

/** The hub has answered: what was kept gives way to what is. @param before who was shown until now */
export function liveAgain(queries: QueryClient, before: Identity | null | undefined): void {
  letAct(true);
  if (before?.keptAt === undefined) return;
  // Once the session stands: until then everything is asked for with the permissions of before.
  setTimeout(() => void queries.resetQueries({ predicate: ({ queryKey: [first] }) => first !== SESSION[0] }));
}
