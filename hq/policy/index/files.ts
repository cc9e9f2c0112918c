import { join } from 'node:path';
import { claimSlot, type Slot } from './slot.ts';
import { IndexThread } from './thread.ts';

export interface IndexFilesParts {
  databaseUrl: string;
  /** For index files; shared with other hub processes or not. */
  directory: string;
  logLevel: string;
}

/** The index files of this process, in a directory that it claims when it first needs one. */
export class IndexFiles {
  readonly #parts: IndexFilesParts;
  #slot: Slot | null = null;

  constructor(parts: IndexFilesParts) {
    this.#parts = parts;
  }

  pathOf(name: string): string {
    this.#slot ??= claimSlot(this.#parts.directory);
    return join(this.#slot.directory, name);
  }

  /** A thread that has the file of this name. */
  start(name: string): IndexThread {
    return new IndexThread({
      databaseUrl: this.#parts.databaseUrl,
      logLevel: this.#parts.logLevel,
      path: this.pathOf(name),
    });
  }

  release(): void {
    this.#slot?.release();
  }
}
