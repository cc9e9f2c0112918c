import { cutClauses, type Clause } from './clauses.ts';
import { readDocx } from './docx.ts';
import { readPdf } from './pdf.ts';
import { readMarkdown, readPlain } from './plain.ts';
import { Unreadable } from './unreadable.ts';

export interface Original {
  bytes: Buffer;
  fileName: string | null;
  contentType: string | null;
}

export type Format = 'markdown' | 'plain' | 'docx' | 'pdf';

/** By its first bytes, then its name, then what it was said to be; names and media types lie. null: none that is read. */
function formatOf({ bytes, fileName, contentType }: Original): Format | null {
  const name = fileName?.toLowerCase() ?? '';
  if (bytes.subarray(0, 1024).includes('%PDF-')) return 'pdf';
  if (bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return 'docx';
  if (name.endsWith('.pdf') || contentType === 'application/pdf') return 'pdf';
  if (name.endsWith('.docx') || contentType === 'application/vnd.openxmlformats-officedocument.wordprocessingml.document') return 'docx';
  if (/\.(?:md|markdown)$/.test(name) || contentType === 'text/markdown') return 'markdown';
  if (/\.(?:txt|text)$/.test(name) || (contentType?.startsWith('text/') ?? false) || (name === '' && contentType === null)) return 'plain';
  return null;
}

/** The clauses of an original. @throws Unreadable */
export async function readOriginal(original: Original): Promise<Clause[]> {
  const { bytes } = original;
  const format = formatOf(original);
  if (format === null) throw new Unreadable('its format is none of Markdown, plain text, .docx and .pdf');
  const lines = format === 'pdf' ? await readPdf(bytes) : format === 'docx' ? await readDocx(bytes) : format === 'markdown' ? readMarkdown(bytes) : readPlain(bytes);
  // The database cannot hold a NUL, nor JSON half a character.
  const clean = lines.map((line) => ({ ...line, text: line.text.replaceAll('\0', '').toWellFormed() }));
  const clauses = cutClauses(clean, { wrapped: format === 'pdf' });
  if (clauses.length === 0) throw new Unreadable('it is empty');
  return clauses;
}
