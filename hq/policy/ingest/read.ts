import { type Clause, cutClauses } from './clauses.ts';
import { readDocx } from './docx.ts';
import { type PdfText, readPdf, type RecognizedPage } from './pdf.ts';
import { readMarkdown, readPlain } from './plain.ts';
import { Unreadable } from './unreadable.ts';

export interface Original {
  bytes: Buffer;
  fileName: string | null;
  contentType: string | null;
  /** What character recognition read of the pages that have no text. */
  recognized?: RecognizedPage[];
}

export type Format = 'markdown' | 'plain' | 'docx' | 'pdf';

/**
 * Text of one file, as JSON has it, bytes: what is submitted for it must hold all of it, with the paths of
 * its clauses. No regulation comes near; a few kilobytes that unpack do.
 */
const MAX_TEXT = 100 * 1024 * 1024;

/**
 * By its first bytes, then its name, then what it was said to be; names and media types lie. null: none that
 * is read.
 */
function formatOf({ bytes, fileName, contentType }: Original): Format | null {
  const name = fileName?.toLowerCase() ?? '';
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return 'docx';
  if (name.endsWith('.pdf') || contentType === 'application/pdf') return 'pdf';
  if (
    name.endsWith('.docx') ||
    contentType === 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  )
    return 'docx';
  if (/\.(?:md|markdown)$/.test(name) || contentType === 'text/markdown') return 'markdown';
  if (
    /\.(?:txt|text)$/.test(name) ||
    (contentType?.startsWith('text/') ?? false) ||
    (name === '' && contentType === null)
  )
    return 'plain';
  return null;
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
export async function readOriginal(original: Original): Promise<Reading> {
  const { bytes } = original;
  // The container of Word before 2007, and of any Office file with a password (MS-CFB 2.2).
  if (bytes.subarray(0, 4).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0])))
    throw new Unreadable(
      'it is an Office file of an old format or protected by a password; save it as .docx without one',
    );
  const format = formatOf(original);
  if (format === null) throw new Unreadable('its format is none of Markdown, plain text, .docx and .pdf');
  const { lines, silent, torn } = await textOf(format, original);
  // The database cannot hold a NUL, nor JSON half a character.
  const clean = lines.map((line) => ({ ...line, text: line.text.replaceAll('\0', '').toWellFormed() }));
  const clauses = cutClauses(clean, { wrapped: format === 'pdf' });
  if (clauses.length === 0 && silent.length === 0) throw new Unreadable('it is empty');
  if (clauses.reduce((sum, { text }) => sum + Buffer.byteLength(JSON.stringify(text)), 0) > MAX_TEXT)
    throw new Unreadable(`it holds more than ${MAX_TEXT / 1024 / 1024} MB of text`);
  return { clauses, silent, torn };
}

async function textOf(format: Format, { bytes, recognized }: Original): Promise<PdfText> {
  if (format === 'pdf') return readPdf(bytes, recognized);
  const read = { docx: readDocx, markdown: readMarkdown, plain: readPlain }[format];
  return { lines: await read(bytes), silent: [], torn: [] };
}
