// Decimal numbers by their digits (pure): a double would round what a database counts exactly.

/** Digits before and behind the point, which every double fits into. */
const MAX_DIGITS = 400;
const NUMBER = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/**
 * A number as it may be written, in the one form that it has without exponent and needless zeros; null when
 * it is none, or has more than MAX_DIGITS digits.
 */
export function plainDecimal(text: string): string | null {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (digits === '' || Math.max(digits.length, Math.abs(point)) > MAX_DIGITS) return null;
  const before =
    point > 0
      ? digits
          .slice(0, point)
          .padEnd(point, '0')
          .replace(/^0+(?=\d)/, '')
      : '0';
  const behind = (point > 0 ? digits.slice(point) : '0'.repeat(-point) + digits).replace(/0+$/, '');
  const plain = behind === '' ? before : `${before}.${behind}`;
  return plain === '0' ? plain : sign + plain;
}

/** The number itself where a double is exactly what is written, and the plain digits otherwise. */
export function exactDecimal(text: string): number | string | null {
  const plain = plainDecimal(text);
  if (plain === null) return null;
  const number = Number(plain);
  return plainDecimal(String(number)) === plain ? number : plain;
}
