import type { Particulars } from '../message.ts';
import { COMMON_ERRORS, type ErrorTexts, inChinese } from './fault/error-texts.ts';
import { type Fault, faultAt } from './fault/fault.ts';
import type { inputFaultMessages } from './fault/fault-messages.ts';

export interface AppErrorOptions {
  details?: unknown[];
  /** The message in Chinese, where it says more than what its code means. */
  messageZh?: string;
  /** Present on every 409: whether the same request may simply be sent again. */
  retryable?: boolean;
  retryAfterSeconds?: number;
  /** Headers that go with the answer. */
  headers?: Record<string, string>;
  /** Further members of the answer's body, such as `oldest` beside `cursor_expired`. */
  extra?: Record<string, unknown>;
  cause?: unknown;
}

/**
 * An error that a caller may see. Everything else is rendered as a bare 500.
 * `code` is stable and meant for programs; `message` tells a person what to do.
 */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: unknown[] | undefined;
  /** The message in Chinese, where it says more than what its code means. */
  readonly messageZh: string | null;
  readonly retryable: boolean | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Record<string, string>;
  readonly extra: Record<string, unknown> | undefined;

  constructor(status: number, code: string, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.status = status;
    this.code = code;
    this.details = options.details;
    this.messageZh = options.messageZh ?? null;
    this.retryable = status === 409 ? (options.retryable ?? false) : options.retryable;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.headers = options.headers ?? {};
    this.extra = options.extra;
  }

  /** @param texts what codes mean in Chinese, of the program that answers */
  toBody(texts: ErrorTexts = COMMON_ERRORS): Record<string, unknown> {
    const messageZh = this.messageZh ?? inChinese(texts, this.code, this);
    return {
      error: this.code,
      message: this.message,
      ...(messageZh === null ? {} : { messageZh }),
      ...(this.details ? { details: this.details } : {}),
      ...(this.retryable === undefined ? {} : { retryable: this.retryable }),
      ...this.extra,
    };
  }
}

/** Faults that a message names. */
const NAMED_FAULTS = 3;

/** The first faults, as a message names them. */
export const namedFaults = (faults: readonly Fault[]): string =>
  faults
    .slice(0, NAMED_FAULTS)
    .map(({ path, message }) => (path === '' ? `it ${message}` : `${path.slice(0, 100)} ${message}`))
    .join('; ');

/** The same for a Chinese reader; what another program told has no Chinese. */
const inChineseOf = (faults: readonly Fault[], count: number): string =>
  `请求无效：${faults
    .slice(0, NAMED_FAULTS)
    .map(({ path, message, messageZh = message }) =>
      path === '' ? messageZh : `${path.slice(0, 100)} ${messageZh}`,
    )
    .join('；')}${count > NAMED_FAULTS ? `；其余 ${count - NAMED_FAULTS} 处见 details` : ''}。`;

/** Most faults that an answer lists; more than these are usually one mistake repeated. */
export const MAX_FAULTS = 50;

/** Stands for those that are not listed. */
export const moreFaults = (count: number): Fault => faultAt('', 'more_faults', { count });

/**
 * `details` has the faults, MAX_FAULTS of them at most; a last one counts those beyond. @param count of all
 * faults, where `faults` has the first of them alone
 */
export function badRequest(faults: Fault[], count = faults.length): AppError {
  const more = count > NAMED_FAULTS ? `; details has ${count - NAMED_FAULTS} more` : '';
  const details =
    count > MAX_FAULTS + 1 ? [...faults.slice(0, MAX_FAULTS), moreFaults(count - MAX_FAULTS)] : faults;
  return new AppError(400, 'validation_failed', `The request is not valid: ${namedFaults(faults)}${more}.`, {
    details,
    messageZh: inChineseOf(faults, count),
  });
}

type Input = typeof inputFaultMessages;

/** The request is refused for one fault, of those that every input may have. */
export const fault = <C extends keyof Input>(
  path: string,
  code: C,
  ...params: Particulars<Input, C>
): AppError => badRequest([faultAt(path, code, ...params)]);

export const notFound = (what: string): AppError =>
  new AppError(404, 'not_found', `${what} does not exist or is not yours.`);

/** @param messageZh where it says more than what the code means */
export const unauthorized = (message: string, messageZh?: string): AppError =>
  new AppError(401, 'unauthorized', message, messageZh === undefined ? {} : { messageZh });

/** @param messageZh where it says more than what the code means */
export const forbidden = (message: string, messageZh?: string): AppError =>
  new AppError(403, 'forbidden', message, messageZh === undefined ? {} : { messageZh });

export const conflict = (code: string, message: string, retryable = false): AppError =>
  new AppError(409, code, message, { retryable });

export const storageFull = (): AppError =>
  new AppError(
    507,
    'storage_full',
    'The disk is full; nothing was stored. Send the same request again later.',
    {
      retryAfterSeconds: 60,
    },
  );
