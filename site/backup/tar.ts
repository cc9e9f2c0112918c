// The small part of the tar format (POSIX ustar) that backups and support archives need: plain files, short names.
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

const BLOCK = 512;
/** Names that this program writes, and no others, are taken out of an archive. */
const SAFE_NAME = /^(?!.*\.\.)[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)?$/;

export type Entry = { name: string } & ({ file: string } | { text: string });

/** Writes a compressed archive, readable by its owner only, and makes it durable. @throws what the file system does; the file may then be half there */
export async function writeArchive(path: string, entries: readonly Entry[], now: number): Promise<void> {
  async function* blocks(): AsyncGenerator<Buffer> {
    for (const entry of entries) {
      const size = 'file' in entry ? statSync(entry.file).size : Buffer.byteLength(entry.text);
      yield header(entry.name, size, now);
      if ('text' in entry) yield Buffer.from(entry.text);
      else if (size > 0) for await (const part of createReadStream(entry.file, { end: size - 1 })) yield part as Buffer;
      yield Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK);
    }
    yield Buffer.alloc(2 * BLOCK);
  }
  await pipeline(Readable.from(blocks()), createGzip({ level: 6 }), createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true }));
}

/** Hands over the files of an archive, one after the other. @throws Error when it is not whole */
export async function readArchive(path: string, take: (name: string, size: number, parts: AsyncGenerator<Buffer>) => Promise<void>): Promise<void> {
  const handle = await open(path, 'r');
  const source = handle.createReadStream().pipe(createGunzip());
  const bytes = chunks(source[Symbol.asyncIterator]() as AsyncIterator<Buffer>);
  try {
    for (;;) {
      const head = Buffer.concat(await collect(bytes.take(BLOCK)));
      if (head.length < BLOCK) throw new Error('the archive ends too early');
      if (head[0] === 0) return;
      const { name, size } = parse(head);
      await take(name, size, bytes.take(size));
      await collect(bytes.take((BLOCK - (size % BLOCK)) % BLOCK));
    }
  } finally {
    source.destroy();
    await handle.close();
  }
}

async function collect(parts: AsyncGenerator<Buffer>): Promise<Buffer[]> {
  const list: Buffer[] = [];
  for await (const part of parts) list.push(part);
  return list;
}

function chunks(source: AsyncIterator<Buffer>): { take(size: number): AsyncGenerator<Buffer> } {
  let rest: Buffer = Buffer.alloc(0);
  return {
    async *take(size) {
      for (let left = size; left > 0; ) {
        if (rest.length === 0) {
          const next = await source.next();
          if (next.done) throw new Error('the archive ends too early');
          rest = next.value;
        }
        const part = rest.subarray(0, left);
        rest = rest.subarray(part.length);
        left -= part.length;
        yield part;
      }
    },
  };
}

function header(name: string, size: number, now: number): Buffer {
  if (!SAFE_NAME.test(name) || name.length > 99) throw new Error(`not a name for an archive: ${name}`);
  const block = Buffer.alloc(BLOCK);
  // 12 octets hold 11 octal digits, 8 GiB; beyond that the size is binary, as GNU tar writes it.
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
  block.write(name, 0);
  block.write(octal(0o600, 8) + octal(0, 8) + octal(0, 8), 100);
  if (size < 8 ** 11) block.write(octal(size, 12), 124);
  else {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(size), 128);
  }
  block.write(`${octal(Math.floor(now / 1000), 12)}        0`, 136);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function parse(head: Buffer): { name: string; size: number } {
  const text = (from: number, length: number): string => head.toString('latin1', from, from + length).replace(/\0.*$/s, '');
  const name = text(0, 100);
  const sum = head.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (Number.parseInt(text(148, 8), 8) !== sum || !SAFE_NAME.test(name)) throw new Error('this is not an archive of fieldline-site');
  const size = head[124] === 0x80 ? Number(head.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8);
  return { name, size };
}
