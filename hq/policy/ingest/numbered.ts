// Writes the numbers that Word makes into the text of a document, where its reader finds them like any other
// words.
import path from 'node:path/posix';
import type { Parts } from './archive.ts';
import { type Numbered, Numbering } from './numbering.ts';
import { attributeOf, escapeText, numberOf, prefixOf, type Tag, tagsOf } from './tags.ts';

interface Paragraph extends Numbered {
  /** Where its number would stand. */
  at: number;
  worded: boolean;
  /** Open elements that say how it looks; those of an earlier state (`pPrChange`) do not count. */
  looks: number;
  earlier: number;
}

/** Changes the part that is the text; leaves a document without automatic numbers as it is. */
export function writeNumbers(parts: Parts): void {
  const main = targetOf(parts, '_rels/.rels', 'officeDocument') ?? 'word/document.xml';
  const relations = path.join(path.dirname(main), '_rels', `${path.basename(main)}.rels`);
  const textOf = (type: string): string => {
    const part = parts.get(targetOf(parts, relations, type) ?? path.join(path.dirname(main), `${type}.xml`));
    return part?.toString('utf8') ?? '';
  };
  const document = parts.get(main)?.toString('utf8');
  const numbering = textOf('numbering');
  if (document === undefined || numbering === '') return;
  parts.set(main, Buffer.from(numbered(document, new Numbering(numbering, textOf('styles')))));
}

/** The part that a list of relations names for a purpose. */
function targetOf(parts: Parts, relations: string, type: string): string | null {
  for (const tag of tagsOf(parts.get(relations)?.toString('utf8') ?? '')) {
    if (!tag.name.endsWith('Relationship') || !attributeOf(tag, 'Type')?.endsWith(`/${type}`)) continue;
    const target = attributeOf(tag, 'Target');
    // From where the file lies that has the relations.
    if (target !== null)
      return path.join(target.startsWith('/') ? '.' : path.dirname(path.dirname(relations)), target);
  }
  return null;
}

function numbered(xml: string, numbering: Numbering): string {
  const prefix = prefixOf(xml);
  const pieces: { at: number; text: string }[] = [];
  // A text box is in a paragraph and has paragraphs.
  const open: Paragraph[] = [];
  const run = (text: string): string =>
    `<${prefix}r><${prefix}t xml:space="preserve">${escapeText(text)}</${prefix}t></${prefix}r>`;
  for (const tag of tagsOf(xml)) {
    const paragraph = open.at(-1);
    if (tag.name === 'p' && tag.kind === 'open') {
      open.push({ style: null, list: null, level: null, at: tag.end, worded: false, looks: 0, earlier: 0 });
    } else if (tag.name === 'p' && tag.kind === 'close' && paragraph) {
      open.pop();
      const number = numbering.next(paragraph);
      if (number !== null && paragraph.worded) pieces.push({ at: paragraph.at, text: run(number) });
    } else if (paragraph) {
      readParagraph(paragraph, tag);
    }
  }
  let [text, from] = ['', 0];
  for (const piece of pieces.sort((a, b) => a.at - b.at)) {
    text += xml.slice(from, piece.at) + piece.text;
    from = piece.at;
  }
  return text + xml.slice(from);
}

function readParagraph(paragraph: Paragraph, tag: Tag): void {
  const step = tag.kind === 'open' ? 1 : tag.kind === 'close' ? -1 : 0;
  if (tag.name === 'pPrChange') paragraph.earlier += step;
  if (paragraph.earlier > 0) return;
  if (tag.name === 'pPr') {
    paragraph.looks += step;
    if (paragraph.looks === 0) paragraph.at = tag.end;
  }
  if (tag.name === 't' && tag.kind === 'open') paragraph.worded = true;
  if (paragraph.looks === 0 || tag.kind === 'close') return;
  if (tag.name === 'pStyle') paragraph.style = attributeOf(tag, 'val');
  if (tag.name === 'numId') paragraph.list = attributeOf(tag, 'val');
  if (tag.name === 'ilvl') paragraph.level = numberOf(tag, 'val');
}
