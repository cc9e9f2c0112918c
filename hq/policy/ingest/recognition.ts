import { constants } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runTool, type ToolBounds } from './bounded-tool.ts';
import type { RecognitionObstacle } from './ingest-messages.ts';
import { BETWEEN_CELLS, type PageLine } from './pdf/layout.ts';
import type { RecognizedPage } from './pdf/read.ts';
import { isPicture } from './picture.ts';
import type { Watch } from './reader.ts';

/** How pages of pictures are read; every bound is one on a document that somebody made to harm. */
export interface RecognitionBounds extends ToolBounds {
  /** Pages of one document; the others are named as not read. */
  pages: number;
  /** For all pages of one document, ms. */
  allWithinMs: number;
}

/** Less than half of the time after which the hub gives a file to another reader (PARSING_TIMEOUT_MS). */
const BOUNDS: RecognitionBounds = {
  pages: 200,
  allWithinMs: 12 * 60_000,
  withinMs: 60_000,
  memoryMb: 1_024,
  maxOutput: 64 * 1024 * 1024,
  searchPath: '/usr/local/bin:/usr/bin:/bin',
};
/** The longer side of a page's picture, pixels: A4 at 200 points to the inch. */
const LONG_SIDE = 2_340;
const CHARACTER = '[\\p{Script=Han}，。；：、！？（）《》“”]';
const BETWEEN_CHARACTERS = new RegExp(`(?<=${CHARACTER}) +(?=${CHARACTER})`, 'gu');
/** Signs that Chinese writes at full width, and recognition sees as those of Latin. */
const SIGNS: Readonly<Record<string, string>> = { ';': '；', ':': '：', ',': '，', '?': '？', '!': '！' };
const SIGN_OF_CHINESE = /(?<=[\p{Script=Han}》”）)])[;:,?!]/gu;
/** Characters of a page; more is noise. */
const MAX_PAGE = 20_000;
const TOOLS = ['tesseract', 'pdftoppm'];
const LANGUAGES = ['chi_sim', 'eng'];

export interface Recognition {
  pages: RecognizedPage[];
  /** Why not all pages were read; null when they were. */
  why: RecognitionObstacle | null;
}

/**
 * Reads pages of a PDF, or a picture, by character recognition, where the machine has `tesseract` with
 * simplified Chinese and `pdftoppm`: one page at a time, on one thread. What it did not read, it says why.
 * @throws the reason of a signal that was given
 */
export async function recognizePages(
  bytes: Buffer,
  pages: readonly number[],
  limits: Partial<RecognitionBounds> = {},
  watch: Watch = {},
): Promise<Recognition> {
  const bounds = { ...BOUNDS, ...limits, ...(watch.signal ? { signal: watch.signal } : {}) };
  const picture = isPicture(bytes);
  const languages = await languagesOf(bounds, picture ? ['tesseract'] : TOOLS);
  if ('why' in languages) return { pages: [], why: languages.why };
  if (picture) return readPicture(bytes, languages.found, bounds);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'fieldline-recognition-'));
  try {
    const file = path.join(folder, 'original.pdf');
    await writeFile(file, bytes, { mode: 0o600 });
    return await readPages(file, pages, { bounds, languages: languages.found, told: watch.told });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function languagesOf(
  bounds: ToolBounds,
  tools: readonly string[],
): Promise<{ found: string } | { why: RecognitionObstacle }> {
  const absent = (await Promise.all(tools.map((tool) => missing(tool, bounds)))).flat();
  if (absent.length > 0) return { why: { code: 'not_installed', params: { tools: absent.join(' + ') } } };
  const listed = await runTool({ file: 'tesseract', args: ['--list-langs'], bounds });
  if ('failed' in listed) return { why: { code: 'does_not_run', params: { why: listed.failed } } };
  const lines = listed.output.toString('utf8').split(/\s+/);
  const found = LANGUAGES.filter((language) => lines.includes(language));
  // With another language Chinese becomes words that nobody wrote.
  if (!found.includes('chi_sim')) return { why: { code: 'no_chinese', params: {} } };
  return { found: found.join('+') };
}

async function missing(program: string, { searchPath }: ToolBounds): Promise<string[]> {
  for (const folder of searchPath.split(path.delimiter)) {
    const there = await access(path.join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (folder !== '' && there) return [];
  }
  return [program];
}

/** A picture of several pages, as a TIFF may be, is read in one go. */
async function readPicture(
  bytes: Buffer,
  languages: string,
  bounds: RecognitionBounds,
): Promise<Recognition> {
  const read = await runTool({ ...recognitionOf(languages), input: bytes, bounds });
  if ('failed' in read)
    return { pages: [], why: { code: 'page_failed', params: { page: 1, why: read.failed } } };
  const texts = read.output.toString('utf8').split('\f').slice(0, bounds.pages);
  const pages = texts.map((text, at) => ({ page: at + 1, lines: linesOf(text.slice(0, MAX_PAGE)) }));
  return { pages: pages.filter(({ lines }) => lines.length > 0), why: null };
}

const recognitionOf = (languages: string) => ({
  file: 'tesseract',
  args: ['-', '-', '-l', languages, '--dpi', '200', '-c', 'preserve_interword_spaces=1'],
});

async function readPages(
  file: string,
  numbers: readonly number[],
  { bounds, languages, told }: { bounds: RecognitionBounds; languages: string; told: Watch['told'] },
): Promise<Recognition> {
  const until = performance.now() + bounds.allWithinMs;
  const pages: RecognizedPage[] = [];
  let why: RecognitionObstacle | null = null;
  const wanted = numbers.slice(0, bounds.pages);
  for (const [at, page] of wanted.entries()) {
    told?.(at + 1, wanted.length);
    const left = until - performance.now();
    if (left <= 0) {
      why = { code: 'out_of_time', params: { minutes: bounds.allWithinMs / 60_000 } };
      break;
    }
    const read = await readPage(file, page, languages, {
      ...bounds,
      withinMs: Math.min(bounds.withinMs, Math.ceil(left)),
    });
    if ('failed' in read) why ??= { code: 'page_failed', params: { page, why: read.failed } };
    else if (read.lines.length > 0) pages.push({ page, lines: read.lines });
  }
  if (numbers.length > bounds.pages) why ??= { code: 'most_pages', params: { pages: bounds.pages } };
  return { pages, why };
}

async function readPage(
  file: string,
  page: number,
  languages: string,
  bounds: ToolBounds,
): Promise<{ lines: PageLine[] } | { failed: string }> {
  const range = ['-f', String(page), '-l', String(page)];
  const picture = await runTool({
    file: 'pdftoppm',
    args: ['-png', '-gray', '-scale-to', String(LONG_SIDE), ...range, file],
    bounds,
  });
  if ('failed' in picture) return picture;
  const text = await runTool({ ...recognitionOf(languages), input: picture.output, bounds });
  if ('failed' in text) return text;
  return { lines: linesOf(text.output.toString('utf8').slice(0, MAX_PAGE)) };
}

/** Between Chinese characters recognition sees blanks that nobody wrote. */
const plainCell = (cell: string): string =>
  cell
    .replace(BETWEEN_CHARACTERS, '')
    .replace(SIGN_OF_CHINESE, (sign) => SIGNS[sign] ?? sign)
    .trim();

/** Several blanks are a column of a table. */
const linesOf = (text: string): PageLine[] =>
  text
    .split(/[\n\f]/)
    .map((line) => line.split(/ {3,}/).map(plainCell))
    .map((cells) => cells.filter((cell) => cell !== ''))
    .filter((cells) => cells.length > 0)
    .map((cells) => ({ text: cells.join(BETWEEN_CELLS), row: cells.length > 1 }));
