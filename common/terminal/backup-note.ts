// The last backup of a program, noted beside its data: whoever makes one is another process than the one that
// tells of it, and the file lies elsewhere.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const FILE = 'last-backup.json';

export interface BackupNote {
  /** RFC 3339. */
  at: string;
  bytes: number;
  /** null: damage kept them from being counted. */
  events: number | null;
  /** Whether what was written was looked through afterwards, and was whole. */
  verified: boolean;
}

/** @returns why it cannot be noted, which the backup does not fail by; null: it is */
export function noteBackup(dataDir: string, made: BackupNote): string | null {
  const file = path.join(dataDir, FILE);
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(made)}\n`, { mode: 0o644 });
    renameSync(`${file}.new`, file);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** As it was written, by whatever version; null: there is none, or it cannot be read. */
export function readBackupNote(dataDir: string): unknown {
  try {
    return JSON.parse(readFileSync(path.join(dataDir, FILE), 'utf8'));
  } catch {
    // The next backup writes it anew.
    return null;
  }
}
