import { timeSlice } from '../../time-slice.ts';
import type { Route, Schema } from '../route.ts';
import { errorSchemas } from './error.ts';
import { CORE_FIELDS, type FieldTexts } from './field-texts.ts';
import { giveExamples } from './fields.ts';
import { operationOf } from './operation.ts';
import { inWords, type Paths, shareResponses } from './responses.ts';
import { type Json, Schemas } from './schemas.ts';
import { schemesOf } from './security.ts';
import { API_TEXT, TAG_TEXTS } from './text.ts';

const LICENCE: Json = {
  identifier: 'LicenseRef-Fieldline',
  name: 'Proprietary: only under a written agreement with the Fieldline authors',
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

/** What is said of a program beside its routes. */
export interface ProgramText {
  title: string;
  version: string;
  /** Documented bodies of routes that check theirs themselves, by `METHOD path`. */
  bodies: ReadonlyMap<string, Schema>;
  webhooks?: readonly SentMessage[] | undefined;
  /** What the members of bodies mean that are the program's own. */
  fields: FieldTexts;
}

/** The OpenAPI 3.1 description of a program, from the route table that serves it (DESIGN.md, "The API"). */
export function describe(routes: readonly Route[], text: ProgramText): Json {
  const pieces = piecesOf(routes, text);
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

/** The same in pieces between which the event loop turns: the whole takes a tenth of a second and more. */
export async function describeInPieces(routes: readonly Route[], text: ProgramText): Promise<Json> {
  const pieces = piecesOf(routes, text);
  for (;;) {
    await timeSlice();
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

function* piecesOf(
  routes: readonly Route[],
  { title, version, bodies, webhooks = [], fields }: ProgramText,
): Generator<void, Json, void> {
  const schemas = new Schemas({ ...CORE_FIELDS, ...fields });
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const item = (paths[route.path] ??= {});
    const body = bodies.get(`${route.method} ${route.path}`) ?? route.body;
    item[route.method.toLowerCase()] = operationOf(route, body, schemas);
    yield;
  }
  const tags = [...new Set(routes.map((route) => route.tag))];
  const { document, schemas: named } = schemas.settle({
    openapi: '3.1.0',
    info: { title, version, description: API_TEXT, license: LICENCE },
    servers: [{ url: '/', description: 'The program that serves this description' }],
    tags: tags.map((name) => ({
      name,
      ...(TAG_TEXTS[name] === undefined ? {} : { description: TAG_TEXTS[name] }),
    })),
    paths,
    ...(webhooks.length > 0
      ? {
          webhooks: Object.fromEntries(
            webhooks.map((sent) => [sent.name, { post: webhookOf(sent, schemas) }]),
          ),
        }
      : {}),
  });
  yield;
  giveExamples(document.paths as Paths, named as Record<string, Json>);
  yield;
  const { responses, paths: sharing } = shareResponses(document.paths as Paths);
  return {
    ...document,
    paths: sharing,
    components: {
      schemas: { ...named, ...errorSchemas(routes) },
      responses,
      headers: HEADERS,
      securitySchemes: schemesOf(routes, webhooks.length > 0),
    },
  };
}

function webhookOf({ name, summary, description, headers, body }: SentMessage, schemas: Schemas): Json {
  return {
    operationId: `receive${inWords(name)}`,
    summary,
    description,
    parameters: Object.entries(headers).map(([header, text]) => ({
      name: header,
      in: 'header',
      required: true,
      description: text,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: schemas.of(body, 'output') } } },
    security: [{ webhookSignature: [] }],
    responses: {
      '2XX': { description: 'Taken. Any other answer, or none within 10 s, is an attempt that failed.' },
    },
  };
}
