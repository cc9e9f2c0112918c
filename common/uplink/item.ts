// What the items of both channels have in common.
import * as z from 'zod/mini';
import { storableText } from '../http/body/json.ts';
import { faultsOf } from '../http/validate.ts';
import type { Fault } from '../http/error.ts';

export const storable = z.refine<string>(storableText, 'must be well-formed Unicode without NUL');

export const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first thing wrong, with the path to it. */
export function firstFault(error: z.core.$ZodError): Fault {
  return faultsOf(error.issues)[0] ?? { path: '', message: 'is not valid' };
}
