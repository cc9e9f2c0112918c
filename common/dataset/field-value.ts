// Values of fields, as sources and drivers of databases give them and as they are kept (pure).
import { parseTime } from '../time.ts';
import { exactDecimal } from './decimal.ts';
import type { FieldType, FieldValue } from './schema.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const INTEGER = /^(?:0|-?[1-9]\d{0,18})$/;

/** Whether the text is an integer of at most 64 bits beyond 2^53. */
export const isLongInteger = (text: string): boolean =>
  INTEGER.test(text) &&
  !Number.isSafeInteger(Number(text)) &&
  BigInt.asIntN(64, BigInt(text)) === BigInt(text);

function integer(value: unknown): FieldValue | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  const digits = typeof value === 'bigint' ? String(value) : value;
  if (typeof digits !== 'string' || !INTEGER.test(digits)) return undefined;
  if (Number.isSafeInteger(Number(digits))) return Number(digits);
  return isLongInteger(digits) ? digits : undefined;
}

function decimal(value: unknown): FieldValue | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  const digits = typeof value === 'bigint' ? String(value) : value;
  return typeof digits === 'string' ? (exactDecimal(digits) ?? undefined) : undefined;
}

function boolean(value: unknown): FieldValue | undefined {
  if (value === 0 || value === 1) return value === 1;
  return typeof value === 'boolean' ? value : undefined;
}

const textWhere =
  (isRight: (text: string) => boolean) =>
  (value: unknown): FieldValue | undefined =>
    typeof value === 'string' && isRight(value) ? value : undefined;

const timeText = textWhere((text) => parseTime(text) !== null);

/** Whether a store can keep the text. */
export const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

const KEPT: Record<FieldType, (value: unknown) => FieldValue | undefined> = {
  integer,
  decimal,
  string: textWhere(isText),
  boolean,
  date: textWhere((text) => DATE.test(text) && parseTime(`${text}T00:00:00Z`) !== null),
  time: (value) =>
    value instanceof Date
      ? Number.isNaN(value.getTime())
        ? undefined
        : value.toISOString()
      : timeText(value),
};

/**
 * A value as it is kept. Drivers give integers and decimals as numbers, as bigint or as text of their digits,
 * truth as 0 and 1, and times as `Date`: an integer beyond 2^53 and a decimal that a double would round are
 * kept by their digits. A `Date` for a day is not taken, since which day it is depends on where it is read.
 * @returns undefined when it is not of the type; null is of every type
 */
export const fieldValue = (type: FieldType, value: unknown): FieldValue | undefined =>
  value === null ? null : KEPT[type](value);
