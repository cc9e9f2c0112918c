import { createPublicKey, type KeyObject } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Bytes of a file of a key at most. */
const MAX_KEY = 8 * 1024;
/** Write for the group and for all others. */
const OTHERS_WRITE = 0o022;

/**
 * The public keys of releases in folders (`*.pem`), read whenever they are used. A file that somebody but its
 * owner can change counts for nothing, nor does one that holds no key.
 * @param owner user id that they must be of
 */
export function releaseKeys(folders: readonly string[], owner: number): KeyObject[] {
  return folders.flatMap((folder) => filesIn(folder).flatMap((file) => keyOf(file, owner)));
}

function filesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.pem'));
    return names.sort().map((name) => path.join(folder, name));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes((error as { code?: string }).code ?? '')) return [];
    throw error;
  }
}

function keyOf(file: string, owner: number): KeyObject[] {
  let opened: number;
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    // A link, or what this user may not read: no key that holds here.
    return [];
  }
  try {
    const { uid, mode, size } = fstatSync(opened);
    if (uid !== owner || (mode & OTHERS_WRITE) !== 0 || size > MAX_KEY) return [];
    const key = createPublicKey(readFileSync(opened));
    return key.asymmetricKeyType === 'ed25519' ? [key] : [];
  } catch {
    // It holds no key.
    return [];
  } finally {
    closeSync(opened);
  }
}
