import { once } from 'node:events';
import yauzl from 'yauzl';
import type { Line } from './clauses.ts';
import { Unreadable } from './unreadable.ts';

/** A document of 25 MB never holds more; a bomb does. Bytes of all parts unpacked. */
const MAX_UNPACKED = 200 * 1024 * 1024;
const MAX_ENTRIES = 5_000;

/** Paragraphs of a Word file; numbers that Word makes by itself are not in it. @throws Unreadable */
export async function readDocx(bytes: Buffer): Promise<Line[]> {
  await checkArchive(bytes);
  const { default: mammoth } = await import('mammoth');
  let html: string;
  try {
    html = (await mammoth.convertToHtml({ buffer: bytes }, { convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: '' })) })).value;
  } catch (error) {
    throw new Unreadable('it is not a Word document that can be read', error);
  }
  return linesOfHtml(html);
}

/** The sizes that the archive declares, then those that really come out. @throws Unreadable */
async function checkArchive(bytes: Buffer): Promise<void> {
  try {
    const archive = await yauzl.fromBufferPromise(bytes, { validateEntrySizes: true });
    let [entries, declared, real] = [0, 0, 0];
    for await (const entry of archive.eachEntry()) {
      entries += 1;
      declared += entry.uncompressedSize;
      if (entries > MAX_ENTRIES || declared > MAX_UNPACKED) throw new Unreadable(`unpacked it is larger than ${MAX_UNPACKED / 1024 / 1024} MB`);
      const part = await archive.openReadStreamPromise(entry);
      part.on('data', (piece: Buffer) => {
        real += piece.length;
        if (real > MAX_UNPACKED) part.destroy(new Unreadable('it unpacks to more than it says'));
      });
      await once(part, 'end');
    }
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable('it is not a Word document: the archive is damaged', error);
  }
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
