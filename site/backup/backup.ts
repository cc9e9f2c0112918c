import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { type Entry, writeArchive } from '../../common/archive.ts';
import { version } from '../../common/package.ts';
import type { BackupNote } from '../../common/terminal/backup-note.ts';
import { DATABASE_FILE } from '../store/open.ts';

export interface Manifest {
  format: 1;
  instance: string;
  version: string;
  /** RFC 3339. */
  at: string;
  schema: number;
  secrets: boolean;
}

/**
 * Copies the store as it is at one moment, also while the site runs, and the secrets of its cameras and
 * consumers with it: without them a restored site would know none of its cameras. Evidence files and the key
 * to headquarters are not in it. `verified`: the copy is whole.
 * @throws Error when there is no store, or the target exists
 */
export async function makeBackup(options: {
  dataDir: string;
  instance: string;
  target: string;
  secrets: boolean;
  now: number;
}): Promise<BackupNote> {
  const { dataDir, target, now } = options;
  const copy = `${target}.db-part`;
  const at = new Date(now).toISOString();
  const source = new Database(path.join(dataDir, DATABASE_FILE), {
    readonly: true,
    fileMustExist: true,
    timeout: 5_000,
  });
  try {
    // In one step: a copy in several begins anew whenever the site writes in between.
    await source.backup(copy, { progress: () => 2 ** 31 - 1 });
    const check = new Database(copy);
    check.pragma('journal_mode = DELETE');
    const schema = check.prepare<[], number>('SELECT max(version) FROM schema_version').pluck().get() ?? 0;
    const held = lookThrough(check);
    check.close();
    const manifest: Manifest = {
      format: 1,
      instance: options.instance,
      version,
      at,
      schema,
      secrets: options.secrets,
    };
    const entries: Entry[] = [
      { name: 'manifest.json', text: `${JSON.stringify(manifest)}\n` },
      { name: 'site.db', file: copy },
      ...(options.secrets ? secretFiles(dataDir) : []),
    ];
    await writeArchive(target, entries, now);
    return { at, bytes: statSync(target).size, ...held };
  } finally {
    source.close();
    rmSync(copy, { force: true });
    rmSync(`${copy}-journal`, { force: true });
  }
}

/** A damaged store is copied all the same: what can be read of it is saved of the copy too. */
function lookThrough(copy: Database.Database): Pick<BackupNote, 'events' | 'verified'> {
  try {
    return {
      verified: copy.pragma('quick_check(1)', { simple: true }) === 'ok',
      events: copy.prepare<[], number>('SELECT count(*) FROM events').pluck().get() ?? 0,
    };
  } catch (error) {
    if (!(error instanceof Database.SqliteError)) throw error;
    return { events: null, verified: false };
  }
}

function secretFiles(dataDir: string): Entry[] {
  const dir = path.join(dataDir, 'secrets');
  return readdirSync(dir).map((name) => ({ name: `secrets/${name}`, file: path.join(dir, name) }));
}
