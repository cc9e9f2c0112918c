// A served OpenAPI description, and what of an answer it does not say.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Answer } from './request.ts';

type Json = Record<string, unknown>;
interface Media {
  schema: Json;
  example?: unknown;
}
interface Response {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, Media>;
}

export interface Operation {
  method: string;
  path: string;
  /** `METHOD path`. */
  name: string;
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters: { name: string; in: string; description?: string; example?: unknown; schema: Json }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
  security: Record<string, unknown>[];
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

export class ApiDescription {
  readonly operations: Operation[];
  readonly info: { title: string; description: string };
  #components: unknown;
  /** Each has read the components once: read with every schema, they would take most of the time. */
  #checks: { open: Ajv2020; closed: Ajv2020 };
  #compiled = new Map<string, ValidateFunction>();

  constructor(document: Json) {
    const paths = document.paths as Record<string, Record<string, Operation>>;
    this.operations = Object.entries(paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => ({
        ...(item[method] as Operation),
        responses: resolved((item[method] as Operation).responses, document),
        method: method.toUpperCase(),
        path,
        name: `${method.toUpperCase()} ${path}`,
      })),
    );
    this.info = document.info as ApiDescription['info'];
    this.#components = document.components;
    this.#checks = { open: checkOf(document.components), closed: checkOf(closed(document.components)) };
  }

  /** Codes that an error answer of this status may bear. */
  codes({ responses }: Operation, status: number): string[] {
    const { allOf } = responses[status]?.content?.['application/json']?.schema as {
      allOf?: [Json, { properties: { error: { enum: string[] } } }];
    };
    return allOf?.[1].properties.error.enum ?? [];
  }

  /** Everything about an answer that the description does not say, or says otherwise. */
  faults(operation: Operation, answer: Answer): string[] {
    const response = operation.responses[answer.status];
    if (!response) return [`the status ${answer.status} is not documented: ${answer.text.slice(0, 300)}`];
    const faults = answer.headers['x-request-id'] === undefined ? ['there is no X-Request-Id'] : [];
    if (!response.content)
      return answer.text === '' ? faults : [...faults, `a body is not documented for ${answer.status}`];
    const given = (answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    const media = response.content[given] ?? response.content['*/*'];
    if (!media) return [...faults, `the content type ${given} is not documented for ${answer.status}`];
    if (given !== 'application/json') return faults;
    const body: unknown = JSON.parse(answer.text);
    return [
      ...faults,
      ...this.#invalid(`${operation.name} ${answer.status}`, media.schema, body),
      ...ofError(answer, body),
    ];
  }

  /** What is wrong with a request body by its own description. */
  requestFaults(operation: Operation, body: unknown): string[] {
    const schema = operation.requestBody?.content['application/json']?.schema;
    return schema
      ? this.#invalid(`${operation.name} request`, schema, body, false)
      : ['a body is not documented'];
  }

  /** Parameters without a word or a right example. */
  parameterFaults = ({ name: operation, parameters }: Operation): string[] =>
    parameters.flatMap(({ name, in: place, description, example, schema }) => {
      const where = `${operation} ${name}`;
      if (!description) return [`${where} says nothing`];
      return this.#invalid(`${where} ${place}`, schema, example, false).map((fault) => `${where} ${fault}`);
    });

  /** Members of the body that say nothing, and examples that are not there or that the body does not take. */
  bodyFaults = (operation: Operation): string[] => {
    const silent = Object.values(operation.requestBody?.content ?? {}).flatMap(({ schema }) =>
      this.#silent(schema, operation.name, new Set()),
    );
    const media = operation.requestBody?.content['application/json'];
    if (!media) return silent;
    if (media.example === undefined) return [...silent, `${operation.name} has no example`];
    return [...silent, ...this.requestFaults(operation, media.example)].map((one) =>
      one.startsWith(operation.name) ? one : `${operation.name} example: ${one}`,
    );
  };

  /** @param seen names of schemas that were looked at */
  #silent(form: unknown, where: string, seen: Set<string>): string[] {
    if (typeof form !== 'object' || form === null) return [];
    const { $ref, properties = {}, ...more } = form as { $ref?: string; properties?: Record<string, Json> };
    const name = $ref?.replace(/^.*\//, '');
    const { schemas = {} } = this.#components as { schemas?: Record<string, Json> };
    const named =
      name === undefined || seen.has(name) ? [] : this.#silent(schemas[name], where, seen.add(name));
    return [
      ...named,
      ...Object.entries(properties).flatMap(([key, value]) => [
        ...(value.description === undefined ? [`${where} ${key} says nothing`] : []),
        ...this.#silent(value, `${where} ${key}`, seen),
      ]),
      ...Object.values(more).flatMap((value) => this.#silent(value, where, seen)),
    ];
  }

  #invalid(name: string, schema: Json, value: unknown, strict = true): string[] {
    let check = this.#compiled.get(name);
    if (!check) {
      const form = referring(strict ? closed(schema) : schema) as Json;
      check = this.#checks[strict ? 'closed' : 'open'].compile(form);
      this.#compiled.set(name, check);
    }
    if (check(value)) return [];
    return (check.errors ?? []).map(
      (one) => `${one.instancePath || 'the body'} ${one.message ?? ''} ${JSON.stringify(one.params)}`,
    );
  }
}

const COMPONENTS = 'description';

const checkOf = (components: unknown): Ajv2020 =>
  // Most checks are run a few times: making them faster takes longer than they do.
  new Ajv2020({
    strict: false,
    allErrors: true,
    validateFormats: false,
    code: { optimize: false },
  }).addSchema({ components }, COMPONENTS);

/** The same schema for use outside its document: what it refers to is found in COMPONENTS. */
function referring(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(referring);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' ? `${COMPONENTS}${member}` : referring(member),
    ]),
  );
}

/** Responses that several operations share stand among the components. */
function resolved(responses: Operation['responses'], document: Json): Operation['responses'] {
  const shared = (document.components as { responses?: Record<string, Response> }).responses ?? {};
  const target = (response: Response & { $ref?: string }): Response => {
    if (response.$ref === undefined) return response;
    const found = shared[response.$ref.replace('#/components/responses/', '')];
    if (!found) throw new Error(`${response.$ref} leads nowhere`);
    return found;
  };
  return Object.fromEntries(Object.entries(responses).map(([status, one]) => [status, target(one)]));
}

function ofError(answer: Answer, body: unknown): string[] {
  if (answer.status < 400) return [];
  const { requestId, retryable, message } = body as {
    requestId?: string;
    retryable?: boolean;
    message?: string;
  };
  const faults: string[] = [];
  if (requestId !== answer.headers['x-request-id']) faults.push('requestId is not that of the header');
  if (answer.status === 409 && typeof retryable !== 'boolean') faults.push('a 409 without retryable');
  if ([429, 503, 507].includes(answer.status) && !/^\d+$/.test(answer.headers['retry-after'] ?? ''))
    faults.push(`a ${answer.status} without Retry-After`);
  // The messages of the open interface are the specification's.
  if (typeof (body as { code?: unknown }).code === 'number') return faults;
  // A sentence that a person can act on, without a word of the libraries.
  if (!/^\S.*[.]$/s.test(message ?? '') || /invalid input|expected|undefined|\[object/i.test(message ?? ''))
    faults.push(`the message is not plain: ${message}`);
  return faults;
}

/**
 * The same schema with every object closed that does not say itself that it is open: a member that is not
 * documented fails.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]));
  return copy.type === 'object' && copy.properties !== undefined && !('additionalProperties' in copy)
    ? { ...copy, additionalProperties: false }
    : copy;
}
