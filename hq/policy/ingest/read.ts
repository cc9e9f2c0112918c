import { type Clause, cutClauses, type Line } from './clauses.ts';
import { readDocx } from './docx.ts';
import { readHtml } from './html.ts';
import { type PdfText, readPdf, type RecognizedPage } from './pdf/read.ts';
import { isPicture } from './picture.ts';
import { readMarkdown, readPlain } from './plain.ts';
import { plainForms } from './plain-forms.ts';
import { Unreadable } from './unreadable.ts';

export interface Original {
  bytes: Buffer;
  fileName: string | null;
  contentType: string | null;
  /** What character recognition read of the pages that have no text. */
  recognized?: RecognizedPage[];
}

export type Format = 'markdown' | 'plain' | 'html' | 'docx' | 'pdf' | 'picture';

/** Told of each page of a file that has pages, when it begins. */
export type PageTold = (page: number, pages: number) => void;

/**
 * Text of one file, as JSON has it, bytes: what is submitted for it must hold all of it, with the paths of
 * its clauses. No regulation comes near; a few kilobytes that unpack do.
 */
const MAX_TEXT = 100 * 1024 * 1024;

/** The container of Word before 2007, and of any Office file with a password (MS-CFB 2.2). */
const OLD_OFFICE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
const BY_NAME: readonly [RegExp, Format][] = [
  [/\.pdf$/, 'pdf'],
  [/\.docx$/, 'docx'],
  [/\.(?:md|markdown)$/, 'markdown'],
  [/\.x?html?$/, 'html'],
  [/\.(?:txt|text)$/, 'plain'],
];
const BY_TYPE: readonly [RegExp, Format][] = [
  [/^application\/pdf$/, 'pdf'],
  [/^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\.document$/, 'docx'],
  [/^text\/markdown$/, 'markdown'],
  [/^(?:text\/html|application\/xhtml\+xml)$/, 'html'],
  [/^text\//, 'plain'],
];

/**
 * By its first bytes, then its name, then what it was said to be; names and media types lie. null: none that
 * is read.
 */
function formatOf({ bytes, fileName, contentType }: Original): Format | null {
  const name = fileName?.toLowerCase() ?? '';
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return 'docx';
  if (isPicture(bytes)) return 'picture';
  const found =
    BY_NAME.find(([pattern]) => pattern.test(name)) ??
    BY_TYPE.find(([pattern]) => pattern.test(contentType ?? ''));
  return found?.[1] ?? (name === '' && contentType === null ? 'plain' : null);
}

export interface Reading {
  /** Empty where all pages are silent. */
  clauses: Clause[];
  /** Pages that gave no text, from 1. */
  silent: number[];
  /** Pages with a table whose rows and columns could not be kept, from 1. */
  torn: number[];
}

/** The clauses of an original. @throws Unreadable */
export async function readOriginal(original: Original, told: PageTold = () => undefined): Promise<Reading> {
  if (original.bytes.subarray(0, 4).equals(OLD_OFFICE))
    throw new Unreadable({ code: 'old_office', params: {} });
  const format = formatOf(original);
  if (format === null) throw new Unreadable({ code: 'unknown_format', params: {} });
  const { lines, silent, torn } = await textOf(format, original, told);
  // The database cannot hold a NUL, nor JSON half a character.
  const clean = lines.map((line) => ({
    ...line,
    text: plainForms(line.text.replaceAll('\0', '').toWellFormed()),
  }));
  const clauses = cutClauses(clean, { wrapped: format === 'pdf' || format === 'picture' });
  if (clauses.length === 0 && silent.length === 0) throw new Unreadable({ code: 'empty', params: {} });
  if (clauses.reduce((sum, { text }) => sum + Buffer.byteLength(JSON.stringify(text)), 0) > MAX_TEXT)
    throw new Unreadable({ code: 'too_much_text', params: { mb: MAX_TEXT / 1024 / 1024 } });
  return { clauses, silent, torn };
}

async function textOf(
  format: Format,
  { bytes, recognized = [] }: Original,
  told: PageTold,
): Promise<PdfText> {
  if (format === 'pdf') return readPdf(bytes, recognized, told);
  if (format === 'picture') return pictureText(recognized);
  const read = { docx: readDocx, markdown: readMarkdown, plain: readPlain, html: readHtml }[format];
  return { lines: await read(bytes), silent: [], torn: [] };
}

/** A picture says what character recognition reads of it, and nothing by itself. */
const pictureText = (recognized: readonly RecognizedPage[]): PdfText => ({
  lines: recognized.flatMap(({ page, lines }) => lines.map((line): Line => ({ ...line, page }))),
  silent: recognized.length === 0 ? [1] : [],
  torn: [],
});
