// The hub's own Postgres, for a hub without DATABASE_URL.
//
// Invariants
// 1. Any number of hubs may start on one folder: the first runs the server, the others join it.
// 2. Who may stop the server is whoever holds an advisory lock in it, on a connection kept for that.
//    If that hub is killed, its connection goes and the lock with it, and the next to start takes over.
// 3. As long as a hub runs, so does the server: whichever hub first sees it gone starts it again, on the same
// port.
import type { ChildProcess } from 'node:child_process';
import { open, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { connect, DATABASE, ensureDatabase, leave, takeOwnership, urlOf } from './connection.ts';
import { absentOr, type EmbeddedLog, giveToOwner, type Home, prepareHome } from './home.ts';
import {
  dropForeignLock,
  endServer,
  findRunning,
  freePort,
  launch,
  makeCluster,
  password,
  readIfThere,
  type Running,
  serverLog,
} from './process.ts';
import { type HeldServer, ServerWatch } from './watch.ts';

export interface EmbeddedOptions {
  /** State lies in `<dir>/postgres`. */
  dir: string;
  /** Preferred port; another is used when it is taken. Default: the last one used. */
  port?: number;
  log: EmbeddedLog;
  /** Postgres settings, for example `{ fsync: 'off' }`. Without effect on a server that already runs. */
  flags?: Record<string, string>;
}

export interface EmbeddedPostgres {
  /** Of the database `fieldline`, as superuser. */
  url: string;
  dataDir: string;
  /** Whether `stop` ends the server. */
  readonly owner: boolean;
  stop(): Promise<void>;
}

const START_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 10_000;
const POLL_MS = 25;
const SETTINGS = {
  shared_buffers: '128MB',
  max_connections: '100',
  log_min_messages: 'log',
  log_checkpoints: 'off',
};

export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { log, flags = {} } = options;
  const home = await prepareHome(options.dir, log);
  const secret = await password(home);
  await makeCluster(home, secret, flags.fsync !== 'off');
  const run: Run = { home, secret, options, signal: null };
  const first = await hold(await runOrJoin(run));
  try {
    await ensureDatabase(first.keeper);
  } catch (error) {
    await leave(first.keeper, log);
    throw error;
  }
  log.info(
    `embedded Postgres ${first.own ? 'runs' : 'joined'} on 127.0.0.1:${first.server.port}, data in ` +
      `${home.dataDir}`,
  );
  const watch = new ServerWatch(first, {
    log,
    gone: async () => !(await findRunning(home.dataDir)),
    again: async (signal) =>
      hold(await runOrJoin({ ...run, options: { ...options, port: first.server.port }, signal })),
    leave: (keeper) => leave(keeper, log),
  });
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    const { server, keeper, owner } = await watch.stop();
    if (owner) await stopServer(home, server, keeper, log);
    else await leave(keeper, log);
  };
  return {
    url: urlOf(first.server.port, secret, DATABASE),
    dataDir: home.dataDir,
    stop: () => (stopping ??= stop()),
    get owner() {
      return watch.owner;
    },
  };
}

interface Run {
  home: Home;
  secret: string;
  options: EmbeddedOptions;
  /**
   * Given: the server is started again, on its port and however long it takes to recover, until this is
   * aborted.
   */
  signal: AbortSignal | null;
}

/** Connects to a server that was started or joined, and takes its ownership lock if that is free. */
async function hold(connected: Connected): Promise<HeldServer & { own: boolean }> {
  return { ...connected, owner: await takeOwnership(connected.keeper, connected.own) };
}

interface Connected {
  server: Running;
  keeper: pg.Client;
  /** Launched by this call. */
  own: boolean;
}

async function runOrJoin({ home, secret, options, signal }: Run): Promise<Connected> {
  const deadline = Date.now() + START_WITHIN_MS;
  let launched: Launched | undefined;
  while (signal ? !signal.aborted : Date.now() < deadline) {
    const running = await findRunning(home.dataDir);
    const keeper = running?.ready ? await connect(running.port, secret, home) : undefined;
    if (running && keeper) {
      const portFile = path.join(home.stateDir, 'port');
      await writeFile(portFile, String(running.port));
      await giveToOwner(home.stateDir, portFile);
      return { server: running, keeper, own: launched?.child.pid === running.pid };
    }
    if (launched && hasEnded(launched.child)) {
      await explainExit(home, launched);
      launched = undefined;
    } else if (!running && !launched) {
      launched = await launchOn(home, options, signal !== null);
    }
    await sleep(POLL_MS);
  }
  if (launched?.child.pid) await endServer(home.dataDir, launched.child.pid, STOP_WITHIN_MS);
  if (signal) throw new Error('the hub stops');
  throw new Error(
    `embedded Postgres did not get ready within ${START_WITHIN_MS / 1000} s; see ${serverLog(home)}`,
  );
}

/** @param same use this port only, since the users of the server know it by this port */
async function launchOn(
  home: Home,
  { port: wanted, flags, log }: EmbeddedOptions,
  same: boolean,
): Promise<Launched | undefined> {
  const remembered = Number(await readIfThere(path.join(home.stateDir, 'port'))) || undefined;
  const port = await freePort(wanted ?? remembered);
  if (same && port !== wanted) return undefined;
  if (wanted && port !== wanted) log.warn(`port ${wanted} is taken; embedded Postgres uses ${port}`);
  const logFrom = (await absentOr(stat(serverLog(home))))?.size ?? 0;
  return { child: await launch(home, port, { ...SETTINGS, ...flags }), logFrom };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

interface Launched {
  child: ChildProcess;
  /** Where this start begins in the server's log. */
  logFrom: number;
}

/** Returns when another try is due, and throws what Postgres said otherwise. */
async function explainExit(home: Home, { child, logFrom }: Launched): Promise<void> {
  const said = await logSince(home, logFrom);
  if (/lock file "postmaster\.pid" already exists/.test(said)) {
    await dropForeignLock(home.dataDir);
    return;
  }
  // Backends of a server that was killed are still ending.
  if (/pre-existing shared memory block/.test(said)) return;
  if (/could not create any TCP\/IP sockets|Address already in use/.test(said)) return;
  throw new Error(
    `embedded Postgres ended at once (${child.exitCode ?? child.signalCode}): ${said.trim().slice(-1000)}`,
  );
}

async function logSince(home: Home, from: number): Promise<string> {
  const handle = await open(serverLog(home), 'r');
  try {
    const { size } = await handle.stat();
    const start = size < from ? 0 : from;
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function stopServer(home: Home, server: Running, keeper: pg.Client, log: EmbeddedLog): Promise<void> {
  const how = await endServer(home.dataDir, server.pid, STOP_WITHIN_MS);
  if (how === 'killed')
    log.warn(`embedded Postgres did not stop within ${STOP_WITHIN_MS / 1000} s and was killed`);
  await leave(keeper, log);
}
