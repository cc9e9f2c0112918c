import * as z from 'zod/mini';

/** Characters as people count them, and as JSON Schema does: a pair of surrogates is one. */
export function characters(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}

/** Whether a text that is longer than `max` by its code units is not so by its characters. */
const isOfMost = (text: string, max: number): boolean =>
  text.length > max && text.length <= 2 * max && characters(text) <= max;

/**
 * A text of at most `max` characters. What is longer is not looked at further: reading a megabyte as an
 * address takes many times its room.
 */
export function upTo(max: number): z.core.$ZodCheckMaxLength<string> {
  const check = z.maxLength(max, { abort: true }) as z.core.$ZodCheckMaxLength<string>;
  const byUnits = check._zod.check.bind(check._zod);
  // Whatever has a length comes here, a list where a text should be too.
  check._zod.check = (payload) => {
    const value: unknown = payload.value;
    const fits = typeof value === 'string' && isOfMost(value, max);
    return fits ? undefined : byUnits(payload);
  };
  return check;
}
