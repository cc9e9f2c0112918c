/**
 * A note beside the store, which says that there is one and what it holds. When the store is gone without a
 * trace, only this note tells that the site is not a new one, and how much it has lost.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Logger } from '../../../common/log.ts';
import { Loop } from '../../../common/loop.ts';
import { highestEvidence } from '../../salvage/evidence.ts';
import { isDamage } from '../health/fault.ts';
import { DATABASE_FILE, syncDirectory } from './folder.ts';

const STORE_NOTE = 'site.known';
const LOST = 'site.lost';
/** Interval at which the note is compared with the store, ms: each write wears the card. */
const EVERY_MS = 600_000;
/** Secrets that a first start makes before there is a store. */
const SECRETS_OF_A_NEW_SITE = new Set(['admin-key', 'seal-key']);

export interface StoreNote {
  /** Time of the note, epoch ms. */
  at: number;
  /** Largest event id that had been given out. */
  lastEventId: number;
  /** Events that headquarters had not confirmed; null: it had never confirmed any. */
  unsent: number | null;
  /** Cameras that had a key. */
  cameras: number;
}

/** A store that existed and is gone. Stored as JSON until a person has been told. */
export interface LostStore {
  /** As last noted; null: the note is gone too, or cannot be read. */
  known: StoreNote | null;
  /** Names of the files that show that there was a store. */
  signs: string[];
  /** Largest event id that the note or the evidence shows. */
  lastEventId: number;
}

/** Whether the file of the store is there and has something in it. */
export const hasStore = (dir: string): boolean =>
  (fs.statSync(path.join(dir, DATABASE_FILE), { throwIfNoEntry: false })?.size ?? 0) > 0;

/**
 * Notes durably that the store is gone, before another one is begun, so that a person is told however often
 * the start is interrupted.
 * @returns null for a new site, and for a store that exists
 */
export function findLost(dir: string): LostStore | null {
  const noted = readJson<LostStore>(path.join(dir, LOST));
  if (noted !== null || hasStore(dir)) return noted;
  const signs = signsOf(dir);
  if (signs.length === 0) return null;
  const note = readJson<StoreNote>(path.join(dir, STORE_NOTE));
  const lost = {
    known: note,
    signs,
    lastEventId: Math.max(note?.lastEventId ?? 0, highestEvidence(path.join(dir, 'evidence'))),
  };
  writeJson(dir, LOST, lost);
  return lost;
}

/** Removes the note of the loss, after a person was told. */
export function clearLossNote(dir: string): void {
  fs.rmSync(path.join(dir, LOST), { force: true });
  syncDirectory(dir);
}

/** Whether the store is gone that was there. Changes nothing. */
export const isLost = (dir: string): boolean => !hasStore(dir) && signsOf(dir).length > 0;

function signsOf(dir: string): string[] {
  const names = fs.readdirSync(dir);
  const listed = (folder: string): string[] =>
    fs.statSync(path.join(dir, folder), { throwIfNoEntry: false })?.isDirectory()
      ? fs.readdirSync(path.join(dir, folder))
      : [];
  return [
    ...names.filter(
      (name) =>
        name === STORE_NOTE ||
        name.startsWith('rules_cache') ||
        /^site-(?:damaged|before-upgrade|before-restore)-.*\.db$/.test(name),
    ),
    ...(listed('secrets').some((name) => !SECRETS_OF_A_NEW_SITE.has(name)) ? ['secrets of cameras'] : []),
    ...(listed('evidence').some((name) => /^\d+$/.test(name)) ? ['evidence'] : []),
  ];
}

/** Keeps the note: when the store is opened and closed, and now and then between. */
export class StoreNoteKeeper {
  readonly loop: Loop;
  #parts: { dir: string; look: () => Omit<StoreNote, 'at'>; now: () => number; log: Logger };
  #written = '';

  constructor(parts: {
    dir: string;
    look: () => Omit<StoreNote, 'at'>;
    now: () => number;
    monotonic: () => number;
    log: Logger;
  }) {
    this.#parts = parts;
    this.loop = new Loop({
      name: 'known',
      interval: EVERY_MS,
      log: parts.log,
      monotonic: parts.monotonic,
      round: async () => {
        this.write();
        return { again: false };
      },
    });
  }

  /**
   * Writes the note if something has changed. A disk that refuses it does not stop the site.
   * @throws when the store is damaged
   */
  write(): void {
    const { dir, look, now, log } = this.#parts;
    try {
      const note = look();
      if (JSON.stringify(note) === this.#written) return;
      writeJson(dir, STORE_NOTE, { at: now(), ...note });
      this.#written = JSON.stringify(note);
    } catch (error) {
      if (isDamage(error)) throw error;
      log.warn({ err: error }, 'what the store holds could not be noted beside it');
    }
  }
}

function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as T;
  } catch (error) {
    // A damaged note counts as a missing one.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function writeJson(dir: string, name: string, value: object): void {
  const file = path.join(dir, name);
  fs.writeFileSync(`${file}.new`, `${JSON.stringify(value)}\n`, { mode: 0o640, flush: true });
  fs.renameSync(`${file}.new`, file);
  syncDirectory(dir);
}
