// PDF files for tests.

/** A piece of text at its place, in points from the lower left corner. */
export type Piece = readonly [x: number, y: number, text: string];

/** A font that lies in no PDF, as older standards have it: each character as wide as it is high. */
const FONT =
  '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UCS2-H /DescendantFonts [<< ' +
  '/Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) ' +
  '/Ordering (GB1) /Supplement 2 >> /DW 1000 /FontDescriptor << /Type /FontDescriptor /FontName ' +
  '/STSong-Light /Flags 6 >> >>] >>';
const SIZE = 12;

/** A picture over a whole page, as a scanner makes it. */
export interface Scan {
  jpeg: Buffer;
  width: number;
  height: number;
}

/** A PDF of pages of text in the order in which it is drawn, or of pictures. */
export function pdf(pages: readonly (readonly Piece[] | Scan)[]): Buffer {
  const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
  const objects = ['', '', FONT];
  const kids: string[] = [];
  const pictures = new Map<Buffer, number>();
  for (const page of pages) {
    if ('jpeg' in page) {
      kids.push(`${scan(page, objects, pictures)} 0 R`);
      continue;
    }
    const drawn = page.map(([x, y, text]) => `1 0 0 1 ${x} ${y} Tm <${hex(text)}> Tj`).join(' ');
    const stream = `BT /F1 ${SIZE} Tf ${drawn} ET`;
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${objects.length} 0 R /Resources ` +
        '<< /Font << /F1 3 0 R >> >> >>',
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[0] = '<< /Type /Catalog /Pages 2 0 R >>';
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ` +
      `${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`,
    'latin1',
  );
}

/** @param pictures those that are in the file, by their bytes @returns the number of its page */
function scan({ jpeg, width, height }: Scan, objects: string[], pictures: Map<Buffer, number>): number {
  let picture = pictures.get(jpeg);
  if (picture === undefined) {
    objects.push(
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB ` +
        `/BitsPerComponent 8 /Filter /DCTDecode /Length ${jpeg.length} >>\nstream\n` +
        `${jpeg.toString('latin1')}\nendstream`,
    );
    picture = objects.length;
    pictures.set(jpeg, picture);
  }
  const stream = 'q 612 0 0 792 0 0 cm /I Do Q';
  objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  objects.push(
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${objects.length} 0 R /Resources ` +
      `<< /XObject << /I ${picture} 0 R >> >> >>`,
  );
  return objects.length;
}
