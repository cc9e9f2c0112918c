// Numbers of clauses as regulations write them: 12, 十二, 一百零三, 两百, 二〇. Nothing above 9999 is a clause number.

const DIGITS: Readonly<Record<string, number>> = {
  〇: 0,
  零: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
};
const UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };
const MAX = 9999;

/** Characters of a numeral, for use inside a character class. */
export const NUMERAL_CHARACTERS = '〇零一二两三四五六七八九十百千';

/**
 * The value of a numeral in Arabic digits or Chinese characters, 0 to 9999; null for what is none. Digits
 * alone are read by position (二〇二 is 202); a digit that ends a numeral straight after 百 or 千 counts the next
 * lower unit (一百五 is 150).
 */
export function parseNumeral(text: string): number | null {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  const characters = [...text];
  if (characters.length === 0) return null;
  const value = characters.some((one) => one in UNITS) ? byUnits(characters) : byPosition(characters);
  return value !== null && value <= MAX ? value : null;
}

function byPosition(characters: readonly string[]): number | null {
  let value = 0;
  for (const one of characters) {
    const digit = DIGITS[one];
    if (digit === undefined) return null;
    value = value * 10 + digit;
  }
  return value;
}

function byUnits(characters: readonly string[]): number | null {
  let [total, below, digit, zero] = [0, 10_000, null as number | null, false];
  for (const one of characters) {
    const unit = UNITS[one];
    if (unit === undefined) {
      const next = DIGITS[one];
      if (next === undefined || (digit !== null && digit !== 0)) return null;
      if (next === 0) zero = true;
      digit = next;
      continue;
    }
    // Units fall, and only ten may stand without a digit (十二).
    if (unit >= below || (digit === null && unit !== 10)) return null;
    total += (digit === null || digit === 0 ? 1 : digit) * unit;
    [below, digit, zero] = [unit, null, false];
  }
  if (digit === null || digit === 0) return total;
  return total + digit * (zero || below === 10 ? 1 : below / 10);
}

/** The numeral as a regulation writes it, 1 to 9999. */
export function formatNumeral(value: number): string {
  const words = '零一二三四五六七八九';
  let [text, gap] = ['', false];
  for (const [unit, name] of [
    [1000, '千'],
    [100, '百'],
    [10, '十'],
    [1, ''],
  ] as const) {
    const digit = Math.floor(value / unit) % 10;
    if (digit === 0) {
      gap = text !== '';
      continue;
    }
    text += `${gap ? '零' : ''}${unit === 10 && digit === 1 && text === '' ? '' : words[digit]}${name}`;
    gap = false;
  }
  return text;
}
