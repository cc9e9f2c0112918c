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
