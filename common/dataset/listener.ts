// What a business system mounts: GET only, signed, JSON.
import type http from 'node:http';
import type { Clock } from '../clock.ts';
import { AppError, notFound } from '../http/error.ts';
import { SIGNATURE_TOLERANCE_S, signatureMatches } from '../http/signing/signature.ts';
import { validate } from '../http/validate.ts';
import { fault } from './dataset-fault-messages.ts';
import { ROW_NOT_DECLARED, RowNotDeclared } from './rows.ts';
import { DESCRIPTOR_PATH, type PageQuery, pageQuery } from './schema.ts';
import type { DatasetService } from './service.ts';

/** A key that may pull. */
export interface PullKey {
  /** Live secrets; two during a rotation. */
  secrets: readonly string[];
  /** The only tenant that the key may ask for; null: any. */
  tenant: string | null;
}

export interface DatasetListenerOptions {
  service: DatasetService;
  /** null for an unknown key. */
  key: (keyId: string) => PullKey | null | Promise<PullKey | null>;
  clock: Clock;
  /** Told of what is not the caller's fault. */
  onError: (error: unknown) => void;
}

/**
 * Answers requests below `DESCRIPTOR_PATH`; mount it in any `node:http` server, or hand it to
 * `http.createServer`.
 */
export function datasetListener(options: DatasetListenerOptions): http.RequestListener {
  return (request, response) => {
    answer(request, options).then(
      ({ body, headers }) => send(response, 200, body, headers),
      (error: unknown) => refuse(response, error, options.onError),
    );
  };
}

interface Answer {
  headers: Record<string, string>;
  body: object;
}

async function answer(request: http.IncomingMessage, options: DatasetListenerOptions): Promise<Answer> {
  const target = request.url ?? '/';
  const [path = '', queryText = ''] = target.split(/\?(.*)/s);
  if (path !== DESCRIPTOR_PATH && !path.startsWith(`${DESCRIPTOR_PATH}/`)) {
    throw new AppError(
      404,
      'not_found',
      `There is nothing at ${path.slice(0, 200)}; datasets are at ${DESCRIPTOR_PATH}.`,
    );
  }
  if (request.method !== 'GET')
    throw new AppError(405, 'method_not_allowed', 'Datasets are read only: there is nothing but GET.');
  const { keyId, key } = await identify(request, target, options);
  const { service } = options;
  if (path === DESCRIPTOR_PATH)
    return { headers: await service.admit(keyId), body: await service.describe(key.tenant ?? null) };
  const given = [...new URLSearchParams(queryText)].filter(([, value]) => value !== '');
  const query = validate<PageQuery>(pageQuery, Object.fromEntries(given));
  const tenant = query.tenant ?? key.tenant;
  if (tenant === null) throw fault('tenant', 'key_tenant');
  if (key.tenant !== null && tenant !== key.tenant) throw notFound(`The tenant ${tenant}`);
  const headers = await service.admit(keyId);
  const name = path.slice(DESCRIPTOR_PATH.length + 1);
  return { headers, body: await service.page(name, { ...query, tenant }) };
}

async function identify(
  request: http.IncomingMessage,
  target: string,
  { key: find, clock }: DatasetListenerOptions,
): Promise<{ keyId: string; key: PullKey }> {
  const [keyId, seconds, signature] = ['x-core-key', 'x-core-timestamp', 'x-core-signature'].map((name) =>
    String(request.headers[name] ?? ''),
  ) as [string, string, string];
  if (keyId === '' || !/^\d{1,12}$/.test(seconds) || signature === '') {
    throw new AppError(
      401,
      'unauthorized',
      'A call carries X-Core-Key, X-Core-Timestamp (Unix seconds) and X-Core-Signature (v1=<hex>).',
    );
  }
  const timestamp = Number(seconds);
  const found = await find(keyId);
  if (
    !found ||
    !signatureMatches(found.secrets, { timestamp, method: request.method ?? '', target, body: '' }, signature)
  ) {
    throw new AppError(
      401,
      'bad_signature',
      'The key is unknown, or the signature is not made with its secret over the request as it ' +
        'arrived: method, path and query, empty body.',
    );
  }
  if (Math.abs(clock.now() / 1000 - timestamp) > SIGNATURE_TOLERANCE_S) {
    throw new AppError(
      401,
      'clock_skew',
      `The timestamp is more than ${SIGNATURE_TOLERANCE_S} s from this server's time; set the clock by ` +
        'serverTime.',
      {
        extra: {
          serverTime: new Date(clock.now()).toISOString(),
          serverUnixSeconds: Math.floor(clock.now() / 1000),
        },
      },
    );
  }
  return { keyId, key: found };
}

function refuse(response: http.ServerResponse, thrown: unknown, onError: (error: unknown) => void): void {
  const known = thrown instanceof AppError ? thrown : null;
  if (!known) onError(thrown);
  const error = known ?? internal(thrown);
  const headers: Record<string, string> =
    error.retryAfterSeconds === undefined
      ? {}
      : { ...error.headers, 'retry-after': String(error.retryAfterSeconds) };
  if (error.status === 405) headers.allow = 'GET';
  send(response, error.status, error.toBody(), headers);
}

/** Who reads is told which row it is, so that its people are; the values of it stay here. */
function internal(thrown: unknown): AppError {
  if (!(thrown instanceof RowNotDeclared))
    return new AppError(500, 'internal', 'Something failed here; the log has the details.');
  return new AppError(
    500,
    ROW_NOT_DECLARED,
    'A value is not as the dataset declares; the log here has more.',
    { extra: thrown.details },
  );
}

function send(
  response: http.ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': bytes.length,
      ...headers,
    })
    .end(bytes);
}
