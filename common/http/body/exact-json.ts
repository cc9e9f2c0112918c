// JSON numbers that a JavaScript number cannot hold, such as the 19-digit ids of many systems, kept as they
// were written.

declare global {
  interface JSON {
    /** A value that `JSON.stringify` writes to the letter. */
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/**
 * Found in every text that has such a number, and seldom in another, which is only parsed in the slower way:
 * a number stands behind one of these signs, the serial numbers and UUIDs in texts behind a quotation mark.
 * The first digits are written out, since a counted repetition takes twice as long to look for.
 */
const SUSPECT = /(?<=(?:^|[:,[\s])-?)\d\d\d\d\d{12}|(?<=(?:^|[:,[\s])-?\d[\d.]*)[eE](?:\+\d|\d)\d\d/;
/** As many digits, with or without a point among them, as a double may not have any more. */
const SUSPECT_DECIMAL = /\d[\d.]{15}/;
const WHOLE = /^-?\d+$/;

/**
 * As `JSON.parse`; a whole number past 2^53, or one past the largest double, becomes what `JSON.stringify`
 * writes as it came.
 */
export function parseExactJson(text: string): unknown {
  return SUSPECT.test(text)
    ? JSON.parse(text, keepExact as (key: string, value: unknown) => unknown)
    : JSON.parse(text);
}

/** As `parseExactJson`, where a fraction too keeps the digits that a double would round. */
export function parseExactDecimals(text: string): unknown {
  return SUSPECT_DECIMAL.test(text) || SUSPECT.test(text)
    ? JSON.parse(text, keepDecimals as (key: string, value: unknown) => unknown)
    : JSON.parse(text);
}

/** A double has every decimal of so many digits exactly. */
const SURE_DIGITS = 15;

function keepDecimals(key: string, value: unknown, context: { source?: string }): unknown {
  const kept = keepExact(key, value, context);
  const { source } = context;
  if (typeof kept !== 'number' || source === undefined || source.length <= SURE_DIGITS) return kept;
  return String(kept) === source ? kept : JSON.rawJSON(source);
}

function keepExact(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  const exact = Number.isFinite(value) && (!WHOLE.test(source) || Number.isSafeInteger(value));
  return exact ? value : JSON.rawJSON(source);
}
