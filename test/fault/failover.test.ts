// A primary that is killed while sites send: the standby is promoted, headquarters finds it, and every event
// is there once. And what is not acknowledged while a standby is awaited.
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../common/log.ts';
import { Database } from '../../hq/store/engine/database.ts';
import { CameraClient } from '../support/camera-client.ts';
import { Server } from '../support/cluster.ts';
import { type } from '../support/command.ts';
import {
  drained,
  registerNode,
  registerSite,
  startHubProgram,
  startSiteProgram,
  TENANT,
  uplinkEnv,
} from '../support/deployment.ts';
import { Ledger, listAll } from '../support/ledger.ts';
import { longTest } from '../support/long.ts';
import { type Program, Scene } from '../support/process.ts';
import { Link } from '../support/proxy.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, request, until } from '../support/request.ts';

const SITES = ['tunnel-7', 'plant-2'];
/** Posts of each camera before the links return, and events of each post. */
const POSTS = 8;
const OF_POST = 250;
/** Bytes a second of each link: alone, the storm would last half a minute. */
const BANDWIDTH = 30_000;

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

async function primary(): Promise<Server> {
  const server = await Server.primary();
  scene.onClose(() => server.close());
  return server;
}

/** @param settings of Postgres, in force when it resolves */
async function set(server: Server, settings: Record<string, string>): Promise<void> {
  const named = Object.entries(settings);
  await server.ask(async (client) => {
    for (const [name, value] of named) await client.query(`alter system set ${name} = '${value}'`);
    await client.query('select pg_reload_conf()');
  });
  // Who connects has what the server has read; all its processes have been told by then.
  await until('the settings are in force', () =>
    server.ask(async (client) => {
      const read = async ([name, value]: [string, string]): Promise<boolean> => {
        const { rows } = await client.query<{ is: string }>('select current_setting($1) as is', [name]);
        return rows[0]?.is === value;
      };
      return (await Promise.all(named.map(read))).every(Boolean);
    }),
  );
  // That writes wait for a standby is switched on by the checkpointer, before it does what it is asked for.
  await server.ask((client) => client.query('checkpoint'));
}

const eventsIn = (server: Server): Promise<{ instance: string; events: number; keys: number }[]> =>
  server.ask(
    async (client) =>
      (
        await client.query<{ instance: string; events: number; keys: number }>(
          `select instance, count(*)::int as events, count(distinct idempotency_key)::int as keys
           from events group by instance order by instance`,
        )
      ).rows,
  );

interface Site {
  program: Program;
  link: Link;
  camera: CameraClient;
  ledger: Ledger;
}

async function startSite(hub: Program, name: string): Promise<Site> {
  const link = new Link(hub.options.port, seededRandom(1));
  await link.listen();
  scene.onClose(() => link.close());
  link.down('refused');
  const keyFile = path.join(scene.dir, `key-of-${name}`);
  await registerSite(hub, keyFile, [TENANT], name);
  const env = { CORE_INSTANCE: name, ...uplinkEnv(link.url, keyFile) };
  const program = await startSiteProgram(scene, env, name);
  const ledger = new Ledger();
  const key = await registerNode(program, 'gate');
  return { program, link, ledger, camera: new CameraClient({ name, url: program.url, key, ledger }) };
}

longTest(
  'the primary is killed while sites send, and every event is at the promoted standby once',
  async () => {
    const first = await primary();
    const second = await first.standby('second');
    scene.onClose(() => second.close());
    await set(first, { synchronous_standby_names: '*', synchronous_commit: 'remote_apply' });
    const hub = await startHubProgram(scene, second.urlWith(first));
    const sites = await Promise.all(SITES.map((name) => startSite(hub, name)));
    await Promise.all(
      sites.map(async ({ camera }) => {
        for (let post = 0; post < POSTS; post += 1) await camera.post(OF_POST);
      }),
    );
    const all = POSTS * OF_POST;

    for (const { link } of sites) link.up({ bandwidth: BANDWIDTH });
    await until('the storm has begun', async () => (await eventsIn(second)).length > 0);
    await first.kill();
    const before = await eventsIn(second);
    expect(before.every(({ events }) => events < all)).toBe(true);
    await until(
      'headquarters says that nothing can be stored',
      async () => (await request({ url: hub.url, method: 'GET', path: '/readyz' })).status === 503,
    );
    const meanwhile = Promise.all(sites.map(({ camera }) => camera.post(20)));
    await second.ask((client) => client.query('select pg_promote()'));
    await meanwhile;
    for (const { link } of sites) link.up();
    await Promise.all(sites.map(({ program }) => drained(program)));

    const posted = all + 20;
    expect(await eventsIn(second)).toEqual(
      [...SITES].sort().map((instance) => ({ instance, events: posted, keys: posted })),
    );
    for (const { program, ledger } of sites)
      expect(ledger.faultsOf(await listAll((method, target) => program.api(method, target)))).toEqual([]);
    expect(hub.lives).toBe(1);

    await judgeOne(hub, sites[0]?.program);
    const env = {
      CORE_DATA_DIR: hub.options.dataDir,
      DATABASE_URL: second.urlWith(first),
      CORE_LOG_LEVEL: 'fatal',
    };
    const named = ([command = '', ...files]: string[]): string[] => [
      command,
      ...files.map((file) => path.join(scene.dir, file)),
    ];
    for (const command of ['migrate', 'backup hub.backup', 'bundle bundle.tgz'].map((line) =>
      line.split(' '),
    ))
      expect(await type('hq/main.ts', named(command), env)).toMatchObject({ code: 0, err: '' });
  },
);

/** What is decided is told to the site, by the connection that hears of changes. */
async function judgeOne(hub: Program, site: Program | undefined): Promise<void> {
  const at = (program: Program) => listAll((method, target) => program.api(method, target));
  const event = (await at(hub)).find(({ instance }) => instance === SITES[0]);
  const body = { verdict: 'confirmed', by: 'duty' };
  expectStatus(await hub.api('POST', `/api/core/events/${event?.id}/verdict`, body), 200, 201);
  await until('the verdict is at the site', async () =>
    (await at(site as Program)).some(({ id, verdict }) => id === event?.originId && verdict === 'confirmed'),
  );
}

test('a write whose wait for the standby was ended is not acknowledged', async () => {
  const server = await primary();
  const database = new Database({ url: server.url, log: silentLogger(), poolSize: 3 });
  scene.onClose(() => database.close());
  await database.read((_db, pool) => pool.query('create table written (id int)'));
  await set(server, { synchronous_standby_names: 'nobody' });
  const insert = 'insert into written values (1)';
  for (const write of [
    () => database.read((_db, pool) => pool.query(insert)),
    () => database.transaction(({ client }) => client.query(insert)),
  ]) {
    const outcome = write().then(
      () => 'acknowledged',
      (error: { status?: number }) => error.status,
    );
    await until('it waits for the standby, and somebody ends that', () =>
      server.ask(async (client) => {
        const { rowCount } = await client.query(
          `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
        );
        return rowCount === 1;
      }),
    );
    expect(await outcome).toBe(503);
  }
});
