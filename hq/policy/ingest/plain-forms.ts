// Characters that look like plain ones and are others: radicals that a PDF has in the place of characters,
// full-width letters and digits, ligatures. Numbers of clauses and searches go by the plain ones. Pure.

/**
 * Radicals (Kangxi and their supplement), compatibility ideographs, Latin ligatures, full-width digits and
 * letters. The full-width punctuation is that of Chinese.
 */
const OTHER =
  /[\u2e80-\u2fd5\uf900-\ufad9\ufb00-\ufb06\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u{2f800}-\u{2fa1d}]/gu;
/** Radicals that Unicode maps to nothing, and stand for one character in simplified texts. */
const RADICALS: Readonly<Record<string, string>> = {
  '⺠': '民',
  '⻅': '见',
  '⻆': '角',
  '⻉': '贝',
  '⻋': '车',
  '⻓': '长',
  '⻔': '门',
  '⻘': '青',
  '⻚': '页',
  '⻛': '风',
  '⻜': '飞',
  '⻝': '食',
  '⻢': '马',
  '⻣': '骨',
  '⻤': '鬼',
  '⻥': '鱼',
  '⻦': '鸟',
  '⻨': '麦',
  '⻩': '黄',
  '⻬': '齐',
  '⻮': '齿',
  '⻰': '龙',
};
/** Between digits a full-width point parts the levels of a number: ３．２．１. */
const POINT = /(?<=\d)．(?=\d)/g;

export const plainForms = (text: string): string =>
  text.replace(OTHER, (one) => RADICALS[one] ?? one.normalize('NFKC')).replace(POINT, '.');
