// Every error that a route may give: those of its own, and those that follow from its form.
import type { Route } from '../route.ts';

type Json = Record<string, unknown>;

const text = (description: string): Json => ({ type: 'string', description });
const position = (description: string): Json => ({ type: 'integer', description });

const MEMBERS: Json = {
  error: text('stable code'),
  message: text('what is wrong and what to do, for a person'),
  messageZh: text('the same in Chinese; what names things stands beside it'),
  details: {
    type: 'array',
    items: {},
    description:
      'validation_failed: the faults as {path, code, message, messageZh}, 50 at most and then how many ' +
      'more; other codes: the things it is about',
  },
  requestId: text('as in X-Request-Id'),
  serverTime: text('clock_skew: the time here, RFC 3339'),
  serverUnixSeconds: position('clock_skew: the time here, Unix seconds'),
  epoch: text('cursor errors, sender_rolled_back: epoch of this store'),
  head: position('cursor_ahead of a consumer: id of the newest event'),
  oldest: position('cursor_expired: id of the oldest event that is kept'),
  offset: position(
    'evidence_offset and evidence_mismatch, answer_offset and answer_mismatch: byte from which the file is ' +
      'to go on',
  ),
  known: position(
    'cursor_ahead, sender_rolled_back, batch_missing of an uplink: position up to which this store holds it',
  ),
  protocol: position('protocol_unsupported: newest protocol that is spoken here'),
  state: text(
    'transition_refused, state_refused, chunks_closed: the present state of the task or policy file',
  ),
  version: position('stale_version: the present version'),
  current: { type: 'object', description: 'stale_version: the object as it is now' },
  docId: position('source_key_taken, another_version_effective: the policy file in the way'),
  missingNumbers: text('numbers_missing: the numbers that are missing between those of the clauses'),
  chunksSha256: text('stale_chunks: fingerprint of the chunk set as it is now'),
  clearedCount: position('members_gone: former members that are no longer kept'),
};

const RETRYABLE: Json = {
  type: 'boolean',
  description: 'true: send the same request again; false: read the state again first',
};

const ENVELOPE: Json = {
  type: 'object',
  required: ['code', 'message', 'data', 'error', 'requestId'],
  properties: {
    code: { type: 'integer', description: 'never 0; the HTTP status and two digits' },
    message: text('what is wrong, for a person'),
    data: { type: 'null' },
    error: text('stable name, as elsewhere'),
    error_description: text('the same as `message`, as RFC 6749 names it'),
    details: {
      type: 'array',
      items: {},
      description: 'the faults as {path, code, message, messageZh}, 50 at most and then how many more',
    },
    retryable: { ...RETRYABLE, description: `with 409; ${RETRYABLE.description as string}` },
    requestId: text('as in X-Request-Id'),
  },
};

const ERROR_SCHEMAS: Json = {
  Error: {
    type: 'object',
    required: ['error', 'message', 'requestId'],
    properties: { ...MEMBERS, retryable: RETRYABLE },
  },
  Conflict: {
    type: 'object',
    required: ['error', 'message', 'retryable', 'requestId'],
    properties: { ...MEMBERS, retryable: RETRYABLE },
  },
};

/** What the errors of these routes look like. */
export const errorSchemas = (routes: readonly Route[]): Json => ({
  ...(routes.some(({ envelope }) => envelope) ? { Envelope: ENVELOPE } : {}),
  ...ERROR_SCHEMAS,
});

/** Where the request may be sent again later, the answer says when. */
const WITH_RETRY_AFTER = [429, 503, 507];

/** Codes by status. */
export function errorsOf(route: Route): Map<number, string[]> {
  const errors = new Map<number, string[]>();
  const add = (status: number, codes: readonly string[]): void => {
    errors.set(status, [...new Set([...(errors.get(status) ?? []), ...codes])]);
  };
  for (const [status, codes] of Object.entries(route.errors ?? {})) add(Number(status), codesOf(codes));
  const changes = route.method !== 'GET';
  const signed = route.access.some((way) => way === 'node' || way === 'site' || way === 'consumer');
  add(400, ['validation_failed']);
  add(401, signed ? ['unauthorized', 'bad_signature', 'clock_skew'] : ['unauthorized', 'bad_signature']);
  if (signed) add(503, ['secret_unreadable']);
  // A wrong admin key is told at every call, also at one that is open to everybody.
  add(429, ['too_many_attempts']);
  add(403, changes && !route.access.includes('public') ? ['forbidden', 'csrf'] : ['forbidden']);
  if (route.body || route.files) add(503, ['overloaded']);
  if (route.body || route.stream || route.raw || route.files) {
    add(400, ['body_incomplete']);
    add(408, ['request_timeout']);
    add(413, ['body_too_large']);
  }
  if (route.files) add(400, ['malformed_form']);
  else if (route.body) add(400, ['malformed_json']);
  if (route.body || route.files) add(415, ['unsupported_media_type']);
  if (route.compressed) {
    add(400, ['bad_encoding']);
    add(415, ['unsupported_encoding']);
  }
  if (changes) {
    add(409, ['write_contention']);
    add(507, ['storage_full']);
  }
  if (route.retryKey) {
    add(409, ['request_under_way', 'retry_outcome_unknown', 'answer_not_kept']);
    add(422, ['idempotency_key_reused']);
    add(429, ['too_many_retry_keys']);
  }
  add(500, ['internal']);
  add(503, [
    'store_unavailable',
    'store_timeout',
    'store_busy',
    'store_damaged',
    'store_failed',
    'store_closed',
  ]);
  return errors;
}

/** "a, b; c (why)" → a, b, c */
function codesOf(declared: string): string[] {
  return declared
    .replace(/\([^)]*\)/g, '')
    .split(/[,;]/)
    .map((code) => code.trim())
    .filter((code) => code !== '');
}

export function errorResponse(status: number, codes: readonly string[]): Json {
  const schema = status === 409 ? 'Conflict' : 'Error';
  return {
    description: codes.join(', '),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...(WITH_RETRY_AFTER.includes(status)
        ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
        : {}),
    },
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: `#/components/schemas/${schema}` }, { properties: { error: { enum: codes } } }],
        },
      },
    },
  };
}

/** Errors of the open interface: the envelope, whose code is not 0. */
export function envelopeResponse(status: number, codes: readonly string[]): Json {
  return {
    description: codes.join(', '),
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...(WITH_RETRY_AFTER.includes(status)
        ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
        : {}),
    },
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Envelope' }, { properties: { error: { enum: codes } } }],
        },
      },
    },
  };
}
