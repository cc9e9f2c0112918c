import { createReadStream } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream';

/** What a running program answered to a command; its message is for the person at the terminal. */
export class ApiError extends Error {
  readonly forPeople = true;
  readonly status: number;
  /** The word of the answer for programs; null when it had none. */
  readonly code: string | null;
  constructor(status: number, body: unknown, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = (body as { error?: string } | null)?.error ?? null;
  }
}

/** The program does not run, or not where it was looked for. */
export class NotRunning extends Error {
  readonly forPeople = true;
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'NotRunning';
  }
}

/** The program is there and gives no answer in time: it hangs, or is overwhelmed. */
export class NoAnswer extends NotRunning {}

/** The local socket is there, and not for this user. */
class NotAllowed extends Error {
  readonly forPeople = true;
}

export interface ApiTarget {
  at: { socket: string } | { url: string };
  headers?: Record<string, string>;
  /** Said when nothing answers. */
  whenSilent: string;
  /**
   * Said when somebody is there and does not answer in time; without it what is said when nothing answers.
   */
  whenLate?: string;
  /** How long an answer may take, milliseconds; a minute without it. */
  timeoutMs?: number;
  /** Said when the local socket may not be used; English without it. */
  whenForbidden?: string;
  /** The message of an error answer for a person of another language, by its code. */
  refused?: (code: string, said: string) => string;
}

const TIMEOUT_MS = 60_000;

/** Speaks to a running program for its command line. */
export class ApiClient {
  #target: ApiTarget;

  constructor(target: ApiTarget) {
    this.#target = target;
  }

  /**
   * @throws ApiError for an error answer, NotRunning when there is none, NoAnswer when it takes too long,
   * NotAllowed when the socket may not be used
   */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const { status, bytes } = await this.#exchange(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(body),
    );
    const parsed: unknown = bytes.length === 0 ? null : JSON.parse(bytes.toString('utf8'));
    if (status >= 400) throw this.#refusal(status, parsed);
    return parsed as T;
  }

  /** The bytes of an answer that is no JSON. @throws as `call` */
  async download(path: string): Promise<Buffer> {
    const { status, bytes } = await this.#exchange('GET', path, undefined);
    if (status >= 400) throw this.#refusal(status, JSON.parse(bytes.toString('utf8')));
    return bytes;
  }

  /** Sends a file as the plain body. @throws as `call` */
  async upload<T>(method: string, path: string, file: { name: string; size: number }): Promise<T> {
    const { status, bytes } = await this.#exchange(method, path, file);
    const parsed: unknown = JSON.parse(bytes.toString('utf8'));
    if (status >= 400) throw this.#refusal(status, parsed);
    return parsed as T;
  }

  #refusal(status: number, body: unknown): ApiError {
    return new ApiError(status, body, explain(body, status, this.#target.refused));
  }

  #exchange(
    method: string,
    path: string,
    body: string | { name: string; size: number } | undefined,
  ): Promise<{ status: number; bytes: Buffer }> {
    const { at, headers, whenSilent, whenLate, whenForbidden, timeoutMs = TIMEOUT_MS } = this.#target;
    const options = {
      method,
      timeout: timeoutMs,
      headers: {
        ...headers,
        'x-requested-with': 'fieldline',
        ...headersOf(body),
      },
    };
    const silent = (error: Error): NotRunning => new NotRunning(`${whenSilent} (${error.message})`, error);
    return new Promise((resolve, reject) => {
      const onAnswer = (answer: http.IncomingMessage): void => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(parts) }));
        answer.on('error', (error) => reject(silent(new Error('the answer broke off', { cause: error }))));
      };
      const request =
        'socket' in at
          ? http.request({ ...options, socketPath: at.socket, path, host: 'localhost' }, onAnswer)
          : (at.url.startsWith('https:') ? https : http).request(new URL(path, at.url), options, onAnswer);
      request.on('timeout', () =>
        request.destroy(new NoAnswer(whenLate ?? `${whenSilent} (no answer in time)`, null)),
      );
      request.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EACCES' && 'socket' in at)
          reject(
            new NotAllowed(whenForbidden ?? `${at.socket} may not be used by you; run it as root`, {
              cause: error,
            }),
          );
        else reject(error instanceof NoAnswer ? error : silent(error));
      });
      if (typeof body === 'object') pipeline(createReadStream(body.name), request, () => undefined);
      else request.end(body);
    });
  }
}

function headersOf(body: string | { size: number } | undefined): Record<string, string | number> {
  if (body === undefined) return {};
  if (typeof body === 'object')
    return { 'content-type': 'application/octet-stream', 'content-length': body.size };
  return { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
}

function explain(body: unknown, status: number, refused: ApiTarget['refused']): string {
  const { error, message, details } = (body ?? {}) as {
    error?: string;
    message?: string;
    details?: ({ path?: string; message?: string } | string)[];
  };
  const faults = (details ?? [])
    .map((one) => `\n  - ${typeof one === 'string' ? one : `${one.path ?? ''} ${one.message ?? ''}`}`)
    .join('');
  const said = message ?? `the answer was ${status}`;
  return `${refused?.(error ?? '', said) ?? said}${faults}`;
}
