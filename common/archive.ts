// Backups and archives for support: gzipped tar, plain files with short names.
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, type Pack, pack } from 'tar-stream';

const BLOCK = 512;
/** Names that this program writes, and no others, are taken out of an archive. */
const SAFE_NAME = /^(?!.*\.\.)[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)?$/;
const LONGEST_NAME = 99;

export type Entry = { name: string } & ({ file: string } | { text: string });

/** Takes one file of an archive; it reads `parts`, `size` bytes in all, to the end. */
export type Take = (name: string, size: number, parts: AsyncIterable<Buffer>) => Promise<void>;

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
 * Hands over the files of an archive, one after another.
 * @throws Error when it is not whole, or holds anything else
 */
export async function readArchive(path: string, take: Take): Promise<void> {
  const archive = extract();
  const read = async (): Promise<void> => {
    for await (const entry of archive) {
      const { name, type, size = 0 } = entry.header;
      if (type !== 'file' || !isSafe(name)) throw new Error('this is not an archive of this program');
      await take(name, size, entry as AsyncIterable<Buffer>);
    }
  };
  const [taken, unpacked] = await Promise.allSettled([
    read(),
    pipeline(createReadStream(path), createGunzip(), whole, archive),
  ]);
  // A failure of `take` also cuts the unpacking off; its own error is the cause and is the one to report.
  if (taken.status === 'rejected') throw taken.reason;
  if (unpacked.status === 'rejected') throw unpacked.reason;
}

const isSafe = (name: string): boolean => name.length <= LONGEST_NAME && SAFE_NAME.test(name);

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
