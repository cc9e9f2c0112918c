// How faults of input are told. The texts are read after the path of the faulty member.
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type ConfigError, readVariables, wholeNumber } from '../../common/config.ts';
import { eventInput } from '../../common/core/event/schema.ts';
import { verdictInput } from '../../common/core/verdict/schema.ts';
import { AppError } from '../../common/http/error.ts';
import { idParam, limitParam } from '../../common/http/list.ts';
import type { Schema } from '../../common/http/route.ts';
import { validate } from '../../common/http/validate.ts';

function refusal(schema: Schema, value: unknown): AppError {
  try {
    validate(schema, value);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** Every fault as a person reads it. */
const told = (schema: Schema, value: unknown): string[] =>
  (refusal(schema, value).details as { path: string; message: string }[]).map(({ path, message }) =>
    `${path} ${message}`.trim(),
  );

const of = (member: Schema): Schema => z.strictObject({ m: member });

describe('a fault is told in plain words', () => {
  const KINDS = z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('verdict') }),
    z.object({ kind: z.literal('correction') }),
  ]);
  test.each<[string, Schema, unknown, string]>([
    ['missing text', z.string(), undefined, 'm is required'],
    ['missing number', z.int(), undefined, 'm is required'],
    ['missing choice', z.enum(['a', 'b']), undefined, 'm is required'],
    ['missing list', z.array(z.string()), undefined, 'm is required'],
    ['missing one of two types', z.union([z.string(), z.int()]), undefined, 'm is required'],
    ['number for text', z.string(), 5, 'm must be text, not a number'],
    ['null for text', z.string(), null, 'm must be text, not null'],
    ['text for a number', z.number(), '5', 'm must be a number, not text'],
    ['text for a whole number', z.int(), '5', 'm must be a whole number, not text'],
    ['fraction for a whole number', z.int(), 1.5, 'm must be a whole number'],
    ['text for true or false', z.boolean(), 'true', 'm must be true or false, not text'],
    ['object for a list', z.array(z.string()), {}, 'm must be a list, not an object'],
    ['list for an object', z.object({}), [], 'm must be an object, not a list'],
    ['list for any members', z.record(z.string(), z.unknown()), [], 'm must be an object, not a list'],
    [
      'neither of two types',
      z.union([z.string(), z.int()]),
      true,
      'm must be text, not true or false, or must be a whole number, not true or false',
    ],
    ['empty text', z.string().check(z.minLength(1)), '', 'm must not be empty'],
    ['short text', z.string().check(z.minLength(3)), 'ab', 'm must have at least 3 characters; it has 2'],
    ['long text', z.string().check(z.maxLength(3)), 'abcd', 'm must have at most 3 characters; it has 4'],
    ['empty list', z.array(z.int()).check(z.minLength(1)), [], 'm must not be empty'],
    ['long list', z.array(z.int()).check(z.maxLength(1)), [1, 2], 'm must have at most 1 entries; it has 2'],
    ['small number', z.int().check(z.minimum(1)), 0, 'm must be at least 1'],
    ['large number', z.int().check(z.maximum(9)), 10, 'm must be at most 9'],
    ['number beyond what is exact', z.int(), 1e20, 'm must be at most 9007199254740991'],
    ['number at an open end', z.number().check(z.gt(0)), 0, 'm must be more than 0'],
    ['number at the other open end', z.number().check(z.lt(5)), 5, 'm must be less than 5'],
    ['no such choice', z.enum(['low', 'high']), 'loud', 'm must be one of low, high'],
    ['null for a choice', z.enum(['low', 'high']), null, 'm must be one of low, high'],
    ['not the one value', z.literal('hq'), 'site', 'm must be hq'],
    ['no such kind', KINDS, { kind: 'other' }, 'm.kind must be one of verdict, correction'],
    ['wrong entry', z.array(z.int()), [1, 'x'], 'm[1] must be a whole number, not text'],
    ['text that is no number, as a parameter', limitParam(10, 20), 'many', 'm must be a whole number'],
    ['fraction as a parameter', limitParam(10, 20), '1.5', 'm must be a whole number'],
    ['parameter past its limit', limitParam(10, 20), '21', 'm must be at most 20'],
    [
      'form without a word of its own',
      z.string().check(z.regex(/^a$/)),
      'b',
      'm does not have the required form',
    ],
    ['form with a word of its own', z.string().check(z.regex(/^a$/, 'must be a')), 'b', 'm must be a'],
  ])('%s', (_, schema, value, text) => {
    expect(told(of(schema), value === undefined ? {} : { m: value })).toEqual([text]);
  });

  test('every member that is not known, each by its path', () => {
    expect(told(z.strictObject({ in: z.strictObject({}) }), { in: { b: 1 }, a: 1, c: 2 })).toEqual([
      'in.b is not known here; check the spelling',
      'a is not known here; check the spelling',
      'c is not known here; check the spelling',
    ]);
  });

  test('all faults of a request at once, the first in the message', () => {
    const error = refusal(verdictInput, { verdict: 'maybe', notes: 'x', merged_into: 'y', by: 7 });
    expect(error.details).toHaveLength(4);
    expect(error.message).toBe(
      'The request is not valid: verdict must be one of confirmed, false_alarm, merged; by must be ' +
        'text, not a number; ' +
        'merged_into must be a whole number, not text; details has 1 more.',
    );
    expect(refusal(verdictInput, []).message).toBe(
      'The request is not valid: it must be an object, not a list.',
    );
  });

  test('no word of the library is left for any single fault of an event', () => {
    const wrong = [null, '', 0, -1, 1.5, 'x'.repeat(10_000), true, [], {}, [1], { a: 1 }];
    for (const name of Object.keys(eventInput.shape)) {
      for (const value of wrong) {
        const result = eventInput.safeParse({ idempotency_key: 'k', type: 't', [name]: value });
        for (const { message } of result.error?.issues ?? []) {
          expect([name, value, message]).not.toContainEqual(
            expect.stringMatching(/invalid|expected|received|undefined|string|integer|boolean/i),
          );
          expect(message).toMatch(/^(?:is|must|has|does) /);
        }
      }
    }
    expect(told(idParam, { id: 'abc' })).toEqual(['id must be a whole number']);
  });
});

test('a configuration is told in the same words', () => {
  const schema = z.object({ CORE_A: wholeNumber(1, 5, 2), CORE_B: z.enum(['x', 'y']) });
  const faults = (env: Record<string, string>): string[] => {
    try {
      readVariables(schema, env);
    } catch (error) {
      return (error as ConfigError).faults;
    }
    return [];
  };
  expect(faults({ CORE_A: '9', CORE_C: '1' })).toEqual([
    'CORE_C is not known; check the spelling',
    'CORE_A must be at most 5',
    'CORE_B is required',
  ]);
});
