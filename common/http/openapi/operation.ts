import { DEFAULT_MAX_BODY } from '../body/body.ts';
import { mostFormBytes } from '../form/form.ts';
import type { Route, Schema } from '../route.ts';
import { envelopeResponse, errorResponse, errorsOf } from './error.ts';
import { OPERATION_NAMES } from './operation-names.ts';
import { parametersOf, requestBodyOf } from './request.ts';
import { inWords } from './responses.ts';
import type { Json, Schemas } from './schemas.ts';
import { securityOf } from './security.ts';

/** The one success that has no body. */
const NOT_MODIFIED = 304;

/** @param body the documented one, where the route checks its body itself */
export function operationOf(route: Route, body: Schema | undefined, schemas: Schemas): Json {
  const responses: Record<string, Json> = {};
  for (const [status, doc] of Object.entries(route.replies)) {
    const type = doc.contentType ?? 'application/json';
    responses[status] = {
      description: doc.description,
      headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
      ...(Number(status) === NOT_MODIFIED
        ? {}
        : { content: { [type]: { schema: doc.schema ? schemas.of(doc.schema, 'output') : {} } } }),
    };
  }
  for (const [status, codes] of errorsOf(route))
    responses[String(status)] ??= route.envelope
      ? envelopeResponse(status, codes)
      : errorResponse(status, codes);
  const description = [route.description, permissionOf(route), scopeOf(route), limitOf(route)]
    .filter((text) => text !== undefined)
    .join('\n\n');
  return {
    operationId: nameOf(route),
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    tags: [route.tag],
    parameters: parametersOf(route, schemas),
    ...requestBodyOf(route, body, schemas),
    responses,
    security: securityOf(route),
  };
}

/**
 * The name of `OPERATION_NAMES`; `postEventsIdVerdict` for POST /api/core/events/{id}/verdict where there is
 * none.
 */
export function nameOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  const named = OPERATION_NAMES[`${method} ${path}`];
  if (named !== undefined) return named;
  return method.toLowerCase() + inWords(path.replace(/^\/(?:api\/(?:core\/)?)?/, ''));
}

function permissionOf({ access, permission }: Route): string | undefined {
  if (!access.includes('session') || permission === undefined || permission === 'self') return undefined;
  return `A login session needs the permission ${permission}, and sees its own tenant only.`;
}

function scopeOf({ access, scopes = [] }: Route): string | undefined {
  if (!access.includes('consumer')) return undefined;
  return (
    `A consumer's key needs the scope ${scopes.join(' or ')}; one that is bound to a tenant sees that ` +
    'tenant only.'
  );
}

function limitOf(route: Route): string | undefined {
  if (!route.body && !route.stream && !route.raw && !route.files) return undefined;
  const coded = route.compressed
    ? ' It may be sent with Content-Encoding gzip or zstd; the limit holds unpacked.'
    : '';
  const most = route.files ? mostFormBytes(route.files) : (route.maxBody ?? DEFAULT_MAX_BODY);
  return `The body is at most ${most} bytes.${coded}`;
}
