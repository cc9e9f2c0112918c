import { once } from 'node:events';
import { crc32 } from 'node:zlib';
import yauzl from 'yauzl';
import { Unreadable } from './unreadable.ts';

/** A document of 25 MB never holds more; a bomb does. Bytes of all parts unpacked. */
const MAX_UNPACKED = 200 * 1024 * 1024;
const MAX_ENTRIES = 5_000;

/** Parts of an office document by name. */
export type Parts = Map<string, Buffer>;

/**
 * The parts that hold text, unpacked; pictures and the like are empty. The sizes that the archive declares
 * count, then those that really come out.
 * @throws Unreadable
 */
export async function unpackTexts(bytes: Buffer): Promise<Parts> {
  try {
    const archive = await yauzl.fromBufferPromise(bytes, { validateEntrySizes: true });
    const parts: Parts = new Map();
    let [entries, declared, real] = [0, 0, 0];
    for await (const entry of archive.eachEntry()) {
      entries += 1;
      declared += entry.uncompressedSize;
      if (entries > MAX_ENTRIES)
        throw new Unreadable({ code: 'too_many_parts', params: { most: MAX_ENTRIES } });
      if (declared > MAX_UNPACKED)
        throw new Unreadable({ code: 'unpacks_larger', params: { mb: MAX_UNPACKED / 1024 / 1024 } });
      const part = await archive.openReadStreamPromise(entry);
      const kept: Buffer[] = [];
      part.on('data', (piece: Buffer) => {
        real += piece.length;
        if (real > MAX_UNPACKED) part.destroy(new Unreadable({ code: 'unpacks_lying', params: {} }));
        else if (/\.(?:xml|rels)$/i.test(entry.fileName)) kept.push(piece);
      });
      await once(part, 'end');
      parts.set(entry.fileName, Buffer.concat(kept));
    }
    return parts;
  } catch (error) {
    throw error instanceof Unreadable
      ? error
      : new Unreadable({ code: 'archive_damaged', params: {} }, error);
  }
}

/** An archive of the parts, not compressed. */
export function pack(parts: Parts): Buffer {
  const [locals, centrals]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const [title, bytes] of parts) {
    const name = Buffer.from(title);
    // Version 2.0, names in UTF-8, stored, no date.
    const fixed = Buffer.alloc(26);
    fixed.writeUInt16LE(20, 0);
    fixed.writeUInt16LE(0x0800, 2);
    fixed.writeUInt32LE(crc32(bytes), 10);
    fixed.writeUInt32LE(bytes.length, 14);
    fixed.writeUInt32LE(bytes.length, 18);
    fixed.writeUInt16LE(name.length, 22);
    locals.push(Buffer.from('PK\x03\x04'), fixed, name, bytes);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(at, 10);
    centrals.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fixed, rest, name);
    at += 30 + name.length + bytes.length;
  }
  const central = Buffer.concat(centrals);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.size, 4);
  end.writeUInt16LE(parts.size, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, central, Buffer.from('PK\x05\x06'), end]);
}
