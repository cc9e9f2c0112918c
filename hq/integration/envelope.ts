// The envelope {code, message, data} of the open interface and its codes (spec 1, "Errors"; DESIGN.md, "The
// API").
import * as z from 'zod/mini';
import { AppError } from '../../common/http/error.ts';
import type { ErrorForm } from '../../common/http/middleware/errors.ts';

const OPEN_PREFIX = '/open/';

/** Codes by the name of the error; others are their HTTP status times a hundred. */
const OPEN_CODES: Readonly<Record<string, number>> = {
  validation_failed: 40000,
  malformed_json: 40000,
  body_incomplete: 40000,
  tenant_required: 40001,
  unsupported_grant_type: 40002,
  invalid_client: 40101,
  invalid_token: 40102,
  client_disabled: 40301,
  several_projects: 40901,
  too_many_requests: 42901,
  internal: 50000,
};

/** For people who call: every code of the open interface. */
export const OPEN_CODES_TEXT = `\`code\` is 0 for success. Of errors:

| HTTP | \`code\` | \`error\` |
|---|---|---|
${openCodeRows()}`;

function openCodeRows(): string {
  const rows = Object.entries(OPEN_CODES).map(([name, code]) => ({ name, code }));
  return [...rows, { name: 'not_found', code: 40401 }]
    .sort((a, b) => a.code - b.code)
    .map(({ name, code }) => `| ${Math.floor(code / 100)} | ${code} | \`${name}\` |`)
    .join('\n');
}

const PROJECT_NOT_FOUND = 40401;

const codeOf = ({ status, code, extra }: AppError): number =>
  typeof extra?.openCode === 'number' ? extra.openCode : (OPEN_CODES[code] ?? status * 100);

export const envelopeOf = (data: z.ZodMiniType) =>
  z.object({ code: z.literal(0), message: z.literal('ok'), data });

export const enveloped = (data: object): object => ({ code: 0, message: 'ok', data });

export const NO_STORE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** What RFC 6749 and RFC 6750 ask for beside a 401. */
const CHALLENGES: Readonly<Record<string, string>> = {
  invalid_client: 'Basic realm="open interface", charset="UTF-8"',
  invalid_token: 'Bearer realm="open interface", error="invalid_token"',
};

/** Errors under /open/, also those of paths that are nothing. */
export const openErrors: ErrorForm = {
  prefix: OPEN_PREFIX,
  render: (error, requestId) => {
    const challenge = CHALLENGES[error.code];
    return {
      body: {
        code: codeOf(error),
        message: error.message,
        data: null,
        error: error.code,
        // As RFC 6749 §5.2 has it, for OAuth clients.
        error_description: error.message,
        ...(error.retryable === undefined ? {} : { retryable: error.retryable }),
        ...(error.details ? { details: error.details } : {}),
        requestId,
      },
      headers: { ...NO_STORE, ...(challenge === undefined ? {} : { 'WWW-Authenticate': challenge }) },
    };
  },
};

type Headers = Record<string, string>;

/** The message of an unknown client and of a wrong secret: one and the same. */
export const invalidClient = (headers: Headers): AppError =>
  new AppError(401, 'invalid_client', 'invalid client credentials', { headers });
export const clientDisabled = (headers: Headers): AppError =>
  new AppError(403, 'client_disabled', 'client disabled', { headers });
export const invalidToken = (): AppError => new AppError(401, 'invalid_token', 'invalid or expired token');
export const projectNotFound = (): AppError =>
  new AppError(404, 'not_found', 'project does not exist', { extra: { openCode: PROJECT_NOT_FOUND } });
export const severalProjects = (): AppError =>
  new AppError(409, 'several_projects', 'several projects have this code; one of them must be given another');
