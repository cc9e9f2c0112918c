// Who may read what the programs keep on the disk.
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** Bits of the umask: others get no access, and the group does not get to write. */
const WITHHELD = 0o027;

/**
 * Every file and folder that this process makes is for its own user, and for its group to read. SQLite and
 * other libraries ask for more.
 */
export function keepFilesPrivate(): void {
  process.umask(process.umask() | WITHHELD);
}

/** Of folders above the data: the other program, and the account of its database, pass through them. */
const PASSABLE = 0o755;

/**
 * The folder of a program's data, made where it is missing. @param mode of a folder that is made; one that
 * is there keeps its own, which is the administrator's
 */
export function dataFolder(dir: string, mode: number): void {
  const made = mkdirSync(dir, { recursive: true, mode });
  if (made === undefined) return;
  // The umask of the process has taken bits from the modes of the new folders.
  for (let at = path.dirname(dir); at.startsWith(made); at = path.dirname(at)) chmodSync(at, PASSABLE);
  chmodSync(dir, mode);
}

/**
 * What a copy or another program left readable to everybody in a folder is so no more, whatever the mode of
 * the folder is. Folders in it close what lies below them. Links, sockets and what belongs to others are left
 * alone. @param except names that others must be able to pass
 */
export function restrictToOwner(dir: string, except: readonly string[] = []): void {
  for (const name of readdirSync(dir)) {
    const file = path.join(dir, name);
    const found = lstatSync(file, { throwIfNoEntry: false });
    if (
      found === undefined ||
      except.includes(name) ||
      !(found.isFile() || found.isDirectory()) ||
      (found.mode & WITHHELD) === 0
    )
      continue;
    if (process.getuid?.() !== 0 && found.uid !== process.getuid?.()) continue;
    chmodSync(file, found.mode & 0o777 & ~WITHHELD);
  }
}
