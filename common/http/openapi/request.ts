import type { Route, Schema } from '../route.ts';
import { meaningOf } from './parameters.ts';
import type { Json, Schemas } from './schemas.ts';

export function requestBodyOf(route: Route, body: Schema | undefined, schemas: Schemas): Json {
  if (route.stream || route.raw)
    return {
      requestBody: {
        required: true,
        content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } },
      },
    };
  if (route.files)
    return { requestBody: { required: true, content: multipartOf(route.files, body, schemas) } };
  if (!body) return {};
  const schema = schemas.inWords(schemas.of(body, 'input'));
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

function multipartOf(files: NonNullable<Route['files']>, body: Schema | undefined, schemas: Schemas): Json {
  const texts = schemas.inWords(body ? schemas.of(body, 'input') : {}) as {
    properties?: Json;
    required?: string[];
    $ref?: string;
  };
  if (texts.$ref !== undefined) throw new Error(`${texts.$ref} stands for the texts of a form`);
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

const RETRY_KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Chosen by the caller, another for each request: sent again with the same key within 24 hours, the ' +
    'request is carried out no second time and answered as the first was, with `Idempotency-Replayed: true`',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  example: '7d0b4c53-9a6e-4a1f-8f3f-7b105f0c2a4e',
};

/** Those of path and query by their schemas, and the headers that the route reads itself. */
export function parametersOf(route: Route, schemas: Schemas): Json[] {
  return [
    ...parametersIn(route.params, 'path', schemas),
    ...parametersIn(route.query, 'query', schemas),
    ...(route.retryKey ? [RETRY_KEY] : []),
    ...Object.entries(route.headers ?? {}).map(([name, { required, description, example }]) => ({
      name,
      in: 'header',
      required,
      description,
      schema: { type: 'string' },
      example,
    })),
  ];
}

function parametersIn(schema: Schema | undefined, location: 'path' | 'query', schemas: Schemas): Json[] {
  if (!schema) return [];
  const { properties, required = [] } = schemas.of(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  if (!properties) throw new Error(`the parameters in a ${location} are no plain object`);
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...meaningOf(name, Object.keys(property).length > 0 ? property : { type: 'string' }),
  }));
}
