import { pack, unpackTexts } from './archive.ts';
import type { Line } from './clauses.ts';
import { writeNumbers } from './numbered.ts';
import { Unreadable } from './unreadable.ts';

/** Paragraphs of a Word file, with the numbers that Word makes by itself. @throws Unreadable */
export async function readDocx(bytes: Buffer): Promise<Line[]> {
  const parts = await unpackTexts(bytes);
  const { default: mammoth } = await import('mammoth');
  let html: string;
  try {
    writeNumbers(parts);
    html = (await mammoth.convertToHtml({ buffer: pack(parts) }, { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) })).value;
  } catch (error) {
    throw new Unreadable('it is not a Word document that can be read', error);
  }
  return linesOfHtml(html);
}

const BLOCK = /<(h[1-6]|p|li|td|th)(?:\s[^>]*)?>([\s\S]*?)(?=<\/?(?:h[1-6]|p|li|td|th|table|ul|ol)\b)/g;
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': ' ', '&amp;': '&' };

/** The converter writes a plain HTML of its own, never that of the document. */
function linesOfHtml(html: string): Line[] {
  const lines: Line[] = [];
  for (const [, tag = '', inner = ''] of html.matchAll(BLOCK)) {
    const plain = inner.replace(/<br\s*\/?>/g, '\n').replace(/<[^>]*>/g, '').replace(/&(?:lt|gt|quot|#39|nbsp|amp);/g, (entity) => ENTITIES[entity] ?? entity);
    for (const text of plain.split('\n')) {
      if (text.trim() === '') continue;
      lines.push({ text, page: null, ...(tag.startsWith('h') ? { heading: Number(tag.slice(1)) } : {}) });
    }
  }
  return lines;
}
