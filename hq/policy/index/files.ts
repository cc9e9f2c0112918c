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
  #databaseUrl: string;
  #directory: string;
  #logLevel: string;
  #slot: Slot | null = null;

  constructor({ databaseUrl, directory, logLevel }: IndexFilesParts) {
    this.#databaseUrl = databaseUrl;
    this.#directory = directory;
    this.#logLevel = logLevel;
  }

  pathOf(name: string): string {
    this.#slot ??= claimSlot(this.#directory);
    return join(this.#slot.directory, name);
  }

  /** A thread that has the file of this name. */
  start(name: string): IndexThread {
    return new IndexThread({
      databaseUrl: this.#databaseUrl,
      logLevel: this.#logLevel,
      path: this.pathOf(name),
    });
  }

  release(): void {
    this.#slot?.release();
  }
}
