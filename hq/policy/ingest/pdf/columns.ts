// Pages in columns of prose, which are read one after the other: where the columns are, and what of the page
// is in which. Pure.
import { type Fragment, SAME_LINE } from './fragments.ts';

/** Where columns are parted: the middle of each gap between two. */
export interface Columns {
  gaps: readonly number[];
}

/** So many columns a page may have. */
const COUNTS = [2, 3];
/** A gap is looked for so far from where columns of one width have it, as a share of the text's width. */
const ASIDE = 0.1;
const STEPS = 40;
/** The narrowest column, as a share of the widest. */
const ALIKE = 0.7;
/** What goes across the columns, as titles and tables do: a share of the page, or so many. */
const ACROSS = { share: 0.2, least: 4 };
/** Lines of a column, and what makes one a line of prose: it goes from side to side. */
const PROSE = { lines: 5, characters: 8, wide: 0.85, share: 0.35, sure: 0.6 };
/** So often what is drawn may go from one column to another without a reason. */
const TURNS = 2;
/** What stands so far from the text, in distances of its lines, is a header or a footer. */
const APART = 1.75;
const DEEP = 4;

interface Parted {
  /** By column. */
  columns: Fragment[][];
  across: Fragment[];
  /** How often drawing goes from one column to another. */
  turns: number;
}

/**
 * The parts of a page in the order in which they are read. Without columns it is one part.
 * @param fragments in the order in which they were drawn
 * @param known the columns of pages before: one that has little text has them too
 */
export function inColumns(
  fragments: readonly Fragment[],
  known: Columns | null,
): { parts: Fragment[][]; columns: Columns | null } {
  const found = columnsOf(fragments) ?? (known && fits(partedAt(fragments, known.gaps)) ? known : null);
  if (!found) return { parts: [[...fragments]], columns: null };
  return { parts: partsOf(fragments, found.gaps).map(besideAnew), columns: found };
}

function columnsOf(fragments: readonly Fragment[]): Columns | null {
  for (const count of COUNTS) {
    if (fragments.length < count * PROSE.lines) return null;
    const gaps = gapsOf(fragments, count);
    if (gaps && isProse(partedAt(fragments, gaps))) return { gaps };
  }
  return null;
}

/** The places nearest to those of columns of one width which the fewest lines cross. */
function gapsOf(fragments: readonly Fragment[], count: number): number[] | null {
  const [left, right] = fragments.reduce(
    ([from, to], { x, end }) => [Math.min(from, x), Math.max(to, end)],
    [Infinity, -Infinity],
  );
  const width = right - left;
  if (!(width > 0)) return null;
  return Array.from({ length: count - 1 }, (_, at) => {
    const middle = left + (width * (at + 1)) / count;
    const places = Array.from({ length: STEPS + 1 }, (_step, step) => {
      const place = middle + width * ASIDE * ((2 * step) / STEPS - 1);
      return { place, crossing: fragments.filter((one) => one.x < place && place < one.end).length };
    });
    const fewest = Math.min(...places.map(({ crossing }) => crossing));
    const clear = places.filter(({ crossing }) => crossing === fewest);
    return ((clear[0]?.place ?? middle) + (clear.at(-1)?.place ?? middle)) / 2;
  });
}

function partedAt(fragments: readonly Fragment[], gaps: readonly number[]): Parted {
  const columns: Fragment[][] = Array.from({ length: gaps.length + 1 }, () => []);
  const across: Fragment[] = [];
  let [turns, last] = [0, 0];
  for (const one of fragments) {
    const at = columnOf(one, gaps);
    if (at === null) {
      across.push(one);
      continue;
    }
    if (at !== last) turns += 1;
    last = at;
    columns[at]?.push(one);
  }
  return { columns, across, turns };
}

/** null: it goes across. */
function columnOf({ x, end }: Fragment, gaps: readonly number[]): number | null {
  if (gaps.some((gap) => x < gap && gap < end)) return null;
  return gaps.filter((gap) => gap <= x).length;
}

/** What goes across parts the page, and drawing goes through its columns once for each part. */
function fits({ columns, across, turns }: Parted): boolean {
  const all = columns.reduce((sum, { length }) => sum + length, across.length);
  return (
    across.length <= Math.max(ACROSS.least, ACROSS.share * all) &&
    turns <= columns.length * (across.length + 1) - 1 + TURNS
  );
}

/** Columns of a table are of other widths, have short lines, or are drawn row by row. */
function isProse(parted: Parted): boolean {
  const columns = parted.columns.map(linesOfColumn);
  const widths = columns.map(({ width }) => width);
  if (columns.some(({ lines }) => lines < PROSE.lines)) return false;
  if (Math.min(...widths) < ALIKE * Math.max(...widths)) return false;
  const all = parted.columns.reduce((sum, { length }) => sum + length, parted.across.length);
  if (parted.across.length > Math.max(ACROSS.least, ACROSS.share * all)) return false;
  const needed = fits(parted) ? PROSE.share : PROSE.sure;
  return columns.every(({ lines, wide }) => wide >= needed * lines);
}

function linesOfColumn(column: readonly Fragment[]): { lines: number; wide: number; width: number } {
  const left = Math.min(...column.map(({ x }) => x));
  const right = Math.max(...column.map(({ end }) => end));
  const width = right - left;
  const lines = baselinesOf(column);
  const wide = lines.filter(
    (line) =>
      line.reduce((sum, { text }) => sum + text.length, 0) >= PROSE.characters &&
      Math.max(...line.map(({ end }) => end)) - Math.min(...line.map(({ x }) => x)) >= PROSE.wide * width,
  );
  return { lines: lines.length, wide: wide.length, width };
}

/** From the top down. */
function baselinesOf(fragments: readonly Fragment[]): Fragment[][] {
  const lines: Fragment[][] = [];
  for (const one of [...fragments].sort((a, b) => b.y - a.y)) {
    const last = lines.at(-1);
    if (last?.[0] && last[0].y - one.y < SAME_LINE * one.size) last.push(one);
    else lines.push([one]);
  }
  return lines;
}

/** Header, then what stands between two things that go across, column by column, then the footer. */
function partsOf(fragments: readonly Fragment[], gaps: readonly number[]): Fragment[][] {
  const lines = baselinesOf(fragments);
  const pitch = pitchOf(fragments);
  const isFull = (line: readonly Fragment[]): boolean =>
    new Set(line.map((one) => columnOf(one, gaps))).size > gaps.length &&
    line.every(({ text }) => text.length >= PROSE.characters);
  const top = (at: number): number => lines[at]?.[0]?.y ?? -Infinity;
  const apart = (at: number): boolean => top(at) - top(at + 1) > APART * pitch;
  let [from, to] = [0, lines.length];
  for (let at = 0; at < Math.min(DEEP, lines.length - 1); at += 1)
    if (apart(at) && !lines.slice(0, at + 1).some(isFull)) from = at + 1;
  for (let at = lines.length - 1; at > Math.max(from, lines.length - 1 - DEEP); at -= 1)
    if (apart(at - 1) && !lines.slice(at).some(isFull)) to = at;
  const head = new Set(lines.slice(0, from).flat());
  const foot = new Set(lines.slice(to).flat());
  const body = fragments.filter((one) => !head.has(one) && !foot.has(one));
  return [lines.slice(0, from).flat(), ...zonesOf(body, gaps), lines.slice(to).flat()].filter(
    ({ length }) => length > 0,
  );
}

function zonesOf(body: readonly Fragment[], gaps: readonly number[]): Fragment[][] {
  return asDrawn(body, gaps) ?? byPlace(body, gaps);
}

/** null: what is drawn later stands beside or above what it does not follow. */
function asDrawn(body: readonly Fragment[], gaps: readonly number[]): Fragment[][] | null {
  const runs: { column: number | null; fragments: Fragment[] }[] = [];
  let bottom = Infinity;
  for (const one of body) {
    const column = columnOf(one, gaps);
    const run = runs.at(-1);
    if (run && run.column === column) run.fragments.push(one);
    else {
      const onward = run && run.column !== null && column !== null && column > run.column;
      if (!onward && one.y >= bottom + SAME_LINE * one.size) return null;
      runs.push({ column, fragments: [one] });
    }
    bottom = Math.min(bottom, one.y);
  }
  return runs.map(({ fragments }) => fragments);
}

function byPlace(body: readonly Fragment[], gaps: readonly number[]): Fragment[][] {
  const { across, columns } = partedAt(body, gaps);
  const borders = baselinesOf(across);
  return [...borders, null].flatMap((border, at) => {
    const above = borders[at - 1]?.[0]?.y ?? Infinity;
    const below = border?.[0]?.y ?? -Infinity;
    const within = columns.map((column) => column.filter(({ y }) => y < above && y >= below));
    return [...within, ...(border ? [border] : [])];
  });
}

/** The distance of lines that follow each other. */
function pitchOf(fragments: readonly Fragment[]): number {
  const steps = fragments
    .flatMap((one, at) => {
      const step = (fragments[at - 1]?.y ?? -Infinity) - one.y;
      return step > SAME_LINE * one.size && step < 3 * one.size ? [step] : [];
    })
    .sort((a, b) => a - b);
  return steps[Math.floor(steps.length / 2)] ?? Infinity;
}

/** Beside each other are those of one part. */
const besideAnew = (part: readonly Fragment[]): Fragment[] =>
  part.map((one, at) => ({
    ...one,
    beside: [part[at - 1], part[at + 1]].some(
      (other) => other !== undefined && Math.abs(other.y - one.y) < SAME_LINE * one.size,
    ),
  }));
