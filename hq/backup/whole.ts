// Whether a file is a whole backup: read to its end, each part held to what the manifest says.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { NoRoomFor, readArchive, requireRoom } from '../../common/archive.ts';
import { say } from '../../common/message.ts';
import { type BackupFault, backupMessages } from './backup-messages.ts';
import { DUMP, MANIFEST, type Manifest, manifestForm, rowsOf, secretOf } from './manifest.ts';

/** A file that cannot be restored, or not here; nothing was changed. Its message is the fault in English. */
export class RestoreRefused extends Error {
  readonly forPeople = true;
  readonly fault: BackupFault;
  constructor(fault: BackupFault, cause?: unknown) {
    super(say(backupMessages, fault, 'en'), cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}

/** An archive that was read to its end, with what is needed of it before its rows. */
export interface Whole {
  manifest: Manifest;
  secrets: Map<string, Buffer>;
}

/**
 * Reads a backup to its end. A dump goes into `dir`, as \`database.dump\`: \`pg_restore\` reads no archives.
 * @param dir null: it is only looked through
 * @throws RestoreRefused for a file that is none, or not as it was written
 */
export async function readWhole(source: string, dir: string | null): Promise<Whole> {
  // undefined: not read yet; null: of something else. Then too all is read, since a damaged one looks so.
  let manifest: Manifest | null | undefined;
  const secrets = new Map<string, Buffer>();
  const left = new Map<string, string>();
  try {
    await readArchive(source, async (name, size, parts) => {
      if (isKept(name, manifest) && name !== DUMP && size > MAX_KEPT)
        throw damaged(source, `${name} is larger than any that is written`);
      const hash = createHash('sha256');
      const kept: Buffer[] = [];
      async function* hashed(): AsyncGenerator<Buffer> {
        for await (const part of parts) {
          hash.update(part);
          yield part;
        }
      }
      const unpacked = name === DUMP && manifest && dir !== null;
      if (unpacked) requireRoomFor(dir, size);
      if (unpacked) await pipeline(hashed, createWriteStream(path.join(dir, DUMP), { mode: 0o600 }));
      else for await (const part of hashed()) if (isKept(name, manifest) && name !== DUMP) kept.push(part);
      if (manifest === undefined) {
        manifest = manifestIn(name, Buffer.concat(kept));
        for (const [file, sha256] of manifest ? filesOf(manifest) : []) left.set(file, sha256);
        return;
      }
      if (manifest === null) return;
      if (left.get(name) !== hash.digest('hex')) throw damaged(source, `${name} is not as it was written`);
      left.delete(name);
      if (name.startsWith('secrets/')) secrets.set(name.slice('secrets/'.length), Buffer.concat(kept));
    });
  } catch (error) {
    throw error instanceof RestoreRefused ? error : damaged(source, (error as Error).message, error);
  }
  if (!manifest) throw new RestoreRefused({ code: 'no_backup', params: { file: source } });
  if (left.size > 0) throw damaged(source, `${[...left.keys()].join(', ')} is missing`);
  return { manifest, secrets };
}

/** @throws RestoreRefused before anything is written that the disk has no room for */
export function requireRoomFor(dir: string, size: number): void {
  try {
    requireRoom(dir, size);
  } catch (error) {
    if (!(error instanceof NoRoomFor)) throw error;
    const [needed, free] = [error.needed, error.free].map((bytes) => Math.ceil(bytes / 1024 / 1024));
    throw new RestoreRefused(
      { code: 'no_room', params: { dir, needed: needed ?? 0, free: free ?? 0 } },
      error,
    );
  }
}

/** Bytes of a file that is held in memory: the manifest, and each secret. */
const MAX_KEPT = 16 * 1024 * 1024;

const damaged = (file: string, reason: string, cause?: unknown): RestoreRefused =>
  new RestoreRefused({ code: 'damaged', params: { file, reason } }, cause);

/** Each file behind the manifest, with its sha256. */
function filesOf({ tables, dump, secrets }: Manifest): [string, string][] {
  return [
    ...tables.flatMap(({ name, sha256 }): [string, string][] =>
      sha256 === undefined ? [] : [[rowsOf(name), sha256]],
    ),
    ...(dump ? [[DUMP, dump.sha256] as [string, string]] : []),
    ...secrets.map(({ name, sha256 }): [string, string] => [secretOf(name), sha256]),
  ];
}

/** Rows are only hashed; of what is no backup nothing is kept. */
const isKept = (name: string, manifest: Manifest | null | undefined): boolean =>
  manifest === undefined ? name === MANIFEST : manifest !== null && !name.startsWith('tables/');

/** @returns null when it is none */
function manifestIn(name: string, text: Buffer): Manifest | null {
  if (name !== MANIFEST) return null;
  return manifestForm.safeParse(JSON.parse(text.toString())).data ?? null;
}
