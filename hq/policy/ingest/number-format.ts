// Numbers as Word writes them (ECMA-376 part 1, 17.18.59, ST_NumberFormat).
import { formatNumeral } from '../../../common/policy/terms/numerals.ts';

const ROMAN: readonly [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
const LEGAL: Readonly<Record<string, string>> = {
  零: '零',
  一: '壹',
  二: '贰',
  三: '叁',
  四: '肆',
  五: '伍',
  六: '陆',
  七: '柒',
  八: '捌',
  九: '玖',
  十: '拾',
  百: '佰',
  千: '仟',
};
const STEMS = '甲乙丙丁戊己庚辛壬癸';
const BRANCHES = '子丑寅卯辰巳午未申酉戌亥';
const DIGITS = '〇一二三四五六七八九';

function roman(value: number): string {
  let [text, left] = ['', value];
  for (const [unit, letters] of ROMAN) {
    for (; left >= unit; left -= unit) text += letters;
  }
  return text;
}

/** a … z, aa, bb, … as Word counts. */
const letters = (value: number): string =>
  String.fromCharCode(97 + ((value - 1) % 26)).repeat(Math.ceil(value / 26));
const nthOf = (characters: string, value: number): string | undefined => [...characters][value - 1];
const fullWidth = (value: number): string =>
  String(value).replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
const ordinal = (value: number): string =>
  `${value}${value % 100 >= 11 && value % 100 <= 13 ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th')}`;
const circled = (value: number): string | undefined =>
  value <= 20 ? String.fromCharCode(0x2460 + value - 1) : undefined;

/** Each up to the number that it can write; what lies beyond, and any other format, is in plain figures. */
const FORMATS: Readonly<Record<string, [number, (value: number) => string | undefined]>> = {
  decimalZero: [99, (value) => String(value).padStart(2, '0')],
  ordinal: [99_999, ordinal],
  upperRoman: [3_999, (value) => roman(value).toUpperCase()],
  lowerRoman: [3_999, roman],
  upperLetter: [260, (value) => letters(value).toUpperCase()],
  lowerLetter: [260, letters],
  chineseCounting: [9_999, formatNumeral],
  chineseCountingThousand: [9_999, formatNumeral],
  japaneseCounting: [9_999, formatNumeral],
  taiwaneseCounting: [9_999, formatNumeral],
  taiwaneseCountingThousand: [9_999, formatNumeral],
  ideographDigital: [9_999, byDigits],
  japaneseDigitalTen: [9_999, byDigits],
  taiwaneseDigital: [9_999, byDigits],
  chineseLegalSimplified: [
    9_999,
    (value) => [...formatNumeral(value).replace(/^十/, '一十')].map((one) => LEGAL[one] ?? one).join(''),
  ],
  ideographTraditional: [10, (value) => nthOf(STEMS, value)],
  ideographZodiac: [12, (value) => nthOf(BRANCHES, value)],
  decimalFullWidth: [99_999, fullWidth],
  decimalFullWidth2: [99_999, fullWidth],
  decimalEnclosedCircle: [20, circled],
  decimalEnclosedCircleChinese: [20, circled],
  decimalEnclosedFullstop: [99_999, (value) => `${value}.`],
  decimalEnclosedParen: [99_999, (value) => `(${value})`],
  numberInDash: [99_999, (value) => `- ${value} -`],
};

function byDigits(value: number): string {
  return [...String(value)].map((digit) => DIGITS[Number(digit)] ?? digit).join('');
}

/** @param format as the document names it */
export function formatNumber(value: number, format: string): string {
  if (format === 'none') return '';
  const [most, write] = FORMATS[format] ?? [0, () => undefined];
  return (value >= 1 && value <= most ? write(value) : undefined) ?? String(value);
}
