// The words in which faults of input are told, everywhere in both programs: what follows is read after the
// path of the faulty member, as in "title must have at most 512 characters; it has 600".
import * as z from 'zod/mini';
import { characters } from '../characters.ts';
import { type FaultMessage, saidOf, toldBy, word } from './fault/fault.ts';
import type { inputFaultMessages } from './fault/fault-messages.ts';

type TypeCode = Exclude<Extract<keyof typeof inputFaultMessages, `type_${string}`>, 'type_other'>;

const NAMES: Readonly<Record<string, TypeCode>> = {
  string: 'type_text',
  number: 'type_number',
  int: 'type_whole_number',
  bigint: 'type_whole_number',
  boolean: 'type_boolean',
  array: 'type_list',
  object: 'type_object',
  record: 'type_object',
  null: 'type_null',
  nan: 'type_nan',
};

function typeNamed(name: string): FaultMessage {
  const code = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
  return code === undefined ? saidOf('type_other', { name }) : saidOf(code);
}

/** What a fault is called in plain words; a schema's own message goes before it. */
export function wording(issue: z.core.$ZodRawIssue): FaultMessage {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue);
    case 'invalid_value':
      if (issue.input === undefined) return saidOf('required');
      return issue.values.length === 1
        ? saidOf('exactly', { value: String(issue.values[0]) })
        : saidOf('one_of', { values: issue.values.map(String).join(', ') });
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return tooBig(issue);
    case 'unrecognized_keys':
      return saidOf('unknown_members', { names: issue.keys.slice(0, 10).join(', ').slice(0, 500) });
    case 'invalid_union':
      return ofUnion(issue);
    case 'not_multiple_of':
      return saidOf('multiple_of', { divisor: String(issue.divisor) });
    case 'invalid_key':
      return saidOf('member_name');
    default:
      return saidOf('wrong_form');
  }
}

function wrongType(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): FaultMessage {
  const { input } = issue;
  if (input === undefined) return saidOf('required');
  if (JSON.isRawJSON(input)) return saidOf('number_too_large');
  const expected = typeNamed(wholeNumber(issue) ? 'int' : issue.expected);
  if (typeof input === 'number' && !Number.isInteger(input)) return saidOf('wrong_type', { expected });
  return saidOf('wrong_type_of', { expected, kind: kindOf(input) });
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

function kindOf(input: unknown): FaultMessage {
  if (input === null) return typeNamed('null');
  if (Array.isArray(input)) return typeNamed('array');
  return typeNamed(typeof input);
}

function tooSmall(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): FaultMessage {
  const least = Number(issue.minimum);
  const sized = sizeOf(issue);
  if (sized === null) return saidOf(issue.inclusive === false ? 'more_than' : 'at_least', { least });
  if (least <= 1) return saidOf('empty');
  return saidOf(`few_${sized.unit}`, { least, size: sized.size });
}

function tooBig(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): FaultMessage {
  const most = Number(issue.maximum);
  const sized = sizeOf(issue);
  if (sized === null) return saidOf(issue.inclusive === false ? 'less_than' : 'at_most', { most });
  return saidOf(`many_${sized.unit}`, { most, size: sized.size });
}

function sizeOf({ input }: z.core.$ZodRawIssue): { unit: 'characters' | 'entries'; size: number } | null {
  if (typeof input === 'string') return { unit: 'characters', size: characters(input) };
  return Array.isArray(input) ? { unit: 'entries', size: input.length } : null;
}

function ofUnion(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): FaultMessage {
  if ('options' in issue && Array.isArray(issue.options))
    return saidOf('one_of', { values: issue.options.map(String).join(', ') });
  if (issue.input === undefined) return saidOf('required');
  const ways = new Map<string, FaultMessage>();
  for (const one of issue.errors.flat()) {
    const said = toldBy(one);
    if (one.path.length === 0 && said !== null) ways.set(one.message, said);
  }
  const [first, ...others] = ways.values();
  if (first === undefined) return saidOf('wrong_form');
  return others.reduce((one, other) => saidOf('either', { one, other }), first);
}

z.config({ localeError: (issue) => word(issue, wording(issue)) });
