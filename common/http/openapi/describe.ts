import * as z from 'zod/mini';
import { DEFAULT_MAX_BODY } from '../body/body.ts';
import { envelopeResponse, ERROR_SCHEMAS, errorResponse, errorsOf } from './error.ts';
import { mostFormBytes } from '../form/form.ts';
import { API_TEXT, TAG_TEXTS } from './text.ts';
import type { Access, Route, Schema } from '../route.ts';

type Json = Record<string, unknown>;

const SECURITY: Record<Exclude<Access, 'public'>, string> = {
  admin: 'adminKey',
  session: 'session',
  node: 'nodeSignature',
  site: 'siteSignature',
  consumer: 'consumerSignature',
};

const signature = (whose: string): Json => ({
  type: 'apiKey',
  in: 'header',
  name: 'X-Core-Signature',
  description:
    `Signed with the key of a ${whose}: X-Core-Key, X-Core-Timestamp and X-Core-Signature; see ` +
    '"Signature" in the description of this API.',
});

const SECURITY_SCHEMES: Json = {
  adminKey: { type: 'apiKey', in: 'header', name: 'X-Admin-Key' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'fieldline_session',
    description: 'with X-Requested-With: fieldline on every change',
  },
  nodeSignature: signature('node'),
  siteSignature: signature('site'),
  consumerSignature: signature('consumer'),
};

const HEADERS: Json = {
  RequestId: { description: 'The log has the request under this id', schema: { type: 'string' } },
  RetryAfter: {
    description: 'Seconds after which the same request may be sent again',
    schema: { type: 'integer', minimum: 0 },
  },
};

/** A message that the program sends by itself, to an address that was registered for it. */
export interface SentMessage {
  name: string;
  summary: string;
  description: string;
  headers: Readonly<Record<string, string>>;
  body: Schema;
}

export interface Described {
  title: string;
  version: string;
  /** Documented bodies of routes that check theirs themselves, by `METHOD path`. */
  bodies: ReadonlyMap<string, Schema>;
  webhooks?: readonly SentMessage[] | undefined;
}

/** The OpenAPI 3.1 description of a program, from the route table that serves it (design §5). */
export function describe(
  routes: readonly Route[],
  { title, version, bodies, webhooks = [] }: Described,
): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const item = (paths[route.path] ??= {});
    item[route.method.toLowerCase()] = operationOf(
      route,
      bodies.get(`${route.method} ${route.path}`) ?? route.body,
    );
  }
  const tags = [...new Set(routes.map((route) => route.tag))];
  return {
    openapi: '3.1.0',
    info: { title, version, description: API_TEXT },
    tags: tags.map((name) => ({
      name,
      ...(TAG_TEXTS[name] === undefined ? {} : { description: TAG_TEXTS[name] }),
    })),
    paths,
    ...(webhooks.length > 0
      ? { webhooks: Object.fromEntries(webhooks.map((sent) => [sent.name, { post: webhookOf(sent) }])) }
      : {}),
    components: { schemas: ERROR_SCHEMAS, headers: HEADERS, securitySchemes: SECURITY_SCHEMES },
  };
}

/** The one success that has no body. */
const NOT_MODIFIED = 304;

function operationOf(route: Route, body: Schema | undefined): Json {
  const responses: Record<string, Json> = {};
  for (const [status, doc] of Object.entries(route.replies)) {
    const type = doc.contentType ?? 'application/json';
    responses[status] = {
      description: doc.description,
      headers: { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } },
      ...(Number(status) === NOT_MODIFIED
        ? {}
        : { content: { [type]: { schema: doc.schema ? jsonSchema(doc.schema, 'output') : {} } } }),
    };
  }
  for (const [status, codes] of errorsOf(route))
    responses[String(status)] ??= route.envelope
      ? envelopeResponse(status, codes)
      : errorResponse(status, codes);
  const guarded = route.access.filter((way): way is Exclude<Access, 'public'> => way !== 'public');
  const description = [route.description, permissionOf(route), scopeOf(route), limitOf(route)]
    .filter((text) => text !== undefined)
    .join('\n\n');
  return {
    operationId: nameOf(route),
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    tags: [route.tag],
    parameters: [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')],
    ...requestBodyOf(route, body),
    responses,
    security: route.access.includes('public')
      ? []
      : [
          ...guarded.flatMap((way) =>
            way === 'consumer'
              ? (route.scopes ?? []).map((scope) => ({ [SECURITY[way]]: [scope] }))
              : [{ [SECURITY[way]]: [] }],
          ),
          ...(route.openTo === undefined ? [] : [{}]),
        ],
  };
}

function webhookOf({ name, summary, description, headers, body }: SentMessage): Json {
  return {
    operationId: `webhook_${name.replace(/[^A-Za-z0-9]+/g, '_')}`,
    summary,
    description,
    parameters: Object.entries(headers).map(([header, text]) => ({
      name: header,
      in: 'header',
      required: true,
      description: text,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: jsonSchema(body, 'output') } } },
    responses: {
      '2XX': { description: 'Taken. Any other answer, or none within 10 s, is an attempt that failed.' },
    },
  };
}

/** `post_events_id_verdict` for POST /api/core/events/{id}/verdict. */
function nameOf({ method, path }: Route): string {
  return `${method.toLowerCase()}_${path
    .replace(/^\/(?:api\/(?:core\/)?)?/, '')
    .replace(/[{}]/g, '')
    .replace(/[^A-Za-z0-9]+/g, '_')}`;
}

function requestBodyOf(route: Route, body: Schema | undefined): Json {
  if (route.stream || route.raw)
    return {
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
    };
  if (route.files) return { requestBody: { required: true, content: multipartOf(route.files, body) } };
  if (!body) return {};
  const schema = jsonSchema(body, 'input');
  return {
    requestBody: {
      required: !route.bodyOptional,
      content: {
        'application/json': { schema },
        ...(route.form ? { 'application/x-www-form-urlencoded': { schema } } : {}),
      },
    },
  };
}

function multipartOf(files: NonNullable<Route['files']>, body: Schema | undefined): Json {
  const texts = (body ? jsonSchema(body, 'input') : {}) as { properties?: Json; required?: string[] };
  const parts = Object.entries(files).map(([name, { description, maxBytes }]) => [
    name,
    { type: 'string', format: 'binary', description: `${description}; at most ${maxBytes} bytes` },
  ]);
  const schema = {
    ...texts,
    type: 'object',
    properties: { ...texts.properties, ...(Object.fromEntries(parts) as Json) },
    required: [...(texts.required ?? []), ...Object.keys(files)],
  };
  return { 'multipart/form-data': { schema } };
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

function parametersOf(schema: Schema | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: Object.keys(property).length > 0 ? property : { type: 'string' },
  }));
}

/** Answers may gain members, so that an answer's object is never described as closed. */
function jsonSchema(schema: Schema, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => {
      if (io === 'output' && made.additionalProperties === false) delete made.additionalProperties;
    },
  }) as Json;
  return rest;
}
