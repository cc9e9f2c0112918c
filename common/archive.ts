// Backups and archives for support: gzipped tar, plain files with short names.
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, type Pack, pack } from 'tar-stream';
import { probeDisk } from './disk-space.ts';

const BLOCK = 512;
/** Names that this program writes, and no others, are taken out of an archive. */
const SAFE_NAME = /^(?!.*\.\.)[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)?$/;
const LONGEST_NAME = 99;

/** Files that an archive may hold: more are none of this program's. */
const MOST_FILES = 10_000;

export type Entry = { name: string } & ({ file: string } | { text: string });

/** Takes one file of an archive; it reads `parts`, `size` bytes in all, to the end. */
export type Take = (name: string, size: number, parts: AsyncIterable<Buffer>) => Promise<void>;

/** Left free where an archive is unpacked, bytes. */
const LEFT_FREE = 64 * 1024 * 1024;

/** A file that is larger than there is room for. */
export class NoRoomFor extends Error {
  /** Bytes. */
  readonly needed: number;
  readonly free: number;
  constructor(needed: number, free: number) {
    super(`unpacked it needs ${needed} bytes, and ${free} are free`);
    this.needed = needed;
    this.free = free;
  }
}

/** To be asked before the first byte of a file is written. @throws NoRoomFor */
export function requireRoom(dir: string, size: number): void {
  const { freeBytes } = probeDisk(dir);
  if (size > freeBytes - LEFT_FREE) throw new NoRoomFor(size, freeBytes);
}

/**
 * Writes a compressed archive, readable by its owner only, and makes it durable.
 * @throws Error what the file system does, also when the file exists; the archive may then be half there
 */
export async function writeArchive(path: string, entries: readonly Entry[], now: number): Promise<void> {
  const archive = pack();
  const filled = fill(archive, entries, new Date(now)).catch((error: unknown) => {
    archive.destroy(error instanceof Error ? error : undefined);
    throw error;
  });
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true });
  await Promise.all([pipeline(archive, createGzip({ level: 6 }), file), filled]);
}

async function fill(archive: Pack, entries: readonly Entry[], mtime: Date): Promise<void> {
  for (const entry of entries) {
    const { name } = entry;
    if (!isSafe(name)) throw new Error(`not a name for an archive: ${name}`);
    const size = 'file' in entry ? statSync(entry.file).size : Buffer.byteLength(entry.text);
    const into = archive.entry({ name, size, mtime, mode: 0o600, type: 'file' });
    if ('text' in entry || size === 0) await pipeline(['text' in entry ? entry.text : ''], into);
    // A file that grows meanwhile goes in as long as it was, one that shrinks is an error.
    else await pipeline(createReadStream(entry.file, { end: size - 1 }), into);
  }
  archive.finalize();
}

/**
 * Hands over the files of an archive, one after another. What it unpacks to is bounded by `take`, which knows
 * the size of a file before its first byte.
 * @throws Error when it is not whole, or holds anything else
 */
export async function readArchive(path: string, take: Take): Promise<void> {
  const archive = extract();
  let files = 0;
  const read = async (): Promise<void> => {
    for await (const entry of archive) {
      const { name, type, size = 0 } = entry.header;
      files += 1;
      if (type !== 'file' || !isSafe(name) || files > MOST_FILES) throw notOurs();
      await take(name, size, entry as AsyncIterable<Buffer>);
    }
  };
  const [taken, unpacked] = await Promise.allSettled([
    read(),
    pipeline(createReadStream(path), createGunzip(), plainFiles, whole, archive),
  ]);
  // A failure of `take` also cuts the unpacking off; its own error is the cause and is the one to report.
  if (taken.status === 'rejected') throw taken.reason;
  if (unpacked.status === 'rejected') throw unpacked.reason;
}

const notOurs = (): Error => new Error('this is not an archive of this program');

const isSafe = (name: string): boolean => name.length <= LONGEST_NAME && SAFE_NAME.test(name);

/** Of a header: where the size of its file stands, in octal, and of what kind it is. */
const [SIZE_AT, KIND_AT] = [124, 156];
const FILE_KINDS = ['0', '\0'];

/**
 * Lets through plain files alone. The headers of a long name or of further attributes would be gathered in
 * memory before anybody is told of them, as long as they say to be.
 * @throws Error at the first header of another kind
 */
async function* plainFiles(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let header: Buffer = Buffer.alloc(0);
  // Bytes until the next header.
  let ahead = 0;
  for await (const part of parts) {
    for (let at = 0; at < part.length;) {
      const passed = Math.min(ahead, part.length - at);
      [ahead, at] = [ahead - passed, at + passed];
      if (ahead > 0) continue;
      const piece = part.subarray(at, at + BLOCK - header.length);
      header = Buffer.concat([header, piece]);
      at += piece.length;
      if (header.length < BLOCK) continue;
      ahead = lengthBehind(header);
      header = Buffer.alloc(0);
    }
    yield part;
  }
}

/** Bytes that the file of a header takes, in whole blocks. */
function lengthBehind(header: Buffer): number {
  // The blocks of zeros at the end.
  if (header.every((byte) => byte === 0)) return 0;
  if (!FILE_KINDS.includes(header.toString('latin1', KIND_AT, KIND_AT + 1))) throw notOurs();
  return Math.ceil(sizeIn(header.subarray(SIZE_AT, SIZE_AT + 12)) / BLOCK) * BLOCK;
}

/**
 * In octal; from 8 GiB on in binary, behind a first byte 0x80. What can be read in two ways is refused, so
 * that nobody else finds another end of it.
 */
function sizeIn(field: Buffer): number {
  const octal = /^([0-7]{1,12})[\0 ]*$/.exec(field.toString('latin1'));
  if (octal) return Number.parseInt(octal[1] as string, 8);
  if (field.readUIntBE(0, 6) !== 0x80_00_00_00_00_00) throw notOurs();
  const size = field.readUIntBE(6, 6);
  if (!Number.isSafeInteger(size)) throw notOurs();
  return size;
}

/**
 * Sees to it that the end of an archive is there, a block of zeros: cut off between two files it would look
 * whole.
 */
async function* whole(parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let last: Buffer = Buffer.alloc(0);
  for await (const part of parts) {
    last = Buffer.concat([last, part]).subarray(-BLOCK);
    yield part;
  }
  if (last.length < BLOCK || last.some((byte) => byte !== 0)) throw new Error('the archive ends too early');
}
