import { parse } from 'node:querystring';
import * as z from 'zod/mini';
import { storableText } from './body/json.ts';
import { badRequest, fault } from './error.ts';
import { type Fault, faultAt } from './fault/fault.ts';
import type { Route, Schema } from './route.ts';
import { validate } from './validate.ts';

const NO_QUERY = z.strictObject({});

/** The parameters after the question mark. @throws AppError 400, also when one is given more than once */
export function readQuery(route: Route, queryText: string): unknown {
  if (!route.query && queryText === '') return undefined;
  const query = parse(queryText);
  const repeated: Fault[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) repeated.push(faultAt(name, 'given_twice'));
  }
  if (repeated.length > 0) throw badRequest(repeated);
  const values = { ...query } as Record<string, string>;
  return readTexts(route.query ?? NO_QUERY, route.blankAbsent ? withoutBlanks(values) : values);
}

/** The parameters that have a value. */
const withoutBlanks = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

/** The parameters of a path. @throws AppError 400 */
export const readParams = (route: Route, params: Record<string, string>): unknown =>
  route.params ? readTexts(route.params, params) : undefined;

/** Texts by their schema, which may coerce numbers. @throws AppError 400 */
export function readTexts(schema: Schema, values: Record<string, string>): unknown {
  for (const [name, value] of Object.entries(values)) {
    if (!storableText(value)) throw fault(name, 'unicode');
  }
  return validate(schema, withPlainNumbers(schema, values));
}

const PLAIN_NUMBER = /^-?\d+$/;
/** A text that is read as no number, put in the place of what only JavaScript takes for one. */
const NO_NUMBER = '-';

/**
 * JavaScript reads numbers from `0x1F`, `1e3`, ` 5` and from nothing at all; here they are written in digits.
 */
function withPlainNumbers(schema: Schema, values: Record<string, string>): Record<string, string> {
  for (const name of numbersOf(schema)) {
    const value = values[name];
    if (value !== undefined && !PLAIN_NUMBER.test(value)) values[name] = NO_NUMBER;
  }
  return values;
}

const numberNames = new WeakMap<Schema, readonly string[]>();

/** Names of the members that are read as numbers. */
function numbersOf(schema: Schema): readonly string[] {
  let names = numberNames.get(schema);
  if (names === undefined) {
    const { shape = {} } = schema._zod.def as { shape?: Record<string, Schema> };
    names = Object.keys(shape).filter((name) => isNumber(shape[name] as Schema));
    numberNames.set(schema, names);
  }
  return names;
}

function isNumber(schema: Schema): boolean {
  const { type, innerType } = schema._zod.def as { type: string; innerType?: Schema };
  return innerType ? isNumber(innerType) : type === 'number';
}
