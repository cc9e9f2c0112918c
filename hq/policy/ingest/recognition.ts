import { constants } from 'node:fs';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runTool, type ToolBounds } from './bounded-tool.ts';
import type { RecognizedPage } from './pdf.ts';
import { BETWEEN_CELLS, type PageLine } from './pdf-layout.ts';

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
/** Characters of a page; more is noise. */
const MAX_PAGE = 20_000;
const TOOLS = ['tesseract', 'pdftoppm'];
const LANGUAGES = ['chi_sim', 'eng'];

export interface Recognition {
  pages: RecognizedPage[];
  /** Why not all pages were read; null when they were. */
  why: string | null;
}

/**
 * Reads pages of a PDF by character recognition, where the machine has `tesseract` with simplified Chinese
 * and `pdftoppm`: one page at a time, on one thread. Never fails: what it did not read, it says why.
 */
export async function recognizePages(
  bytes: Buffer,
  pages: readonly number[],
  limits: Partial<RecognitionBounds> = {},
): Promise<Recognition> {
  const bounds = { ...BOUNDS, ...limits };
  const languages = await languagesOf(bounds);
  if ('why' in languages) return { pages: [], why: languages.why };
  const folder = await mkdtemp(path.join(os.tmpdir(), 'fieldline-recognition-'));
  try {
    const file = path.join(folder, 'original.pdf');
    await writeFile(file, bytes, { mode: 0o600 });
    return await readPages(file, pages, { bounds, languages: languages.found });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function languagesOf(bounds: ToolBounds): Promise<{ found: string } | { why: string }> {
  const absent = (await Promise.all(TOOLS.map((tool) => missing(tool, bounds)))).flat();
  if (absent.length > 0)
    return {
      why:
        `character recognition would read them, and ${absent.join(' and ')} is not installed ` +
        'where files are read (Debian: tesseract-ocr, tesseract-ocr-chi-sim, poppler-utils)',
    };
  const listed = await runTool({ file: 'tesseract', args: ['--list-langs'], bounds });
  if ('failed' in listed) return { why: `tesseract does not run: ${listed.failed}` };
  const lines = listed.output.toString('utf8').split(/\s+/);
  const found = LANGUAGES.filter((language) => lines.includes(language));
  // With another language Chinese becomes words that nobody wrote.
  if (!found.includes('chi_sim'))
    return { why: 'tesseract has no simplified Chinese (Debian: tesseract-ocr-chi-sim)' };
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

async function readPages(
  file: string,
  numbers: readonly number[],
  { bounds, languages }: { bounds: RecognitionBounds; languages: string },
): Promise<Recognition> {
  const until = performance.now() + bounds.allWithinMs;
  const pages: RecognizedPage[] = [];
  let why: string | null = null;
  for (const page of numbers.slice(0, bounds.pages)) {
    const left = until - performance.now();
    if (left <= 0) {
      why = `recognition of one file ends after ${bounds.allWithinMs / 60_000} minutes`;
      break;
    }
    const read = await readPage(file, page, languages, {
      ...bounds,
      withinMs: Math.min(bounds.withinMs, Math.ceil(left)),
    });
    if ('failed' in read) why ??= `recognition of page ${page} failed: ${read.failed}`;
    else if (read.lines.length > 0) pages.push({ page, lines: read.lines });
  }
  if (numbers.length > bounds.pages) why ??= `recognition reads ${bounds.pages} pages of a file at most`;
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
  const text = await runTool({
    file: 'tesseract',
    args: ['-', '-', '-l', languages, '--dpi', '200', '-c', 'preserve_interword_spaces=1'],
    input: picture.output,
    bounds,
  });
  if ('failed' in text) return text;
  return { lines: linesOf(text.output.toString('utf8').slice(0, MAX_PAGE)) };
}

/** Between Chinese characters recognition sees blanks that nobody wrote; several are a column of a table. */
const linesOf = (text: string): PageLine[] =>
  text
    .split(/[\n\f]/)
    .map((line) => line.split(/ {3,}/).map((cell) => cell.replace(BETWEEN_CHARACTERS, '').trim()))
    .map((cells) => cells.filter((cell) => cell !== ''))
    .filter((cells) => cells.length > 0)
    .map((cells) => ({ text: cells.join(BETWEEN_CELLS), row: cells.length > 1 }));
