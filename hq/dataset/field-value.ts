// Values of fields, as sources send them and as they are kept (pure).
import type { FieldType, FieldValue } from '../../common/dataset/schema.ts';
import { parseTime } from '../../common/time.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const LONG = /^-?[1-9]\d{15,18}$/;

/** The digits of a number that JavaScript cannot hold; null for everything else. */
export const rawNumber = (value: unknown): string | null =>
  JSON.isRawJSON(value) ? (value as { rawJSON: string }).rawJSON : null;

/** Whether the text is an integer of at most 64 bits beyond 2^53. */
export const isLongInteger = (text: string): boolean =>
  LONG.test(text) && !Number.isSafeInteger(Number(text)) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);

function integer(value: unknown): FieldValue | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  const digits = typeof value === 'string' ? value : rawNumber(value);
  return digits !== null && isLongInteger(digits) ? digits : undefined;
}

function decimal(value: unknown): FieldValue | undefined {
  const digits = rawNumber(value);
  const number = digits === null ? value : Number(digits);
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

const textWhere =
  (isRight: (text: string) => boolean) =>
  (value: unknown): FieldValue | undefined =>
    typeof value === 'string' && isRight(value) ? value : undefined;

/** Whether a store can keep the text. */
export const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const KEPT: Record<FieldType, (value: unknown) => FieldValue | undefined> = {
  integer,
  decimal,
  string: textWhere(isText),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  date: textWhere((text) => DATE.test(text) && parseTime(`${text}T00:00:00Z`) !== null),
  time: textWhere((text) => parseTime(text) !== null),
};

/**
 * A value as it is kept: an integer beyond 2^53 by its digits, whether it came as a number or as text.
 * @returns undefined when it is not of the type; null is of every type
 */
export const fieldValue = (type: FieldType, value: unknown): FieldValue | undefined =>
  value === null ? null : KEPT[type](value);
