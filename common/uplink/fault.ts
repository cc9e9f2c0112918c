// What is wrong first with something that came over the uplink, as a message of `faultMessages`.
import type * as z from 'zod/mini';
import { faultsOf } from '../http/validate.ts';
import type { Message } from '../message.ts';

/** @param value what was read */
export function toldFault({ issues }: z.core.$ZodError, value: unknown): Message {
  const [issue] = issues;
  if (!issue) throw new Error('there is no fault to tell');
  const [fault] = faultsOf([issue]);
  return { code: codeOf(issue, value), params: { path: fault?.path ?? '' } };
}

function codeOf({ code, path }: z.core.$ZodIssue, value: unknown): string {
  if (memberAt(value, path) === undefined) return 'fault_missing';
  switch (code) {
    case 'invalid_type':
      return 'fault_type';
    case 'invalid_value':
    case 'invalid_union':
      return 'fault_value';
    case 'too_small':
      return 'fault_small';
    case 'too_big':
      return 'fault_large';
    default:
      return 'fault_form';
  }
}

const memberAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce(
    (held, name) =>
      typeof held === 'object' && held !== null ? (held as Record<PropertyKey, unknown>)[name] : undefined,
    value,
  );
