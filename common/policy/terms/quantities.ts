// Measures as one term, however they are written: 5m, 5 m, 5米, 五米 and 5.0m are `5m`; 36V and 36伏 are `36v`.
import { NUMERAL_CHARACTERS, parseNumeral } from './numerals.ts';

/** Units by how they are written in folded text. */
const UNITS: Readonly<Record<string, string>> = {
  平方米: 'm2',
  立方米: 'm3',
  毫米: 'mm',
  厘米: 'cm',
  公分: 'cm',
  千米: 'km',
  公里: 'km',
  米: 'm',
  千伏: 'kv',
  伏特: 'v',
  伏: 'v',
  毫安: 'ma',
  千瓦: 'kw',
  公斤: 'kg',
  千克: 'kg',
  吨: 't',
  摄氏度: '°c',
  度: '°',
  级: '级',
  条: '条',
  小时: 'h',
  分钟: 'min',
};
const LATIN = 'mm|cm|km|m2|m3|m|kv|v|ma|kw|kg|t|h|min|kpa|mpa|pa|hz|db';
const CHINESE = Object.keys(UNITS).join('|');
/** No part of a word: 12m/s, 3.5m-8 and a500 are none. Chinese may stand before it. */
const QUANTITY = new RegExp(
  `(?<![[\\p{L}\\p{N}.\\-_\\/]--[\\p{Script=Han}]])(?:(\\d{1,9}(?:\\.\\d{1,6})?) ?` +
    `(?:(${LATIN})(?![[\\p{L}\\p{N}\\/_\\-]--[\\p{Script=Han}]])|(${CHINESE}))|` +
    `([${NUMERAL_CHARACTERS}]{1,7})(${CHINESE}))`,
  'gv',
);

/** The measures of a folded text as terms, and the text without them. */
export function quantities(folded: string): { terms: string[]; rest: string } {
  const terms: string[] = [];
  const rest = folded.replace(
    QUANTITY,
    (whole, digits?: string, latin?: string, chinese?: string, numeral?: string, after?: string) => {
      const value = digits === undefined ? parseNumeral(numeral ?? '') : Number(digits);
      const unit = latin ?? UNITS[chinese ?? after ?? ''];
      if (value === null || unit === undefined) return whole;
      terms.push(`${value}${unit}`);
      return ' ';
    },
  );
  return { terms, rest };
}
