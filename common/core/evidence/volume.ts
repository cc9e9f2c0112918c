// The folder that evidence files lie in may be a disk of its own. Not mounted, it is an empty folder that
// takes whatever is written, and shows nothing of what was: so a mark in it is compared with a note beside
// it, in the data directory.
import * as crypto from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../http/error.ts';

const MARK = '.fieldline-evidence';
const RETRY_S = 30;

/** What was found where a mark may lie: its text, null where there is none, or why it cannot be read. */
type Found = { text: string | null } | { unreadable: Error };

export class EvidenceVolume {
  readonly dir: string;
  #mark: string;
  #note: string;
  #known: string;

  /**
   * @param dir made and marked when it is used for the first time
   * @throws what the file system does, where it cannot tell whether this is the first time
   */
  constructor(dir: string) {
    this.dir = dir;
    this.#mark = path.join(dir, MARK);
    this.#note = `${dir}.mark`;
    const known = certain(this.#note);
    if (known !== null) {
      this.#known = known;
      return;
    }
    mkdirSync(dir, { recursive: true, mode: 0o750 });
    this.#known = certain(this.#mark) ?? makeOnce(this.#mark, crypto.randomUUID());
    write(this.#note, this.#known);
  }

  /** Which folder it is. */
  get mark(): string {
    return this.#known;
  }

  /** Whatever keeps the mark from being read, a folder that cannot show it is not used. */
  async present(): Promise<boolean> {
    return this.#isOurs(await this.#look());
  }

  presentNow(): boolean {
    return this.#isOurs(look(this.#mark));
  }

  /** Why it cannot be used; null: it can. */
  async fault(): Promise<'away' | 'unreadable' | null> {
    const found = await this.#look();
    if (this.#isOurs(found)) return null;
    return 'unreadable' in found ? 'unreadable' : 'away';
  }

  /** @throws AppError 503 evidence_unavailable, saying whether the folder is another or cannot be read */
  async require(): Promise<void> {
    const found = await this.#look();
    if (this.#isOurs(found)) return;
    if ('unreadable' in found) throw unavailable(CANNOT_BE_READ, found.unreadable);
    throw unavailable(
      'The folder of the evidence files is not the one that they were stored in: mount it again. If ' +
        'they are lost for ' +
        `good, delete ${path.basename(this.#note)} in the data directory and start again.`,
    );
  }

  #look(): Promise<Found> {
    return readFile(this.#mark, 'utf8').then((text) => ({ text: text || null }), foundOf);
  }

  #isOurs(found: Found): boolean {
    return 'text' in found && found.text === this.#known;
  }
}

const CANNOT_BE_READ =
  'The folder of the evidence files cannot be read: look at its disk and at who may read it. The files may ' +
  'still be there; delete nothing.';

const unavailable = (message: string, cause?: Error): AppError =>
  new AppError(503, 'evidence_unavailable', message, { retryAfterSeconds: RETRY_S, cause });

function look(file: string): Found {
  try {
    return { text: readFileSync(file, 'utf8') || null };
  } catch (error) {
    return foundOf(error);
  }
}

/** Only these say that there is no file; all else is a fault of the disk or of the permissions. */
function foundOf(error: unknown): Found {
  if (['ENOENT', 'ENOTDIR'].includes((error as { code?: string }).code ?? '')) return { text: null };
  if (error instanceof Error) return { unreadable: error };
  throw error;
}

/** It says which folder of evidence is the right one, so that nothing is begun without it. */
class MarkUnreadable extends Error {
  readonly forPeople = true;
  constructor(file: string, cause: Error) {
    super(
      `${file} cannot be read (${(cause as { code?: string }).code ?? cause.message}). It must be a file ` +
        'that the user of this program may read: move away what is there, or put its owner right.',
      { cause },
    );
  }
}

/** @throws where it cannot be read: what was marked already must not be marked anew */
function certain(file: string): string | null {
  const found = look(file);
  if ('unreadable' in found) throw new MarkUnreadable(file, found.unreadable);
  return found.text;
}

/** Several processes may begin with one folder at once. @returns what the first of them wrote */
function makeOnce(file: string, text: string): string {
  const whole = `${file}.${text}`;
  write(whole, text);
  try {
    linkSync(whole, file);
    return text;
  } catch (error) {
    // Where the file system has no links, one process at a time begins with it.
    const { code } = error as { code?: string };
    if (code === 'EPERM' || code === 'ENOTSUP') return write(file, text);
    if (code !== 'EEXIST') throw error;
    return certain(file) ?? write(file, text);
  } finally {
    rmSync(whole, { force: true });
  }
}

function write(file: string, text: string): string {
  const handle = openSync(file, 'w', 0o640);
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  return text;
}
