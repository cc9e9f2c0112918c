import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import Database from 'better-sqlite3';
import { NoRoomFor, readArchive, requireRoom } from '../../common/archive.ts';
import { say } from '../../common/message.ts';
import { IDS_UNKNOWN } from '../salvage/settle.ts';
import { asideName, DATABASE_FILE, RESTORE_PART, setAside, syncDirectory } from '../store/engine/folder.ts';
import { lockStore } from '../store/engine/lock.ts';
import { RESTORED, type RestoredNote } from '../store/engine/restored-note.ts';
import { removeMarker } from '../store/health/marker.ts';
import { foreignMigration, newestVersion, readMigrations, readVersion } from '../store/migrate.ts';
import { type StoreFault, storeMessages } from '../store/store-messages.ts';
import type { Manifest } from './backup.ts';

/** Bytes of a file beside the store: the manifest, and each secret. */
const MAX_BESIDE = 1024 * 1024;

/** A file that cannot be restored, or not now; nothing was changed. Its message is the fault in English. */
export class RestoreRefused extends Error {
  readonly forPeople = true;
  readonly fault: StoreFault;
  constructor(fault: StoreFault, cause?: unknown) {
    super(say(storeMessages, fault, 'en'), cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}

export interface Restored {
  /** The store from before, set aside; null: there was none. */
  aside: string | null;
  events: number;
  /** Largest id that the store from before had given out; 0: not known, a million ids are left out. */
  idsAfter: number;
}

/**
 * Puts a backup, or a copy from before an upgrade, in the place of the store. The restored store is an old
 * copy: it takes a new epoch, and its ids go on after those that the store from before had given out
 * (DESIGN.md, "Two stores"). The site must not run.
 * @throws RestoreRefused, StoreInUse when the site runs
 */
export async function restore({
  dataDir,
  source,
  now,
}: {
  dataDir: string;
  source: string;
  now: number;
}): Promise<Restored> {
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o750 });
  const lock = lockStore(path.join(dataDir, 'site.lock'));
  const part = path.join(dataDir, RESTORE_PART);
  try {
    fs.rmSync(part, { recursive: true, force: true });
    fs.mkdirSync(part, { mode: 0o700 });
    await unpack(source, part);
    const file = path.join(part, 'site.db');
    const idsAfter = idsGivenOut(path.join(dataDir, DATABASE_FILE));
    const events = prepare(file, { idsAfter, madeAt: madeAt(part), now });
    const aside = fs.existsSync(path.join(dataDir, DATABASE_FILE)) ? asideName('before-restore', now) : null;
    if (aside !== null) keepBefore(dataDir, aside);
    ownAs(dataDir, file);
    fs.renameSync(file, path.join(dataDir, DATABASE_FILE));
    syncDirectory(dataDir);
    removeMarker(dataDir);
    placeSecrets(path.join(part, 'secrets'), path.join(dataDir, 'secrets'));
    giveBack(dataDir);
    return { aside, events, idsAfter };
  } finally {
    fs.rmSync(part, { recursive: true, force: true });
    lock.release();
  }
}

async function unpack(source: string, dir: string): Promise<void> {
  const head = Buffer.alloc(16);
  const fd = fs.openSync(source, 'r');
  fs.readSync(fd, head, 0, 16, 0);
  fs.closeSync(fd);
  if (head.toString('latin1', 0, 15) === 'SQLite format 3') {
    requireRoomFor(dir, fs.statSync(source).size);
    fs.copyFileSync(source, path.join(dir, 'site.db'));
    // A store that was set aside may hold its newest part there.
    if (fs.existsSync(`${source}-wal`)) fs.copyFileSync(`${source}-wal`, path.join(dir, 'site.db-wal'));
    return;
  }
  if (head[0] !== 0x1f || head[1] !== 0x8b)
    throw new RestoreRefused({ code: 'no_backup', params: { file: source } });
  fs.mkdirSync(path.join(dir, 'secrets'), { mode: 0o700 });
  try {
    await readArchive(source, async (name, size, parts) => {
      if (!/^(?:manifest\.json|site\.db|secrets\/[^/]+)$/.test(name))
        throw new Error(`it holds ${name}, which is no part of a backup`);
      if (name !== 'site.db' && size > MAX_BESIDE)
        throw new Error(`${name} is larger than any that is written`);
      requireRoomFor(dir, size);
      const file = path.join(dir, name);
      await pipeline(parts, fs.createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true }));
    });
  } catch (error) {
    if (error instanceof RestoreRefused) throw error;
    throw new RestoreRefused(
      { code: 'not_restorable', params: { file: source, reason: (error as Error).message } },
      error,
    );
  }
}

/** @throws RestoreRefused before anything is written that the disk has no room for */
function requireRoomFor(dir: string, size: number): void {
  try {
    requireRoom(dir, size);
  } catch (error) {
    if (!(error instanceof NoRoomFor)) throw error;
    const [needed, free] = [megabytes(error.needed), megabytes(error.free)];
    throw new RestoreRefused({ code: 'no_room', params: { needed, free } }, error);
  }
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 / 1024);

/** Bytes of what a backup says of itself. */
const MOST_MANIFEST = 64 * 1024;

/** When the backup says that it was made, epoch ms; null: it is no archive, or does not say. */
function madeAt(part: string): number | null {
  const file = path.join(part, 'manifest.json');
  if (!fs.existsSync(file) || fs.statSync(file).size > MOST_MANIFEST) return null;
  try {
    const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Partial<Manifest> | null;
    const at = Date.parse(manifest?.at ?? '');
    return Number.isFinite(at) ? at : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

interface Occasion {
  /** Largest id that the store from before had given out; 0: not known. */
  idsAfter: number;
  madeAt: number | null;
  now: number;
}

/** Checks the copy and makes an epoch of its own for it. @returns events in it */
function prepare(file: string, { idsAfter, madeAt, now }: Occasion): number {
  const db = new Database(file);
  try {
    db.pragma('journal_mode = DELETE');
    const { oldestCode, version } = readVersion(db);
    const migrations = readMigrations();
    const newest = newestVersion(migrations);
    if (version === 0) throw new RestoreRefused({ code: 'no_store', params: {} });
    const foreign = foreignMigration(db, migrations);
    if (foreign !== null) throw new RestoreRefused({ code: 'store_of_trial', params: foreign });
    if (oldestCode > newest)
      throw new RestoreRefused({ code: 'store_newer', params: { version, known: newest } });
    const fault = db.pragma('quick_check(1)', { simple: true }) as string;
    if (fault !== 'ok') throw new RestoreRefused({ code: 'copy_damaged', params: { reason: fault } });
    const set = db.prepare(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    );
    const last = Number(
      db.prepare<[], string>("SELECT value FROM meta WHERE key = 'last_event_id'").pluck().get() ?? 0,
    );
    const own = db.prepare<[], number | null>('SELECT max(id) FROM events').pluck().get() ?? 0;
    db.transaction(() => {
      db.exec("DELETE FROM meta WHERE key = 'epoch'");
      const idsBegin = String(Math.max(last, own, idsAfter) + (idsAfter === 0 ? IDS_UNKNOWN : 0));
      set.run('last_event_id', idsBegin);
      set.run('ids_began_after', idsBegin);
      set.run(RESTORED, JSON.stringify(noteOf(db, { idsAfter, madeAt, now, idInCopy: Math.max(last, own) })));
      // Under the new epoch everything is sent once more, and nothing counts as sent until headquarters has
      // answered for it.
      db.exec('UPDATE uplink_channels SET cursor = 0, cursor_at = NULL, hub_epoch = NULL');
    }).immediate();
    return db.prepare<[], number>('SELECT count(*) FROM events').pluck().get() ?? 0;
  } catch (error) {
    if (error instanceof Database.SqliteError)
      throw new RestoreRefused({ code: 'copy_damaged', params: { reason: error.message } }, error);
    throw error;
  } finally {
    db.close();
    const fd = fs.openSync(file, 'r+');
    fs.fsyncSync(fd);
    fs.closeSync(fd);
  }
}

function noteOf(
  db: Database.Database,
  { idsAfter: idBefore, madeAt, now: restoredAt, idInCopy }: Occasion & { idInCopy: number },
): RestoredNote {
  const newestAt = db
    .prepare<[], number>('SELECT received_at FROM events ORDER BY id DESC LIMIT 1')
    .pluck()
    .get();
  return { restoredAt, madeAt, newestAt: newestAt ?? null, idInCopy, idBefore };
}

/** 0 when there is no store, or it cannot be read. */
function idsGivenOut(file: string): number {
  if (!fs.existsSync(file)) return 0;
  let db: Database.Database | null = null;
  try {
    db = new Database(file);
    const meta = Number(
      db.prepare<[], string>("SELECT value FROM meta WHERE key = 'last_event_id'").pluck().get() ?? 0,
    );
    return Math.max(meta, db.prepare<[], number | null>('SELECT max(id) FROM events').pluck().get() ?? 0);
  } catch (error) {
    if (error instanceof Database.SqliteError) return 0;
    throw error;
  } finally {
    db?.close();
  }
}

/**
 * The store from before gets its second name and stays in its place until the other takes it in one step:
 * whoever is stopped in between has either, never none.
 */
function keepBefore(dataDir: string, aside: string): void {
  const file = path.join(dataDir, DATABASE_FILE);
  // One that could not be opened keeps its newest part beside it.
  if (fs.existsSync(`${file}-wal`)) return setAside(dataDir, DATABASE_FILE, aside);
  fs.rmSync(`${file}-shm`, { force: true });
  try {
    fs.linkSync(file, path.join(dataDir, aside));
  } catch (error) {
    // A file system without second names.
    if (
      !['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(
        (error as NodeJS.ErrnoException).code ?? '',
      )
    )
      throw error;
    setAside(dataDir, DATABASE_FILE, aside);
  }
}

function placeSecrets(from: string, to: string): void {
  if (!fs.existsSync(from)) return;
  fs.mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of fs.readdirSync(from)) {
    fs.copyFileSync(path.join(from, name), path.join(to, name));
    fs.chmodSync(path.join(to, name), 0o600);
  }
}

/** Gives what root restored to the user that the site runs as, who owns the folder. */
function giveBack(dataDir: string): void {
  for (const name of fs.readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
    ownAs(dataDir, path.join(dataDir, name));
}

function ownAs(dataDir: string, file: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = fs.statSync(dataDir);
  fs.chownSync(file, uid, gid);
}
