import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { parseBytes } from '../../common/http/body/json.ts';
import { AppError } from '../../common/http/error.ts';
import {
  type ClausesAnswer,
  clausesAnswer,
  type FilesAnswer,
  filesAnswer,
  LIBRARY_PATH,
  type LibraryRequest,
  MAX_UNPACKED,
} from '../../common/uplink/library.ts';
import { type Failed, type HubCallOptions, HubCalls } from '../uplink/hub-calls.ts';

const gunzip = promisify(zlib.gunzip);
/** What an answer may hold, counted before it is parsed. */
const LIMITS = { depth: 8, values: 200_000, run: 20_000 };

export type Told<T> =
  | { kind: 'answered'; answer: T; bytes: number }
  /** It is not what headquarters says by this protocol, and will not be. */
  | { kind: 'strange' }
  | Failed;

/** The calls by which this site fetches the policies in force (common/uplink/library.ts). */
export class LibraryCalls {
  #calls: HubCalls;

  constructor(options: HubCallOptions) {
    this.#calls = new HubCalls(options);
  }

  async files(request: LibraryRequest, signal: AbortSignal): Promise<Told<FilesAnswer>> {
    return this.#ask(request, (value) => filesAnswer.safeParse(value).data ?? null, signal);
  }

  async clauses(request: LibraryRequest, signal: AbortSignal): Promise<Told<ClausesAnswer>> {
    return this.#ask(request, (value) => clausesAnswer.safeParse(value).data ?? null, signal);
  }

  async #ask<T>(
    request: LibraryRequest,
    read: (value: unknown) => T | null,
    signal: AbortSignal,
  ): Promise<Told<T>> {
    const body = Buffer.from(JSON.stringify(request));
    const http = await this.#calls.send('POST', LIBRARY_PATH, { body, type: 'application/json', signal });
    if ('kind' in http) return http;
    if (http.status !== 200) return this.#calls.failed(http);
    const answer = read(await unpacked(http.body));
    return answer === null ? { kind: 'strange' } : { kind: 'answered', answer, bytes: http.body.length };
  }
}

/** null for what is not compressed JSON, or is more than an answer holds. */
async function unpacked(body: Buffer): Promise<unknown> {
  try {
    const bytes = await gunzip(body, { maxOutputLength: MAX_UNPACKED });
    return await parseBytes(bytes, {
      limits: LIMITS,
      parse: JSON.parse,
      onExtent: () => undefined,
      anyText: true,
    });
  } catch (error) {
    if (error instanceof AppError || error instanceof RangeError || isPacking(error)) return null;
    throw error;
  }
}

const isPacking = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(Z_|ERR_BUFFER_TOO_LARGE)/.test(String(error.code));
