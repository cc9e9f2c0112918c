// Small Word files as an office program writes them.
import { crc32, deflateRawSync } from 'node:zlib';

export const DOCUMENT = 'word/document.xml';

interface Entry {
  name: string;
  bytes: Buffer;
  /** What the archive says of its size. */
  declared?: number;
}

/** A zip archive as an office program writes one; `declared` lies about the unpacked size. */
export function zip(entries: readonly Entry[]): Buffer {
  const [locals, centrals]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const { name, bytes, declared = bytes.length } of entries) {
    const packed = deflateRawSync(bytes);
    const fixed = Buffer.alloc(26);
    fixed.writeUInt16LE(20, 0);
    fixed.writeUInt16LE(8, 4);
    fixed.writeUInt32LE(crc32(bytes), 10);
    fixed.writeUInt32LE(packed.length, 14);
    fixed.writeUInt32LE(declared, 18);
    fixed.writeUInt16LE(name.length, 22);
    locals.push(Buffer.from('PK\x03\x04'), fixed, Buffer.from(name), packed);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    centrals.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fixed, rest, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, central, Buffer.from('PK\x05\x06'), end]);
}

export const OFFICE = 'http://schemas.openxmlformats.org';
/** @param looks what stands in its `w:pPr` */
export const paragraphOf = (text: string, looks = ''): string =>
  `<w:p>${looks === '' ? '' : `<w:pPr>${looks}</w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`;

/** A small Word file; a paragraph is its text, or its markup. */
export function docx(paragraphs: readonly string[], more: readonly Entry[] = []): Buffer {
  const body = paragraphs.map((one) => (one.startsWith('<') ? one : paragraphOf(one))).join('');
  return zip([
    {
      name: '[Content_Types].xml',
      bytes: Buffer.from(
        `<Types xmlns="${OFFICE}/package/2006/content-types"><Default Extension="xml" ` +
          'ContentType="application/xml"/></Types>',
      ),
    },
    {
      name: '_rels/.rels',
      bytes: Buffer.from(
        `<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="r" ` +
          `Type="${OFFICE}/officeDocument/2006/relationships/officeDocument" ` +
          `Target="${DOCUMENT}"/></Relationships>`,
      ),
    },
    {
      name: DOCUMENT,
      bytes: Buffer.from(
        `<w:document xmlns:w="${OFFICE}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
      ),
    },
    ...more,
  ]);
}
