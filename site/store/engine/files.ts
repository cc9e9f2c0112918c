// The files of the store: opened, migrated and made durable before anything is read from them.
import { EventEmitter } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import type Database from 'better-sqlite3';
import { probeDisk } from '../../../common/disk-space.ts';
import type { Logger } from '../../../common/log.ts';
import { type StatementFaults, StoreConnection } from '../health/connection.ts';
import { isStorageFault } from '../health/fault.ts';
import { migrate, readMigrations, type Upgrade } from '../migrate.ts';
import type { OpenOptions } from '../site-store.ts';
import { defaultLimits } from './checkpoint.ts';
import { DATABASE_FILE, syncDirectory } from './folder.ts';
import { diskSync } from './sync.ts';

/**
 * Factor by which the WAL file is longer than the size at which a round begins, so that its size, and with it
 * the journal of the file system, does not change.
 */
const WAL_SLACK = 1.25;
/** Waits for a program that holds the write lock for a moment. It blocks the event loop, so it is short. */
const BUSY_MS = 250;

export interface StoreFiles {
  main: Database.Database;
  pin: Database.Database;
  dbFd: number;
  walFd: number;
  /** Whether the WAL was copied into the file. */
  settled: boolean;
  upgrade: Upgrade | null;
  /** Emits the failures of statements. */
  statementFaults: StatementFaults;
}

/** @param opened takes what the caller must close when the rest fails */
export function openFiles(options: OpenOptions, opened: { close(): void }[]): StoreFiles {
  const file = path.join(options.dir, DATABASE_FILE);
  const statementFaults: StatementFaults = new EventEmitter();
  const connect = () => {
    const connection = new StoreConnection(
      file,
      { timeout: BUSY_MS },
      { before: options.beforeStatement, faults: statementFaults },
    );
    opened.push(connection);
    return connection;
  };
  const main = connect();
  const upgrade = prepareMain(main, options);
  const pin = connect();
  pin.pragma('cache_size = 8');
  pin.pragma('query_only = ON');
  pin.prepare('SELECT count(*) FROM meta').get();
  const sync = options.sync ?? diskSync;
  // This descriptor is opened first and closed last: closing it drops SQLite's locks on the file, which
  // belong to the process.
  const dbFd = sync.open(file);
  const walFd = sync.open(`${file}-wal`);
  const settled = settleFiles(
    main,
    { dbFd, walFd },
    (options.checkpoint ?? defaultLimits).triggerBytes * WAL_SLACK,
    options.log,
  );
  syncDirectory(options.dir);
  return { main, pin, dbFd, walFd, settled, upgrade, statementFaults };
}

function prepareMain(main: Database.Database, options: OpenOptions): Upgrade | null {
  main.pragma('page_size = 4096');
  main.pragma('journal_mode = WAL');
  main.pragma('wal_autocheckpoint = 0');
  main.pragma('synchronous = FULL');
  main.pragma('cache_size = -4096');
  main.pragma(`journal_size_limit = ${4 * (options.checkpoint ?? defaultLimits).triggerBytes}`);
  const upgrade = migrate(main, {
    migrations: options.migrations ?? readMigrations(),
    now: options.clock.now(),
    copyPath: (version) => path.join(options.dir, `site-before-upgrade-from-${version}.db`),
    freeBytes: () => (options.probe ?? probeDisk)(options.dir).freeBytes,
  });
  if (upgrade.from === 0 || upgrade.to === upgrade.from) return null;
  options.log.info(
    { ...upgrade },
    upgrade.copy === null
      ? 'the store was migrated; there was no room for a copy of it from before'
      : 'the store was migrated; a copy of it from before was kept',
  );
  return upgrade;
}

/**
 * Makes everything durable that an earlier process may have left in the page cache only, empties the WAL
 * and fills its file with zeros to the size it will have.
 */
function settleFiles(
  main: Database.Database,
  fds: { dbFd: number; walFd: number },
  walBytes: number,
  log: Logger,
): boolean {
  let settled = true;
  fs.fdatasyncSync(fds.walFd);
  fs.fdatasyncSync(fds.dbFd);
  try {
    main.pragma('wal_checkpoint(TRUNCATE)');
    if (fs.fstatSync(fds.walFd).size === 0) fillWithZeros(fds.walFd, walBytes);
  } catch (error) {
    if (!isStorageFault(error) && !(error instanceof Error && 'code' in error && error.code === 'ENOSPC'))
      throw error;
    log.warn({ err: error }, 'the disk is full; the store was opened with its WAL as it is');
    settled = false;
  }
  main.pragma('synchronous = NORMAL');
  return settled;
}

function fillWithZeros(fd: number, bytes: number): void {
  // Page by page: one large write would make large folios, which the kernel later counts as written whole.
  const zeros = Buffer.alloc(4096);
  for (let at = 0; at < bytes; at += zeros.length) fs.writeSync(fd, zeros, 0, zeros.length, at);
  fs.fdatasyncSync(fd);
}
