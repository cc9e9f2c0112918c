// A seal is the digest of a whole index file, written when the file is closed properly.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const sealOf = (path: string): string => `${path}.seal`;

export async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  for await (const part of createReadStream(path, { highWaterMark: 4 * 1024 * 1024 }))
    digest.update(part as Buffer);
  return digest.digest('hex');
}

export async function seal(path: string): Promise<void> {
  writeFileSync(sealOf(path), await digestOf(path), { flush: true });
}

export type SealState = 'whole' | 'unsealed' | 'broken';

/** Checks the seal and removes it, since the file changes from now on. */
export async function unseal(path: string): Promise<SealState> {
  const mark = sealOf(path);
  if (!existsSync(mark)) return 'unsealed';
  const sealed = readFileSync(mark, 'utf8');
  const state = sealed === (await digestOf(path)) ? 'whole' : 'broken';
  rmSync(mark, { force: true });
  return state;
}

/** Removes an index with everything that lies beside it. */
export function removeIndex(path: string): void {
  for (const end of ['', '-wal', '-shm', '-journal', '.seal']) rmSync(`${path}${end}`, { force: true });
}
