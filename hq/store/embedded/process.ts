// The server process: making a cluster, running it, finding one that already runs, ending it.
//
// Invariants
// 1. `data` appears whole, by rename: a cluster is never half made, however many hubs start at once.
// 2. A process is taken for our server only if it is a postgres whose working folder is our data folder.
//    Process ids come round again, in containers at every start.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chown,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { absentOr, giveToOwner, type Home } from './home.ts';

export const SUPERUSER = 'fieldline';
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
// A clean environment: PGPORT and the like, set for other tools, must not reach the server.
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** All hubs on one state folder agree on the first password written, by link(2). */
export async function password(home: Home): Promise<string> {
  const file = path.join(home.stateDir, 'password');
  const known = await readIfThere(file);
  if (known !== undefined) return known;
  const mine = `${file}.${uniqueName()}`;
  await writeFile(mine, randomBytes(24).toString('base64url'), { mode: 0o600 });
  await giveToOwner(home.stateDir, mine);
  try {
    await link(mine, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(mine, { force: true });
  }
  return readFile(file, 'utf8');
}

export async function makeCluster(home: Home, secret: string, durable: boolean): Promise<void> {
  if (await absentOr(stat(home.dataDir))) return;
  const parent = path.dirname(home.dataDir);
  await dropHalfMade(parent);
  const half = path.join(parent, `initdb-${uniqueName()}`);
  const secretFile = `${half}.password`;
  await mkdir(half, { mode: 0o700 });
  await writeFile(secretFile, secret, { mode: 0o600 });
  if (home.account) {
    await chown(half, home.account.uid, home.account.gid);
    await chown(secretFile, home.account.uid, home.account.gid);
  }
  try {
    await promisify(execFile)(
      path.join(home.nativeDir, 'bin', 'initdb'),
      initdbArguments(half, secretFile, durable),
      {
        ...home.account,
        cwd: '/',
        env: ENVIRONMENT,
      },
    );
    await rename(half, home.dataDir);
    if (durable) await syncFolder(parent);
  } catch (error) {
    const { code, stderr } = error as { code?: string | number; stderr?: string };
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return;
    throw new Error(`initdb failed in ${half}: ${stderr?.trim() || String(error)}`, { cause: error });
  } finally {
    await rm(secretFile, { force: true });
    await rm(half, { recursive: true, force: true });
  }
}

const initdbArguments = (dataDir: string, secretFile: string, durable: boolean): string[] => [
  `--pgdata=${dataDir}`,
  `--username=${SUPERUSER}`,
  '--auth=scram-sha-256',
  `--pwfile=${secretFile}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--set=timezone=UTC',
  '--set=log_timezone=UTC',
  ...(durable ? [] : ['--no-sync']),
];

const uniqueName = () => `${process.pid}-${randomBytes(3).toString('hex')}`;

async function dropHalfMade(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const pid = /^initdb-(\d+)/.exec(name)?.[1];
    if (pid && !alive(Number(pid))) await rm(path.join(parent, name), { recursive: true, force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * In a session of its own, so that Ctrl-C in a terminal leaves it running until the hub has drained,
 * and with its log in a file, so that it does not break when the hub is killed.
 */
export async function launch(
  home: Home,
  port: number,
  settings: Record<string, string>,
): Promise<ChildProcess> {
  const logFile = serverLog(home);
  if (((await absentOr(stat(logFile)))?.size ?? 0) > LOG_LIMIT_BYTES) await rename(logFile, `${logFile}.1`);
  const out = await open(logFile, 'a', 0o600);
  try {
    await giveToOwner(home.stateDir, logFile);
    const all = {
      ...settings,
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
    };
    const args = [
      '-D',
      home.dataDir,
      ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ];
    const child = spawn(path.join(home.nativeDir, 'bin', 'postgres'), args, {
      ...home.account,
      cwd: '/',
      env: ENVIRONMENT,
      detached: true,
      stdio: ['ignore', out.fd, out.fd],
    });
    child.unref();
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
    return child;
  } finally {
    await out.close();
  }
}

export const serverLog = (home: Home): string => path.join(home.stateDir, 'server.log');

export interface Running {
  pid: number;
  port: number;
  ready: boolean;
}

/** The server that works on this data folder, whoever started it. */
export async function findRunning(dataDir: string): Promise<Running | undefined> {
  const lines = (await readIfThere(path.join(dataDir, 'postmaster.pid')))?.split('\n');
  const [pid, port] = [Number(lines?.[0]), Number(lines?.[3])];
  if (!lines || !(await isServer(pid, dataDir))) return undefined;
  return { pid, port, ready: lines[7]?.trim() === 'ready' };
}

/**
 * Removes a lock file whose process id now belongs to another program, for which Postgres would refuse to
 * start.
 */
export async function dropForeignLock(dataDir: string): Promise<boolean> {
  const file = path.join(dataDir, 'postmaster.pid');
  const pid = Number((await readIfThere(file))?.split('\n')[0]);
  if (!pid || !alive(pid) || (await isServer(pid, dataDir))) return false;
  await rm(file, { force: true });
  return true;
}

async function isServer(pid: number, dataDir: string): Promise<boolean> {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  const comm = await readIfThere(`/proc/${pid}/comm`);
  if (comm?.trim() !== 'postgres') return false;
  const cwd = await absentOr(readlink(`/proc/${pid}/cwd`));
  return cwd === (await realpath(dataDir));
}

/** Fast shutdown, then SIGKILL. Safe to call for a server that has gone. */
export async function endServer(dataDir: string, pid: number, withinMs: number): Promise<'ended' | 'killed'> {
  const give = Date.now() + withinMs;
  if (await isServer(pid, dataDir)) signal(pid, 'SIGINT');
  while (await isServer(pid, dataDir)) {
    if (Date.now() > give) {
      signal(pid, 'SIGKILL');
      return 'killed';
    }
    await sleep(25);
  }
  return 'ended';
}

export async function freePort(wanted: number | undefined): Promise<number> {
  const tryPort = (port: number) =>
    new Promise<number | undefined>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(undefined));
      server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined));
      });
    });
  const port = (wanted ? await tryPort(wanted) : undefined) ?? (await tryPort(0));
  if (port === undefined) throw new Error('no port is free on 127.0.0.1');
  return port;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

export function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function readIfThere(file: string): Promise<string | undefined> {
  return absentOr(readFile(file, 'utf8'));
}
