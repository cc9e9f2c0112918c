import Database from 'better-sqlite3';
import { AppError, storageFull } from '../../../common/http/error.ts';
import type { FaultKind } from './decide.ts';

const hasCode = (error: unknown, codes: RegExp): error is Database.SqliteError =>
  error instanceof Database.SqliteError && codes.test(error.code);

/** SQLite could not write: no room, or the medium refuses. The transaction is lost, the store is not. */
export const isStorageFault = (error: unknown): boolean =>
  hasCode(error, /^SQLITE_(?:FULL|IOERR|CANTOPEN|READONLY)/);

/** The disk did not give or take a page. It may at the next try; only if it never does is that damage. */
export const isDiskFault = (error: unknown): boolean =>
  hasCode(error, /^SQLITE_IOERR(?!_(?:NOMEM|BLOCKED|LOCK|RDLOCK|CHECKRESERVEDLOCK|SHM))/);

/** What a caller is told about an error of a transaction as a whole. */
export function asAppError(error: unknown): unknown {
  if (hasCode(error, /^SQLITE_FULL/)) return Object.assign(storageFull(), { cause: error });
  if (isStorageFault(error)) {
    const text = 'The disk refused a write; nothing was stored. Send the same request again later.';
    return new AppError(503, 'store_unavailable', text, { retryAfterSeconds: 5, cause: error });
  }
  if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) {
    const text = 'Another program is writing to the store; send the request again.';
    return new AppError(503, 'store_busy', text, { retryAfterSeconds: 1, cause: error });
  }
  return error;
}

export const storeFailed = (cause: unknown): AppError =>
  new AppError(
    503,
    'store_failed',
    'The disk did not confirm a write; the service is stopping. Send the request again.',
    { retryAfterSeconds: 5, cause },
  );

export const storeClosed = (): AppError =>
  new AppError(503, 'store_closed', 'The service is stopping; send the request again.', {
    retryAfterSeconds: 5,
  });

/** What is in the file is not what was written: SQLite cannot take it apart. */
export function isDamage(error: unknown): boolean {
  return error instanceof StoreDamaged || hasCode(error, /^SQLITE_(?:CORRUPT|NOTADB)/);
}

/** What a caller is told where damage was met: the service ends itself for it. Null for any other error. */
export const asDamageError = (error: unknown): AppError | null =>
  isDamage(error)
    ? new AppError(
        503,
        'store_damaged',
        'A part of the store cannot be read. The service is ending, and saves what can be saved when it ' +
          'starts again; send the request again then.',
        { retryAfterSeconds: 30, cause: error },
      )
    : null;

/** Null for what says nothing of the storage. */
export function faultKind(error: unknown): FaultKind | null {
  if (isDamage(error)) return 'structure';
  return isDiskFault(error) ? 'disk' : null;
}

export class StoreDamaged extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StoreDamaged';
  }
}
