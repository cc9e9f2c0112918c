// The files that `setup` writes.
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/**
 * Where the key is kept, and how the configuration names it. Beside the configuration of an installed package
 * there is a folder that the service manager alone reads.
 */
export function keyPlace(file: string, given: string | undefined): { keyPath: string; keyRef: string } {
  const credentials = path.join(path.dirname(file), 'credentials');
  if (given === undefined && existsSync(credentials))
    return { keyPath: path.join(credentials, 'uplink-key'), keyRef: 'cred:site_uplink-key' };
  const keyPath = path.resolve(given ?? path.join(path.dirname(file), 'uplink-key'));
  return { keyPath, keyRef: `file:${keyPath}` };
}

/** The text of a file that was written before; null where there is none. @throws what the file system does */
export const textOf = (file: string): string | null =>
  existsSync(file) ? readFileSync(file, 'utf8').trim() : null;

/**
 * Whether the file can be written is found out before the first question is asked. @throws what the file
 * system does
 */
export function mayWriteBeside(file: string): void {
  let folder = path.dirname(file);
  while (!existsSync(folder) && folder !== path.dirname(folder)) folder = path.dirname(folder);
  accessSync(folder, constants.W_OK);
}

/** In one step and durable; owner and mode of a file that was there stay. */
export function replaceFile(file: string, text: string, mode: number): void {
  const prior = statSync(file, { throwIfNoEntry: false });
  const fresh = `${file}.new`;
  writeFileSync(fresh, text, { mode, flush: true });
  chmodSync(fresh, prior ? prior.mode & 0o777 : mode);
  if (prior && process.getuid?.() === 0) chownSync(fresh, prior.uid, prior.gid);
  renameSync(fresh, file);
}
