// Postgres servers of a test's own, which nobody starts again: a primary, and a standby that follows it.
import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type Home, prepareHome } from '../../hq/store/embedded/home.ts';
import {
  endServer,
  findRunning,
  launch,
  makeCluster,
  password,
  SUPERUSER,
} from '../../hq/store/embedded/process.ts';
import { removeState } from './postgres.ts';
import { freePort } from './process.ts';
import { until } from './request.ts';

const run = promisify(execFile);
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
  max_connections: '60',
  wal_keep_size: '256MB',
};

export class Server {
  readonly port: number;
  readonly dir: string;
  #home: Home;
  #secret: string;

  private constructor(dir: string, home: Home, secret: string, port: number) {
    this.dir = dir;
    this.#home = home;
    this.#secret = secret;
    this.port = port;
  }

  /** A primary that runs. */
  static async primary(settings: Record<string, string> = {}): Promise<Server> {
    const dir = await stateDir();
    const home = await prepareHome(dir, QUIET);
    const server = new Server(dir, home, await password(home), await freePort());
    await makeCluster(home, server.#secret, false);
    await server.start(settings);
    return server;
  }

  /** A standby of this primary, running, by a low-level base backup. */
  async standby(name: string): Promise<Server> {
    const dir = await stateDir();
    const home = await prepareHome(dir, QUIET);
    const other = new Server(dir, home, this.#secret, await freePort());
    await writeFile(path.join(home.stateDir, 'password'), this.#secret, { mode: 0o600 });
    await this.ask(async (client) => {
      await client.query(`select pg_backup_start('standby', true)`);
      await run('cp', ['-a', this.#home.dataDir, home.dataDir]);
      await rm(path.join(home.dataDir, 'postmaster.pid'), { force: true });
      const {
        rows: [label],
      } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
      await writeFile(path.join(home.dataDir, 'backup_label'), label?.labelfile ?? '');
    });
    await writeFile(path.join(home.dataDir, 'standby.signal'), '');
    await appendFile(
      path.join(home.dataDir, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${this.port} user=${SUPERUSER} password=${this.#secret} ` +
        `application_name=${name}'\n`,
    );
    if (home.account) await run('chown', ['-R', `${home.account.uid}:${home.account.gid}`, home.dataDir]);
    await other.start();
    return other;
  }

  /** Starts it, or starts it again. */
  async start(settings: Record<string, string> = {}): Promise<void> {
    await until('the server runs', async () => {
      if (!(await findRunning(this.#home.dataDir))) {
        // Backends of one that was killed may still be ending; it then gives up by itself.
        await launch(this.#home, this.port, { ...SETTINGS, ...settings });
      }
      return this.ask((client) => client.query('select 1')).then(
        () => true,
        () => false,
      );
    });
  }

  /** Of the database `postgres`. */
  get url(): string {
    return `postgresql://${SUPERUSER}:${this.#secret}@127.0.0.1:${this.port}/postgres`;
  }

  /** Of both servers, as libpq has it. */
  urlWith(other: Server): string {
    return `postgresql://${SUPERUSER}:${this.#secret}@127.0.0.1:${this.port},127.0.0.1:${other.port}/postgres?target_session_attrs=read-write`;
  }

  async ask<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 5_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await work(client);
    } finally {
      await client.end();
    }
  }

  /** Kills the postmaster without warning. */
  async kill(): Promise<void> {
    const running = await findRunning(this.#home.dataDir);
    if (running) process.kill(running.pid, 'SIGKILL');
  }

  async close(): Promise<void> {
    const running = await findRunning(this.#home.dataDir);
    if (running) await endServer(this.#home.dataDir, running.pid, 5_000);
    await removeState(this.dir);
  }
}

const QUIET = { info: () => undefined, warn: () => undefined };

async function stateDir(): Promise<string> {
  const dir = await mkdtemp(path.join(os.tmpdir(), `fieldline-test-${process.pid}-`));
  // As root, Postgres runs under another account, which must be able to pass.
  await chmod(dir, 0o711);
  return dir;
}
