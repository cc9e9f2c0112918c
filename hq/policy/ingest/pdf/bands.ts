// What stands side by side on a page, in whatever order it was drawn: by lines, cells, or columns. Pure.
import { type Fragment, SAME_LINE } from './fragments.ts';

/** Fragments below each other: a paragraph, or a cell. */
export interface Block {
  fragments: Fragment[];
  x: number;
  end: number;
  top: number;
  bottom: number;
}

/** Blocks side by side. */
export interface Band {
  blocks: Block[];
  top: number;
  bottom: number;
}

/** Lines of a paragraph follow each other within this, as a share of the size of the font. */
const LEADING = 1.45;
/** Of the lower of two, what must be beside the other. */
const BESIDE = 0.5;
/** A column of prose has lines of so many characters at least, most of them as wide as the widest. */
const PROSE = { lines: 5, characters: 12, wide: 0.85, share: 0.6 };
/** Of two columns that were drawn one after the other, so many lines stand at the same heights. */
const COLUMNS = { lines: 2, share: 0.6 };
/** Bands that are looked back upon for the place of a block. */
const BACK = 1_000;

/** From the top down. `crossed`: what lies at the same height could not be put side by side. */
export function bandsOf(fragments: readonly Fragment[]): { bands: Band[]; crossed: boolean } {
  const strips = stripsOf(fragments);
  // Columns of a page are read one after the other.
  const pageColumns: Band[][] = [];
  let [crossed, prose] = [false, false];
  strips.forEach((strip, at) => {
    const wide = isProse(strip);
    if (pageColumns.length === 0 || (wide && prose)) pageColumns.push([]);
    prose = wide;
    const bands = pageColumns.at(-1) ?? [];
    const single = [strips[at - 1], strips[at + 1]].some((other) => other && areColumns(strip, other));
    for (const block of blocksOf(strip, single)) {
      const band = bandBeside(block, bands);
      if (band === 'crossed') crossed = true;
      if (band === null || band === 'crossed') bands.push(bandOf(block));
      else widen(band, block);
    }
  });
  for (const { blocks } of pageColumns.flat()) blocks.sort((a, b) => a.x - b.x);
  return { bands: pageColumns.flatMap((bands) => bands.sort((a, b) => b.top - a.top)), crossed };
}

/** What is drawn downwards without a step back up. */
function stripsOf(fragments: readonly Fragment[]): Fragment[][] {
  const strips: Fragment[][] = [];
  for (const fragment of fragments) {
    const last = strips.at(-1);
    const before = last?.at(-1);
    if (last && before && fragment.y < before.y + SAME_LINE * fragment.size) last.push(fragment);
    else strips.push([fragment]);
  }
  return strips;
}

function isProse(strip: readonly Fragment[]): boolean {
  const widest = Math.max(...strip.map(({ x, end }) => end - x));
  const wide = strip.filter(
    ({ text, x, end, beside }) =>
      !beside && text.length >= PROSE.characters && end - x >= PROSE.wide * widest,
  );
  return wide.length >= PROSE.lines && wide.length >= PROSE.share * strip.length;
}

/** Whether two strips are columns of a table, each row of which has a line. */
function areColumns(a: readonly Fragment[], b: readonly Fragment[]): boolean {
  const [top, bottom] = [Math.min(a[0]?.y ?? 0, b[0]?.y ?? 0), Math.max(a.at(-1)?.y ?? 0, b.at(-1)?.y ?? 0)];
  const within = (strip: readonly Fragment[]): Fragment[] =>
    strip.filter(({ y, size }) => y < top + SAME_LINE * size && y > bottom - SAME_LINE * size);
  const [left, right] = [within(a), within(b)];
  let [at, matched] = [0, 0];
  for (const one of left) {
    while ((right[at]?.y ?? -Infinity) > one.y + SAME_LINE * one.size) at += 1;
    const other = right[at];
    if (other && Math.abs(other.y - one.y) < SAME_LINE * one.size) matched += 1;
  }
  return matched >= COLUMNS.lines && matched >= COLUMNS.share * Math.max(left.length, right.length);
}

/** @param single each line is a block */
function blocksOf(strip: readonly Fragment[], single: boolean): Block[] {
  const blocks: Block[] = [];
  for (const fragment of strip) {
    const block = blocks.at(-1);
    const last = block?.fragments.at(-1);
    const { x, end, y, size } = fragment;
    if (single || !block || !last || !continues(last, fragment)) {
      blocks.push({ fragments: [fragment], x, end, top: y + size * 0.8, bottom: y - size * 0.2 });
      continue;
    }
    block.fragments.push(fragment);
    block.x = Math.min(block.x, x);
    block.end = Math.max(block.end, end);
    block.bottom = y - size * 0.2;
  }
  return blocks;
}

/** Beside others only what stands below the left, the middle or the right of a cell continues it. */
function continues(last: Fragment, next: Fragment): boolean {
  const down = last.y - next.y;
  const size = Math.max(last.size, next.size);
  if (down < SAME_LINE * size || down > LEADING * size || next.beside) return false;
  if (Math.min(last.end, next.end) <= Math.max(last.x, next.x)) return false;
  const near = (a: number, b: number): boolean => Math.abs(a - b) < size;
  return (
    !last.beside ||
    near(last.x, next.x) ||
    near(last.end, next.end) ||
    near(last.x + last.end, next.x + next.end)
  );
}

/** The band that a block is beside; `crossed`: it partly covers what is at its height. */
function bandBeside(block: Block, bands: readonly Band[]): Band | 'crossed' | null {
  let covered = false;
  for (let at = bands.length - 1; at >= Math.max(0, bands.length - BACK); at -= 1) {
    const band = bands[at];
    if (!band || !isBeside(block, band)) continue;
    if (band.blocks.every((one) => one.end <= block.x || block.end <= one.x)) return band;
    covered = true;
  }
  return covered ? 'crossed' : null;
}

const isBeside = (a: Omit<Band, 'blocks'>, b: Omit<Band, 'blocks'>): boolean =>
  Math.min(a.top, b.top) - Math.max(a.bottom, b.bottom) >=
  BESIDE * Math.min(a.top - a.bottom, b.top - b.bottom);

const bandOf = (block: Block): Band => ({ blocks: [block], top: block.top, bottom: block.bottom });

function widen(band: Band, block: Block): void {
  band.blocks.push(block);
  band.top = Math.max(band.top, block.top);
  band.bottom = Math.min(band.bottom, block.bottom);
}
