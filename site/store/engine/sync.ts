import fs from 'node:fs';

/**
 * The only way in which the store makes files durable while it runs. Injected,
 * so that tests can delay a sync, fail it, and record what had become durable.
 */
export interface SyncLayer {
  /** Opens an existing file for `fdatasync`. */
  open(path: string): number;
  /** Resolves when everything written to the file before the call is durable. */
  fdatasync(fd: number): Promise<void>;
  close(fd: number): void;
}

/** Runs fdatasync on the thread pool; the event loop never waits for the disk. */
export const diskSync: SyncLayer = {
  open: (path) => fs.openSync(path, 'r+'),
  fdatasync: (fd) =>
    new Promise((resolve, reject) => {
      fs.fdatasync(fd, (error) => (error ? reject(error) : resolve()));
    }),
  close: (fd) => fs.closeSync(fd),
};

/**
 * Reading of the store's files beside SQLite, to see whether the disk gives them back. Injected, so that
 * tests can fail it.
 */
export interface ReadLayer {
  /** @returns bytes read; 0 at the end of the file @throws what the disk says */
  read(fd: number, into: Buffer, at: number): Promise<number>;
}

export const diskReads: ReadLayer = {
  read: (fd, into, at) =>
    new Promise((resolve, reject) => {
      fs.read(fd, into, 0, into.length, at, (error, bytes) => (error ? reject(error) : resolve(bytes)));
    }),
};

/** Keeps what is durable in memory. */
export interface DurabilityParticipant {
  /**
   * A sync begins.
   * @returns what is called once everything that is committed now is durable; not called when the sync fails
   */
  syncBegins(): () => void;
}
