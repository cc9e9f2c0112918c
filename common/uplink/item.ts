// What the items of the channels have in common.
import * as z from 'zod/mini';
import { upTo } from '../characters.ts';
import { textFault } from '../http/body/json.ts';
import { overlongLists } from '../http/body/lists.ts';
import { type Fault, faultAt, faultOf, saying } from '../http/fault/fault.ts';
import { faultsOf } from '../http/validate.ts';
import type { Message } from '../message.ts';
import { EARLIEST, LAST_CLOCK, LATEST } from '../time.ts';
import { toldFault } from './fault.ts';

/** A time that a store has written by the clock of its machine, epoch ms. */
export const clockTime = z.int().check(z.minimum(0), z.maximum(LAST_CLOCK));
/** A time that a caller gives, or that is made of such, epoch ms: the bounds of `zonedTime`. */
export const givenTime = z.int().check(z.minimum(EARLIEST), z.maximum(LATEST));

export type Read<T> =
  | { ok: true; item: T }
  /** The same fault in plain English and as a message. */
  | { ok: false; fault: Fault; told: Message };

/**
 * What reads one item. Its schema has the bounds, made of the same definitions as those of the calls by
 * which such things are written; texts are held to what every body of a caller is. Members that it does not
 * know are left out; what breaks a bound refuses the item.
 */
export function itemReader<T>(schema: z.ZodMiniType<T>): (value: unknown) => Read<T> {
  /** Generated code, three times as fast. */
  const checked = z.compile(schema);
  return (value) => {
    const [overlong] = overlongLists(schema, value);
    if (overlong) return refused(faultOf(pathOf(overlong.path), overlong.told), 'fault_large');
    const parsed = checked.safeParse(value);
    if (!parsed.success) {
      const fault = faultsOf(parsed.error.issues)[0] ?? faultAt('', 'wrong_form');
      return { ok: false, fault, told: toldFault(parsed.error, value) };
    }
    const unstorable = textFault(parsed.data, '');
    return unstorable ? refused(unstorable, 'fault_form') : { ok: true, item: parsed.data };
  };
}

/** Reads entries one by one; a bad one costs no more than itself. */
export function readEach<T>(
  read: (value: unknown) => Read<T>,
  values: readonly unknown[],
): { items: T[]; refused: { value: unknown; fault: Fault }[] } {
  const found: ReturnType<typeof readEach<T>> = { items: [], refused: [] };
  for (const value of values) {
    const one = read(value);
    if (one.ok) found.items.push(one.item);
    else found.refused.push({ value, fault: one.fault });
  }
  return found;
}

const refused = (fault: Fault, code: string) => ({
  ok: false as const,
  fault,
  told: { code, params: { path: fault.path } },
});

const pathOf = (path: readonly PropertyKey[]): string => path.map(String).join('.');

export const orNull = <T extends z.core.SomeType>(schema: T) => z._default(z.nullable(schema), null);
/** A text of a program, which no caller has written. */
export const line = (max: number) => z.string().check(upTo(max));

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
