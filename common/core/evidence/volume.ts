// The folder that evidence files lie in may be a disk of its own. Not mounted, it is an empty folder that
// takes whatever is written, and shows nothing of what was: so a mark in it is compared with a note beside
// it, in the data directory.
import * as crypto from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../http/error.ts';

const MARK = '.fieldline-evidence';
const RETRY_S = 30;

export class EvidenceVolume {
  readonly dir: string;
  #mark: string;
  #note: string;
  #known: string | null;

  /** @param dir made and marked when it is used for the first time */
  constructor(dir: string) {
    this.dir = dir;
    this.#mark = path.join(dir, MARK);
    this.#note = `${dir}.mark`;
    this.#known = textOf(this.#note);
    if (this.#known !== null) return;
    mkdirSync(dir, { recursive: true, mode: 0o750 });
    this.#known = textOf(this.#mark) ?? write(this.#mark, crypto.randomUUID());
    write(this.#note, this.#known);
  }

  /** Whatever keeps the mark from being read, a folder that cannot show it is not used. */
  async present(): Promise<boolean> {
    return (await readFile(this.#mark, 'utf8').catch(() => null)) === this.#known;
  }

  presentNow(): boolean {
    return textOf(this.#mark) === this.#known;
  }

  /** @throws AppError 503 evidence_unavailable */
  async require(): Promise<void> {
    if (await this.present()) return;
    throw new AppError(
      503,
      'evidence_unavailable',
      'The folder of the evidence files is not the one that they were stored in: mount it again. If ' +
        'they are lost for ' +
        `good, delete ${path.basename(this.#note)} in the data directory and start again.`,
      { retryAfterSeconds: RETRY_S },
    );
  }
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8') || null;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EIO', 'EACCES'].includes((error as { code?: string }).code ?? '')) return null;
    throw error;
  }
}

function write(file: string, text: string): string {
  const handle = openSync(file, 'w', 0o640);
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  return text;
}
