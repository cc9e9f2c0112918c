// Cuts a document into its clauses by their numbering. Pure.
import { NUMERAL_CHARACTERS } from '../../../common/policy/terms/numerals.ts';
import { chaptersOf } from './chapters.ts';
import { joined } from './wrapped.ts';

/** A line of a document as its reader found it. */
export interface Line {
  text: string;
  /** From 1; null where the format has no pages. */
  page: number | null;
  /** 1 to 6 for what the format itself marks as a heading. */
  heading?: number;
  /** A row of a table: its first cell is a value, not the number of a clause. */
  row?: boolean;
}

export interface Clause {
  clausePath: string | null;
  page: number | null;
  text: string;
}

export interface CutOptions {
  /**
   * Line breaks come from the page width, not from paragraphs: a line without a number continues the sentence
   * before it.
   */
  wrapped: boolean;
}

/** A longer clause is cut at its items, paragraphs and sentences. Characters. */
const LONG = 1_500;
const MAX_PATH = 512;
const MAX_LABEL = 80;
/** As many as one submission takes; smaller ones are put together beyond that. */
const MAX_CLAUSES = 5_000;
const MAX_TEXT = 19_000;

const N = `[${NUMERAL_CHARACTERS}0-9]{1,9}`;
/** Headings have ranks below this, clauses from here, items of a clause from ITEM. */
const CLAUSE = 20;
const ITEM = 40;

interface Marker {
  rank: number;
  label: string;
}

/** What makes a number at the beginning of a line a quantity. */
const UNIT =
  '(?:[毫厘分千公]?[米克升]|吨|元|万|亿|倍|度|℃|小时|分钟|天|[kmc]?m\\b|kg\\b|t\\b|M?Pa\\b|k?[VWA]\\b)';

/** The rank of the name of the whole. */
const TITLE = 1;
/** What stands under the name: when it was adopted, or the table of contents. */
const UNDER_TITLE = /^(?:[（(]?\s*\d{4} ?年|[（(]|目 *[录次]$)/;

/** What explains a standard has the numbers of its clauses once more, and is not binding. */
const EXPLANATION = 9;
/** In fewer clauses it is the table of contents that names the explanation. */
const BEFORE_EXPLANATION = 5;
const CHAPTER = 11;
/** A chapter with a bare number may be in one with a word. */
const BARE_CHAPTER = 13;
const ARTICLE = new RegExp(`^第 ?${N} ?条(?:之${N})?`);
const HEADINGS: readonly [RegExp, number][] = [
  [new RegExp(`^第 ?${N} ?[编篇部](?:[\\s　:：]|$)`), 10],
  [/^part [\divxlc]+\b/i, 10],
  [new RegExp(`^第 ?${N} ?章`), CHAPTER],
  [/^chapter [\divxlc]+\b/i, CHAPTER],
  [/^(?:附录|附件|annex|appendix) ?[a-z\d一二三四五六七八九十]*(?:[\s　:：]|[（(][^。；]*$|$)/i, CHAPTER],
  [/^(?:附[:：]? *)?条 *文 *说 *明$/, EXPLANATION],
  [/^(?:参 *考 *文 *献|引用标准名录|本(?:规范|标准|规程)用词说明)$/, CHAPTER],
  [new RegExp(`^第 ?${N} ?节`), 12],
];
const CLAUSES: readonly [RegExp, (match: RegExpExecArray) => Marker][] = [
  [ARTICLE, ([label]) => ({ rank: CLAUSE, label: label.replaceAll(' ', '') })],
  [
    /^(?:article|section|clause|rule|§) ?\d+(?:\.\d+)*(?:\([a-z\d]+\))*/i,
    ([label]) => ({ rank: CLAUSE + (label.match(/\./g)?.length ?? 0), label }),
  ],
  [
    new RegExp(`^(\\d{1,3}(?:\\.\\d{1,3}){1,5})\\.?(?!${UNIT})(?=[\\s　\\p{L}（(《“"])`, 'u'),
    ([, label = '']) => ({ rank: CLAUSE + label.split('.').length, label }),
  ],
  // Of an appendix: A.1, B.2.3.
  [
    /^([A-Z](?:\.\d{1,3}){1,5})\.?(?=[\s　\p{L}（(《“"])/u,
    ([, label = '']) => ({ rank: CLAUSE + label.split('.').length, label }),
  ],
  [/^(\d{1,3})[.、．](?=\s*\D)/, ([, label = '']) => ({ rank: CLAUSE + 1, label })],
  [
    new RegExp(`^([${NUMERAL_CHARACTERS}]{1,5})、`),
    ([, label = '']) => ({ rank: CLAUSE, label: `${label}、` }),
  ],
];
const ITEMS: readonly [RegExp, number][] = [
  [new RegExp(`^[（(][${NUMERAL_CHARACTERS}]{1,5}[)）]`), ITEM],
  [/^[（(][a-z\d]{1,3}[)）]/i, ITEM + 1],
  [/^\d{1,2}[)）]/, ITEM + 1],
  [/^[①-⑳]/, ITEM + 1],
];

/** The numbering that a line begins with. */
function markerOf(line: Line, chapter: boolean): Marker | null {
  const text = line.text.trim();
  if (chapter) return { rank: BARE_CHAPTER, label: cutLabel(text) };
  if (line.row && !ARTICLE.test(text)) return null;
  for (const [pattern, rank] of HEADINGS) if (pattern.test(text)) return { rank, label: cutLabel(text) };
  for (const [pattern, make] of CLAUSES) {
    const match = pattern.exec(text);
    // A format's own heading is one whatever its number looks like.
    if (match)
      return line.heading !== undefined ? { rank: line.heading, label: cutLabel(text) } : make(match);
  }
  if (line.heading !== undefined) return { rank: line.heading, label: cutLabel(text) };
  for (const [pattern, rank] of ITEMS) {
    const match = pattern.exec(text);
    if (match) return { rank, label: match[0] };
  }
  return null;
}

/** The first line where it names the whole: without a format that says so, by what stands under it. */
function titleOf(lines: readonly Line[]): Line | null {
  const [first, next] = lines.filter(({ text }) => text.trim() !== '').slice(0, 2);
  if (!first || !next || first.heading !== undefined || first.row) return null;
  const text = first.text.trim();
  if (text.length > 40 || /[。；;.!?！？：:，,、|]/.test(text) || markerOf(first, false)) return null;
  const below = markerOf(next, false);
  return UNDER_TITLE.test(next.text.trim()) || (below && below.rank < ITEM) ? first : null;
}

/** 1. and 1、, which are clauses elsewhere. */
const LISTED = /^\d{1,3}[.、．](?=\s*\D)/;

interface Open {
  path: Marker[];
  rank: number;
  page: number | null;
  lines: string[];
  /** The last line is a row of a table, which nothing continues. */
  row: boolean;
}

/**
 * Clauses in their order; every word of the text is in one of them, headings in the path of what they head.
 */
export function cutClauses(lines: readonly Line[], options: CutOptions): Clause[] {
  const clauses: Clause[] = [];
  let path: Marker[] = [];
  let open: Open | null = null;
  const close = (next: Marker | null): void => {
    if (!open) return;
    const {
      page,
      lines: [first = ''],
    } = open;
    const last = open.path.at(-1);
    if (last && isTitleOnly(open, next)) last.label = cutLabel(first);
    else clauses.push(...splitLong({ clausePath: pathOf(open.path), page, text: open.lines.join('\n') }));
    open = null;
  };
  const chapters = chaptersOf(lines);
  const title = titleOf(lines);
  for (const [at, line] of lines.entries()) {
    const text = line.text.trim();
    if (text === '') continue;
    const marker = line === title ? { rank: TITLE, label: cutLabel(text) } : markerOf(line, chapters.has(at));
    const counts = marker && (marker.rank !== EXPLANATION || clauses.length >= BEFORE_EXPLANATION);
    if (counts && (!open || (marker.rank < ITEM && !isListed(open, text)))) {
      close(marker);
      path = [...path.filter((one) => one.rank < marker.rank), marker];
      open = { path, rank: marker.rank, page: line.page, lines: [text], row: false };
    } else if (open) {
      appendTo(open, { ...line, text }, marker !== null, options);
    } else {
      open = { path, rank: Infinity, page: line.page, lines: [text], row: line.row ?? false };
    }
  }
  close(null);
  return clauses.length > MAX_CLAUSES ? packed(clauses) : clauses;
}

/** What a list of an article says is said of its lead: 第五条 禁止下列行为：1. … 2. … */
function isListed({ path, lines }: Open, text: string): boolean {
  if (!LISTED.test(text) || !/^(?:第.+条|\d+(?:\.\d+)+)/.test(path.at(-1)?.label ?? '')) return false;
  return lines.some((line) => /[：:]$/.test(line));
}

function appendTo(open: Open, { text, row = false }: Line, marked: boolean, { wrapped }: CutOptions): void {
  const last = open.lines.at(-1) ?? '';
  // A title may be broken by the paper; the words under it are no part of it.
  const underTitle =
    open.rank === TITLE ||
    (open.rank < CLAUSE && open.lines.length === 1 && (text.length > 30 || /[。；：，、]/.test(text)));
  if (!wrapped || marked || underTitle || row || open.row) open.lines.push(text);
  else open.lines[open.lines.length - 1] = joined(last, text);
  open.row = row;
}

/** A line that only names what the numbers below it are about is in their path. */
function isTitleOnly(open: Open, next: Marker | null): boolean {
  const [only = ''] = open.lines;
  if (open.lines.length > 1 || open.rank === Infinity || only.length > MAX_LABEL) return false;
  const deeper = next !== null && next.rank > open.rank;
  if (open.rank < CLAUSE) return deeper;
  return deeper && next.rank < ITEM && only.length <= 40 && !/[。；;.!?！？：:]$/.test(only);
}

const cutLabel = (text: string): string =>
  text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text;

function pathOf(path: readonly Marker[]): string | null {
  const text = path.map((one) => one.label).join(' > ');
  return text === '' ? null : text.slice(-MAX_PATH);
}

/** A long clause in pieces, at its items and paragraphs, else at the ends of sentences. */
function splitLong(clause: Clause): Clause[] {
  if (clause.text.length <= LONG) return [clause];
  const pieces: string[] = [];
  for (const piece of clause.text.split('\n').flatMap(sentences)) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + piece.length < LONG)
      pieces[pieces.length - 1] = `${last}\n${piece}`;
    else pieces.push(piece);
  }
  return pieces.map((text) => ({ ...clause, text }));
}

function sentences(paragraph: string): string[] {
  if (paragraph.length <= LONG) return [paragraph];
  const parts = paragraph.split(/(?<=[。！？；])|(?<=[.!?;])(?=\s)/);
  return parts
    .flatMap((part) =>
      part.length <= LONG ? [part] : (part.match(new RegExp(`[\\s\\S]{1,${LONG}}`, 'gu')) ?? []),
    )
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function packed(clauses: readonly Clause[]): Clause[] {
  const share = Math.ceil(clauses.length / MAX_CLAUSES) + 1;
  const found: { clause: Clause; count: number }[] = [];
  for (const clause of clauses) {
    const last = found.at(-1);
    if (last && last.count < share && last.clause.text.length + clause.text.length < MAX_TEXT) {
      last.clause = { ...last.clause, text: `${last.clause.text}\n${clause.text}` };
      last.count += 1;
    } else {
      found.push({ clause, count: 1 });
    }
  }
  return found.map(({ clause }) => clause);
}
