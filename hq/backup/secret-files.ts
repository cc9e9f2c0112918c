import { createHash } from 'node:crypto';
import { chownSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What the hub makes in its secrets folder at the first start, where the configuration names none. */
export const SECRET_FILES = ['master-key', 'admin-key'] as const;

export const digestOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex');

/** Puts a secret where none is, for the owner of the data alone. @returns whether it is from here */
export function placeSecret(dir: string, name: string, text: Buffer): boolean {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const part = path.join(dir, `${name}.${process.pid}.part`);
  writeFileSync(part, text, { mode: 0o600, flush: true });
  try {
    // Typed by root, the files are the service's all the same.
    const { uid, gid } = statSync(path.dirname(dir));
    if (process.getuid?.() === 0) for (const one of [dir, part]) chownSync(one, uid, gid);
    linkSync(part, path.join(dir, name));
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(part);
  }
}
