// What stands on the lines of a page, of the pieces that were drawn. Pure.
import { cellText } from './wrapped.ts';

/** A piece of text as it was drawn; all lengths in the same unit. */
export interface PlacedText {
  text: string;
  /** Left end of its baseline; y grows upwards. */
  x: number;
  y: number;
  width: number;
  /** Size of its font. */
  size: number;
  /** How it stands: along the page, across it, or aslant as a watermark. */
  turn: 'along' | 'across' | 'aslant';
}

/** What stands on one baseline without a wide gap. */
export interface Fragment {
  text: string;
  x: number;
  end: number;
  y: number;
  size: number;
  /** Others stand on its baseline. */
  beside: boolean;
}

/** As shares of the size of the font. */
export const SAME_LINE = 0.5;
const BLANK = 0.15;
const COLUMN = 1.2;
/** A bold letter may be drawn twice. */
const TWICE = 0.2;
/** Columns that a program made with blanks. */
const BLANKS = /( {3,}|\u3000{3,})/;

/** A piece of several columns as one each; the width of its characters is taken to be the same. */
function atBlanks(piece: PlacedText): PlacedText[] {
  if (!BLANKS.test(piece.text)) return [piece];
  const share = piece.width / piece.text.length;
  let at = 0;
  return piece.text.split(BLANKS).flatMap((text) => {
    const x = piece.x + at * share;
    at += text.length;
    return text.trim() === '' ? [] : [{ ...piece, text, x, width: text.length * share }];
  });
}

/** What is drawn on one baseline from left to right, up to a wide gap. */
export function fragmentsOf(pieces: readonly PlacedText[]): Fragment[] {
  const fragments: Fragment[] = [];
  for (const { text, x, y, width, size } of pieces.flatMap(atBlanks)) {
    const last = fragments.at(-1);
    if (last && isTwice(last, { text, x, y, size })) continue;
    const sameLine =
      last &&
      Math.abs(y - last.y) < SAME_LINE * Math.max(size, last.size) &&
      x >= last.end - SAME_LINE * size;
    const gap = last && sameLine ? (x - last.end) / size : Infinity;
    if (last && gap <= COLUMN) {
      last.text += (gap > BLANK ? ' ' : '') + text;
      last.end = x + width;
    } else {
      const beside = last !== undefined && Math.abs(y - last.y) < SAME_LINE * size;
      if (last && beside) last.beside = true;
      fragments.push({ text, x, end: x + width, y, size, beside });
    }
  }
  return fragments.map((one) => ({ ...one, text: cellText([one.text]) })).filter(({ text }) => text !== '');
}

const isTwice = (
  last: Fragment,
  { text, x, y, size }: Pick<Fragment, 'text' | 'x' | 'y' | 'size'>,
): boolean =>
  text === last.text && Math.abs(x - last.x) < TWICE * size && Math.abs(y - last.y) < TWICE * size;
