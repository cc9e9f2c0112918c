// Small files that unpack to more than any machine has.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { docx } from './docx.ts';
import { pdf } from './pdf.ts';

const MB = 1024 * 1024;

export interface Said {
  name: string;
  /** What its header says, bytes. */
  size: number;
  /** '0' is a file, 'x' further attributes, 'L' a long name. */
  kind?: string;
}

/** The header of a file as tar has it; a size that is too large for octal in binary. */
export function header({ name, size, kind = '0' }: Said): Buffer {
  const block = Buffer.alloc(512);
  block.write(name, 0);
  block.write('0000600\0', 100);
  if (size < 8 ** 11) block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  else {
    block[124] = 0x80;
    block.writeUIntBE(size, 130, 6);
  }
  block.write('ustar\x0000', 257);
  block.write(kind, 156);
  block.write(' '.repeat(8), 148);
  block.write(
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return block;
}

/** One megabyte of zeros, compressed: such pieces one behind the other are a file of gzip as well. */
const ZEROS = gzipSync(Buffer.alloc(MB), { level: 1 });

/** A small file that unpacks to at least `bytes` zeros behind its header, itself behind others. */
export function archiveBomb(file: string, said: Said, bytes: number, before: Buffer[] = []): string {
  const head = gzipSync(Buffer.concat([...before, header(said)]));
  writeFileSync(file, Buffer.concat([head, ...Array<Buffer>(Math.ceil(bytes / MB)).fill(ZEROS)]));
  return file;
}

/** A file of an archive, whole. */
export async function plainFile(name: string, text: string): Promise<Buffer[]> {
  const archive = pack();
  archive.entry({ name }, text);
  const [first] = (await once(archive, 'data')) as [Buffer];
  archive.destroy();
  const rest = Buffer.alloc((512 - (Buffer.byteLength(text) % 512)) % 512);
  return [first.subarray(0, 512), Buffer.from(text), rest];
}

/** 1.5 GB of blanks in one compressed stream: a block that stands by itself, again and again. */
export function pdfBomb(): Buffer {
  const block = deflateRawSync(Buffer.alloc(16 * 1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const stream = Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array.from({ length: 96 }, () => block),
    Buffer.from([0x03, 0x00, 0, 0, 0, 0]),
  ]);
  const [before = '', after = ''] = pdf([[[50, 750, 'x']]])
    .toString('latin1')
    .split(/<< \/Length \d+ >>\nstream\n[^]*?\nendstream/);
  return Buffer.concat([
    Buffer.from(`${before}<< /Filter /FlateDecode /Length ${stream.length} >>\nstream\n`),
    stream,
    Buffer.from(`\nendstream${after}`),
  ]);
}

/** A Word file one part of which says to be larger than what is unpacked. */
export const docxBomb = (): Buffer => docx(['x'], [{ name: 'word/media/a', bytes: Buffer.alloc(210 * MB) }]);
