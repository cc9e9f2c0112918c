// Whether what lies on the disk is what was received: a disk may give back other bytes without an error.
import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { measure, type Received } from './measure.ts';

/** Files whose bytes were looked at and that are remembered. */
const MOST_REMEMBERED = 10_000;
/** A disk may change bytes and leave the times: a file is read through again after this, ms. */
const REMEMBERED_MS = 3_600_000;

/** `damaged`: there, with other bytes than were received. */
export type FileStanding = 'whole' | 'missing' | 'damaged';

/** Where a kept file lies, and what it was when it came. */
export interface KeptFile extends Received {
  eventId: number;
}

interface LastCheck {
  /** What tells this file from one that was written in its place. */
  seen: string;
  /** Monotonic ms. */
  at: number;
  standing: Promise<FileStanding>;
}

/** Reads files through by their digest before they are handed out, each once for a while. */
export class FileStandings {
  /** By path, longest ago first. */
  #looks = new Map<string, LastCheck>();
  #onDamaged: (file: KeptFile) => void;
  #monotonic: () => number;

  /** @param onDamaged called when a file is found damaged, before anybody is told of it */
  constructor(onDamaged: (file: KeptFile) => void, monotonic: () => number = () => performance.now()) {
    this.#onDamaged = onDamaged;
    this.#monotonic = monotonic;
  }

  async of(file: string, kept: KeptFile): Promise<FileStanding> {
    const found = await statOf(file);
    if (found === null) return 'missing';
    const seen = [found.ino, found.size, found.mtimeMs, kept.size].join(' ');
    const known = this.#looks.get(file);
    if (known?.seen === seen && this.#monotonic() - known.at < REMEMBERED_MS) return known.standing;
    const standing = this.#look(file, found, kept);
    this.#remember(file, { seen, at: this.#monotonic(), standing });
    try {
      return await standing;
    } catch (error) {
      this.#looks.delete(file);
      throw error;
    }
  }

  #remember(file: string, look: LastCheck): void {
    this.#looks.delete(file);
    this.#looks.set(file, look);
    const [oldest] = this.#looks.keys();
    if (this.#looks.size > MOST_REMEMBERED && oldest !== undefined) this.#looks.delete(oldest);
  }

  async #look(file: string, found: Stats, kept: KeptFile): Promise<FileStanding> {
    const { size, sha256 } = kept;
    if (found.size === size && (await measure(createReadStream(file))).sha256 === sha256) return 'whole';
    this.#onDamaged(kept);
    return 'damaged';
  }
}

async function statOf(file: string): Promise<Stats | null> {
  try {
    return await stat(file);
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}
