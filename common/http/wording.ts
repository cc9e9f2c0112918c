// The words in which faults of input are told, everywhere in both programs: what follows is read after the
// path of the faulty member, as in "title must have at most 512 characters; it has 600".
import * as z from 'zod/mini';
import { characters } from '../characters.ts';

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
  nan: 'not a number',
};

/** What a fault is called in plain words; a schema's own message goes before it. */
export function wording(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue);
    case 'invalid_value':
      if (issue.input === undefined) return 'is required';
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'unrecognized_keys':
      return `has members that are not known here: ${issue.keys.slice(0, 10).join(', ').slice(0, 500)}`;
    case 'invalid_union':
      return ofUnion(issue);
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`;
    case 'invalid_key':
      return 'has a member whose name is not allowed';
    default:
      return 'does not have the required form';
  }
}

function wrongType(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string {
  const { input } = issue;
  if (input === undefined) return 'is required';
  if (JSON.isRawJSON(input)) return 'is too large a number';
  const expected = wholeNumber(issue) ? 'a whole number' : (NAMES[issue.expected] ?? issue.expected);
  if (typeof input === 'number' && !Number.isInteger(input)) return `must be ${expected}`;
  return `must be ${expected}, not ${kindOf(input)}`;
}

/** A number that is checked to be whole, also where its text could not be read as any number. */
function wholeNumber({ expected, inst }: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): boolean {
  if (expected !== 'number') return false;
  const def = (
    inst as
      { _zod?: { def?: { check?: string; checks?: { _zod: { def: { check?: string } } }[] } } } | undefined
  )?._zod?.def;
  return (
    def?.check === 'number_format' ||
    (def?.checks ?? []).some((check) => check._zod.def.check === 'number_format')
  );
}

function kindOf(input: unknown): string {
  if (input === null) return 'null';
  if (Array.isArray(input)) return 'a list';
  return NAMES[typeof input] ?? typeof input;
}

function tooSmall(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  const least = Number(issue.minimum);
  const sized = sizeOf(issue);
  if (sized === null)
    return issue.inclusive === false ? `must be more than ${least}` : `must be at least ${least}`;
  if (least <= 1) return 'must not be empty';
  return `must have at least ${least} ${sized.unit}; it has ${sized.size}`;
}

function tooBig(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  const most = Number(issue.maximum);
  const sized = sizeOf(issue);
  if (sized === null)
    return issue.inclusive === false ? `must be less than ${most}` : `must be at most ${most}`;
  return `must have at most ${most} ${sized.unit}; it has ${sized.size}`;
}

function sizeOf({ input }: z.core.$ZodRawIssue): { unit: string; size: number } | null {
  if (typeof input === 'string') return { unit: 'characters', size: characters(input) };
  return Array.isArray(input) ? { unit: 'entries', size: input.length } : null;
}

function ofUnion(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  if ('options' in issue && Array.isArray(issue.options))
    return `must be one of ${issue.options.map(String).join(', ')}`;
  if (issue.input === undefined) return 'is required';
  const ways = new Set(
    issue.errors.flatMap((errors) =>
      errors.filter(({ path }) => path.length === 0).map(({ message }) => message),
    ),
  );
  return ways.size > 0 ? [...ways].join(', or ') : 'does not have the required form';
}

z.config({ localeError: wording });
