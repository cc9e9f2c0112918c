// What the items of the channels have in common.
import * as z from 'zod/mini';
import { storableText } from '../http/body/json.ts';
import { faultsOf } from '../http/validate.ts';
import type { Fault } from '../http/fault/fault.ts';
import type { Message } from '../message.ts';
import { faultAt, saying } from '../http/fault/fault.ts';

export const storable = z.refine<string>(storableText, saying('unicode'));

export const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The first thing wrong, with the path to it. */
export function firstFault(error: z.core.$ZodError): Fault {
  return faultsOf(error.issues)[0] ?? faultAt('', 'wrong_form');
}

export const orNull = <T extends z.core.SomeType>(schema: T) => z._default(z.nullable(schema), null);
/** Twice what callers may write, since they are counted in characters and this in UTF-16 units. */
export const line = (max: number) => z.string().check(z.maxLength(2 * max), storable);

const MAX_PARAMS = 20;
const plainParam = z.union([line(4_000), z.number()]);
const params = <T extends z.core.SomeType>(value: T) =>
  z
    .record(line(64), value)
    .check(z.refine((given) => Object.keys(given).length <= MAX_PARAMS, saying('wrong_form')));
const plainMessage = z.object({ code: line(64), params: params(plainParam) });
const messageForm = z.object({ code: line(64), params: params(z.union([plainParam, plainMessage])) });
/** What `reason` says, as a message. One of a form that is not known costs no more than itself. */
export const told = z.catch(
  orNull(z.custom<Message>((value) => messageForm.safeParse(value).success, saying('wrong_form'))),
  null,
);
