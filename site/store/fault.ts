import Database from 'better-sqlite3';
import { AppError, storageFull } from '../../common/http/error.ts';

/** SQLite could not write: no room, or the medium refuses. The whole transaction is lost, the store is not. */
export function isStorageFault(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR|CANTOPEN|READONLY)/.test(error.code);
}

/** What a caller is told about an error of a transaction as a whole. */
export function asAppError(error: unknown): unknown {
  if (isStorageFault(error)) return Object.assign(storageFull(), { cause: error });
  if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
    return new AppError(503, 'store_busy', 'Another program is writing to the store; send the request again.', { retryAfterSeconds: 1, cause: error });
  }
  return error;
}

export const storeFailed = (cause: unknown): AppError =>
  new AppError(503, 'store_failed', 'The disk did not confirm a write; the service is stopping. Send the request again.', {
    retryAfterSeconds: 5, cause,
  });

export const storeClosed = (): AppError =>
  new AppError(503, 'store_closed', 'The service is stopping; send the request again.', { retryAfterSeconds: 5 });

/** What is in the file is not what was written: SQLite cannot take it apart. */
export function isDamage(error: unknown): boolean {
  return error instanceof StoreDamaged || (error instanceof Database.SqliteError && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code));
}

export class StoreDamaged extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreDamaged';
  }
}
