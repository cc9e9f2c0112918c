import * as z from 'zod/mini';
import type { Access, Route, Schema } from './route.ts';

type Json = Record<string, unknown>;

const SECURITY: Record<Exclude<Access, 'public'>, string> = {
  admin: 'adminKey', session: 'session', node: 'nodeSignature', site: 'siteSignature', consumer: 'consumerSignature',
};

const signature = (whose: string): Json => ({
  type: 'apiKey', in: 'header', name: 'X-Core-Signature',
  description: `Signed with the key of a ${whose}: X-Core-Key (key id), X-Core-Timestamp (Unix seconds, within 300 s) and X-Core-Signature ` +
    '"v1=" + lowercase hex HMAC-SHA256 over "v1\\n<timestamp>\\n<METHOD>\\n<path and query as sent>\\n<lowercase hex SHA-256 of the raw body>".',
});

const ERROR_SCHEMA: Json = {
  type: 'object', required: ['error', 'message', 'requestId'],
  properties: {
    error: { type: 'string', description: 'stable code' }, message: { type: 'string', description: 'what to do' },
    details: { type: 'array', items: {} }, retryable: { type: 'boolean', description: 'on every 409' }, requestId: { type: 'string' },
  },
};

/** Statuses that any route with the property may give. */
function commonErrors(route: Route): Record<number, string> {
  const open = route.access.length === 1 && route.access[0] === 'public';
  const signed = route.access.some((way) => way === 'node' || way === 'site' || way === 'consumer');
  const errors: Record<number, string> = { 500: 'internal', 503: 'unavailable' };
  if (route.params || route.query || route.body) errors[400] = 'validation_failed';
  if (route.body) Object.assign(errors, { 408: 'request_timeout', 413: 'body_too_large', 415: 'unsupported_media_type' });
  if (!open) Object.assign(errors, { 401: signed ? 'unauthorized, bad_signature, clock_skew' : 'unauthorized', 403: route.method !== 'GET' && route.access.includes('session') ? 'forbidden, csrf' : 'forbidden' });
  return errors;
}

/** The OpenAPI 3.1 description of a program, from the route table that serves it (design §5). */
export function describe(routes: readonly Route[], title: string, version: string, bodies: ReadonlyMap<string, Schema>): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const item = (paths[route.path] ??= {});
    item[route.method.toLowerCase()] = operationOf(route, bodies.get(`${route.method} ${route.path}`) ?? route.body);
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description: 'Times are RFC 3339. Lists are {items, nextCursor, hasMore}. Every answer carries X-Request-Id.' },
    paths,
    components: {
      schemas: { Error: ERROR_SCHEMA },
      securitySchemes: {
        adminKey: { type: 'apiKey', in: 'header', name: 'X-Admin-Key' },
        session: { type: 'apiKey', in: 'cookie', name: 'fieldline_session', description: 'with X-Requested-With: fieldline on every change' },
        nodeSignature: signature('node'), siteSignature: signature('site'), consumerSignature: signature('consumer'),
      },
    },
  };
}

function operationOf(route: Route, body: Schema | undefined): Json {
  const responses: Record<string, Json> = {};
  for (const [status, doc] of Object.entries(route.replies)) {
    const type = doc.contentType ?? 'application/json';
    responses[status] = { description: doc.description, content: { [type]: { schema: doc.schema ? jsonSchema(doc.schema, 'output') : {} } } };
  }
  for (const [status, codes] of Object.entries({ ...commonErrors(route), ...route.errors })) {
    responses[status] ??= { description: codes, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };
  }
  const guarded = route.access.filter((way): way is Exclude<Access, 'public'> => way !== 'public');
  return {
    summary: route.summary, tags: [route.tag], ...permissionOf(route),
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'input') } } } } : {}),
    responses,
    security: route.access.includes('public') ? [] : guarded.map((way) => ({ [SECURITY[way]]: [] })),
  };
}

function permissionOf({ access, permission }: Route): Json {
  if (!access.includes('session') || permission === undefined || permission === 'self') return {};
  return { description: `A login session needs the permission ${permission}, and sees its own tenant only.` };
}

function parametersOf(schema: Schema | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(properties).map(([name, property]) => ({
    name, in: place, required: place === 'path' || required.includes(name), schema: Object.keys(property).length > 0 ? property : { type: 'string' },
  }));
}

function jsonSchema(schema: Schema, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
  return rest;
}
