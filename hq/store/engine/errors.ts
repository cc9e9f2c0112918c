import { AppError, conflict, storageFull } from '../../../common/http/error.ts';

/** A serialisation failure, a deadlock, and a lock not granted within `lock_timeout`. */
const RETRYABLE = new Set(['40001', '40P01', '55P03']);
const DISK_FULL = '53100';
/**
 * NUL, or bytes that are no text. Nothing that the wire formats let through, but a query parameter may hold
 * it.
 */
const UNSTORABLE_TEXT = new Set(['22021', '22P05']);
const UNSTORABLE = 'unstorable_text';
const CANCELLED = '57014';
const READ_ONLY = '25006';
const RETRY_AFTER_SECONDS = 5;

/** SQLSTATE of an error of Postgres, also inside drizzle's wrapper; undefined for any other error. */
export function sqlStateOf(error: unknown): string | undefined {
  const found = inner(error);
  const code = found instanceof Error && 'code' in found ? found.code : undefined;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

export const isRetryable = (error: unknown): boolean => RETRYABLE.has(sqlStateOf(error) ?? '');

export const isUniqueViolation = (error: unknown): boolean => sqlStateOf(error) === '23505';

/** @returns false where a unique key of what was to be written is taken */
export async function unlessTaken(write: () => Promise<void>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Whether it is the violation of this unique constraint or index. */
export function isUnique(error: unknown, constraint: string): boolean {
  const found = inner(error);
  return (
    isUniqueViolation(error) &&
    found instanceof Error &&
    'constraint' in found &&
    found.constraint === constraint
  );
}

/** Whether the connection that it came over is of no more use. */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlStateOf(error);
  // 57P01 to 57P03: shut down, crashed, starting up. 25P03, 57P05: this session was ended.
  if (state !== undefined) return state.startsWith('08') || state.startsWith('57P') || state === '25P03';
  const found = inner(error);
  if (!(found instanceof Error)) return false;
  // For a host with several addresses the errors come as one AggregateError, without the system call that
  // failed.
  if (
    'syscall' in found ||
    ('code' in found && typeof found.code === 'string' && /^E(?!RR_)[A-Z]+$/.test(found.code))
  )
    return true;
  return /^(?:Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout|timeout exceeded when trying to connect|timeout expired)/.test(
    found.message,
  );
}

/** Whether the server takes no writes any more: it was demoted, and another is the one to use. */
export const isMoved = (error: unknown): boolean => sqlStateOf(error) === READ_ONLY;

/**
 * What a caller may see of an error of the database; errors that are the program's own fault pass unchanged.
 */
export function asAppError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  const state = sqlStateOf(error);
  if (state === DISK_FULL) return storageFull();
  if (state !== undefined && UNSTORABLE_TEXT.has(state)) {
    return new AppError(
      400,
      UNSTORABLE,
      'A text holds a NUL character or is not valid Unicode; it cannot be stored.',
      { cause: error },
    );
  }
  if (isRetryable(error)) return contention(error);
  if (state === CANCELLED)
    return unavailable(
      'store_timeout',
      'The database took too long. Send the same request again later.',
      error,
    );
  if (isConnectionLoss(error) || isMoved(error) || state?.startsWith('53')) {
    return unavailable(
      'store_unavailable',
      'The database cannot be reached now. Send the same request again later.',
      error,
    );
  }
  return error;
}

/** The database cannot be used at all; the message says where to look. */
export class DatabaseUnusable extends Error {
  readonly forPeople = true;
}

/** Wrong credentials, no such role or database, no right, too many connections. */
const REFUSED = /^(?:28...|3D000|42501|53300)$/;

/**
 * What a person is told when the store cannot be opened; errors that are the program's own fault pass
 * unchanged.
 */
export function asStartError(error: unknown): unknown {
  const found = inner(error instanceof AppError && error.status === 503 ? error.cause : error);
  if (isDamage(found))
    return new DatabaseUnusable(
      `PostgreSQL cannot read a part of what the start needs: ${(found as Error).message}. Look ` +
        'at its log and at the disk, and restore a backup: fieldline-hq restore FILE.',
      { cause: error },
    );
  if (!isConnectionLoss(found) && !REFUSED.test(sqlStateOf(found) ?? '')) return error;
  const { message, code } = found as Error & { code?: string };
  return new DatabaseUnusable(
    `The database cannot be used: ${message || (code ?? 'no answer')}. Check DATABASE_URL, and that ` +
      'PostgreSQL runs and takes connections there.',
    { cause: error },
  );
}

/** Data or an index is damaged, a file of either cannot be read, or is gone. */
const DAMAGED = new Set(['XX001', 'XX002', '58030', '58P01']);
/** What a damaged row leads to elsewhere, under the SQLSTATE of errors that should not be. */
const BROKEN_ROW = /^invalid memory alloc request size|^compressed .* is corrupt/;

/** Whether what the database holds cannot be read any more. */
export function isDamage(error: unknown): boolean {
  const state = sqlStateOf(error);
  if (state === undefined) return false;
  return DAMAGED.has(state) || (state === 'XX000' && BROKEN_ROW.test((inner(error) as Error).message));
}

const DAMAGE_RETRY_AFTER_SECONDS = 60;

/** What a caller is told where damage was met; null for any other error. */
export const asDamageError = (error: unknown): AppError | null =>
  isDamage(error)
    ? new AppError(
        503,
        'store_damaged',
        'The database cannot read a part of what it holds, which this needs; the rest goes on. The alarm ' +
          'database_damaged says which: restore a backup or have the table mended.',
        { retryAfterSeconds: DAMAGE_RETRY_AFTER_SECONDS, cause: error },
      )
    : null;

const CONTENTION = 'write_contention';

/**
 * Whether an error says something about the database as a whole, so that trying with less would fail alike.
 */
export function concernsStore(error: unknown): boolean {
  return error instanceof AppError && (error.status >= 500 || error.code === CONTENTION);
}

/**
 * Classes of SQLSTATE that say something of what was to be written: wrong data and numbers of rows, a
 * constraint, a check, a size, and what a trigger raises.
 */
const OF_THE_DATA = new Set(['21', '22', '23', '44', '54', 'P0']);

/**
 * Whether an error lies in what was to be written, so that less of it may be written: it says nothing of the
 * database, of its load or of the way to it, and is no answer that the program gives on purpose.
 */
export function concernsData(error: unknown): boolean {
  if (error instanceof AppError) return error.code === UNSTORABLE;
  const state = sqlStateOf(error);
  if (state !== undefined) return OF_THE_DATA.has(state.slice(0, 2));
  return error instanceof Error && !isConnectionLoss(error);
}

export const contention = (cause: unknown): AppError =>
  Object.assign(
    conflict(
      CONTENTION,
      'Other writers held the same rows each of three times. Send the same request again unchanged.',
      true,
    ),
    { cause },
  );

const unavailable = (code: string, message: string, cause: unknown): AppError =>
  new AppError(503, code, message, { retryAfterSeconds: RETRY_AFTER_SECONDS, cause });

function inner(error: unknown): unknown {
  return error instanceof Error && error.name !== 'AppError' && error.cause instanceof Error
    ? error.cause
    : error;
}
