import { readBackupNote } from '../../terminal/backup-note.ts';
import { type LastBackup, lastBackup } from './schema.ts';

/** The last backup that is known of; null: none. */
export const readLastBackup = (dataDir: string): LastBackup | null =>
  lastBackup.safeParse(readBackupNote(dataDir)).data ?? null;
