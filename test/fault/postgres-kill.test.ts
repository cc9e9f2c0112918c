// Postgres killed under a running hub: its own server and a given one, single backends and the whole of it,
// and a failover to a standby. The hub lives through all of it, says meanwhile when to come back, and has all
// that it acknowledged. POSTGRES_KILLS is how often; once of each kind unless given.
import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLogger } from '../../common/log.ts';
import { DELIVERY_CHANNEL } from '../../hq/integration/store/business-event.ts';
import { HubDeliverySignal } from '../../hq/integration/store/delivery-signal.ts';
import { findRunning } from '../../hq/store/embedded/process.ts';
import { Database } from '../../hq/store/engine/database.ts';
import { HubNews, NEWS_CHANNEL } from '../../hq/store/engine/news.ts';
import { campaign } from '../support/campaign.ts';
import { Server } from '../support/cluster.ts';
import { longTest } from '../support/long.ts';
import { clientOf } from '../support/postgres.ts';
import { freePort, Program, Scene } from '../support/process.ts';
import { jsonOf, request, until } from '../support/request.ts';

const KILLS = campaign('POSTGRES_KILLS', 2, 3);
const WITHIN_MS = 180_000 + KILLS * 20_000;
const WRITERS = 3;

let scene: Scene;
beforeEach(() => (scene = new Scene()));
afterEach(() => scene.close());

async function startHub(env: Record<string, string> = {}): Promise<Program> {
  const hub = new Program({ main: 'hq/main.ts', dataDir: scene.dir, port: await freePort(), env });
  scene.onClose(() => hub.stop());
  await hub.start();
  return hub;
}

/** Writers that go on whatever they are answered, and what was acknowledged to them. */
class Writers {
  readonly acknowledged: string[] = [];
  /** Answers that were neither an acknowledgement nor a 503 that says when to come back. */
  readonly odd: string[] = [];
  #hub: Program;
  #stopped = false;
  #running: Promise<void>[];

  constructor(hub: Program) {
    this.#hub = hub;
    this.#running = Array.from({ length: WRITERS }, (_, index) => this.#write(index));
  }

  async #write(writer: number): Promise<void> {
    for (let turn = 0; !this.#stopped; turn += 1) {
      const title = `${writer}-${turn}`;
      const answer = await this.#hub
        .api('POST', '/api/core/objects/tasks', {
          tenant_code: 'acme',
          type: 'disposal',
          title,
          severity: 'low',
        })
        .catch((error: unknown) => ({ status: 0, headers: {} as IncomingHttpHeaders, text: String(error) }));
      if (answer.status === 201) this.acknowledged.push(title);
      else if (answer.status !== 503 || Number(answer.headers['retry-after']) < 1)
        this.odd.push(`${answer.status} ${answer.text}`);
      await pause(answer.status === 201 ? 5 : 50);
    }
  }

  /** Once so many more were acknowledged. */
  async go(on = 10): Promise<void> {
    const through = this.acknowledged.length + on;
    await until('writes are acknowledged', () => Promise.resolve(this.acknowledged.length >= through));
  }

  /** @throws when something that was acknowledged is missing */
  async check(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
    const found = new Set<string>();
    for (let cursor: string | null = null; ;) {
      const page: { items: { title: string }[]; nextCursor: string | null } = jsonOf(
        await this.#hub.api(
          'GET',
          `/api/core/objects/tasks?tenant_code=acme&limit=500${cursor === null ? '' : `&cursor=${cursor}`}`,
        ),
      );
      for (const { title } of page.items) found.add(title);
      if ((cursor = page.nextCursor) === null) break;
    }
    expect(this.acknowledged.filter((title) => !found.has(title))).toEqual([]);
    expect(this.odd).toEqual([]);
    expect(this.#hub.running).toBe(true);
    expect(this.#hub.lives).toBe(1);
  }
}

/**
 * Kills of one backend of the hub: by Postgres's own means, and without warning, which restarts all of them.
 */
const backends = {
  ended: (client: pg.Client) =>
    client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name like ' +
        `'fieldline-hq%' order by random() limit 3`,
    ),
  killed: async (client: pg.Client) => {
    const {
      rows: [one],
    } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name like 'fieldline-hq%' order by random() ` +
        'limit 1',
    );
    if (one) process.kill(one.pid, 'SIGKILL');
  },
};

test(
  'the embedded server and its backends',
  async () => {
    const hub = await startHub();
    const state = path.join(scene.dir, 'postgres');
    const [secret, port] = await Promise.all(
      ['password', 'port'].map((name) => readFile(path.join(state, name), 'utf8')),
    );
    const ask = async (work: (client: pg.Client) => Promise<unknown>): Promise<void> => {
      const client = clientOf(`postgresql://fieldline:${secret}@127.0.0.1:${port}/fieldline`);
      await client.connect();
      await work(client);
      await client.end();
    };
    const writers = new Writers(hub);
    for (let round = 0; round < KILLS; round += 1) {
      await writers.go();
      if (round % 3 === 0) await ask(backends.ended);
      else if (round % 3 === 1) await ask(backends.killed);
      else process.kill((await findRunning(path.join(state, 'data')))?.pid ?? 0, 'SIGKILL');
    }
    await writers.go();
    await writers.check();
  },
  WITHIN_MS,
);

test(
  'a given server and its backends',
  async () => {
    const server = await Server.primary();
    scene.onClose(() => server.close());
    const writers = new Writers(await startHub({ DATABASE_URL: server.url }));
    for (let round = 0; round < KILLS; round += 1) {
      await writers.go();
      if (round % 3 === 0) await server.ask(backends.ended);
      else if (round % 3 === 1) await server.ask(backends.killed);
      else {
        await server.kill();
        await server.start();
      }
    }
    await writers.go();
    await writers.check();
  },
  WITHIN_MS,
);

test('a hub answers nobody before it has its rules, and says in a sentence that its database went', async () => {
  const server = await Server.primary();
  scene.onClose(() => server.close());
  const hub = await startHub({ DATABASE_URL: server.url });
  await hub.stop();
  const keeper = clientOf(server.url);
  keeper.on('error', () => undefined);
  await keeper.connect();
  await keeper.query('begin; lock table rules in access exclusive mode');
  hub.spawn();
  await until('the start waits for its rules', async () => {
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%"rules"%'`;
    return (await server.ask((client) => client.query(waiting))).rows.length > 0;
  });
  const asked = request({ url: hub.url, method: 'GET', path: '/readyz', timeoutMs: 5_000 });
  await expect(asked).rejects.toThrow('ECONNREFUSED');
  await server.kill();
  await until('the hub has ended', () => Promise.resolve(!hub.running));
  expect(hub.stderr).toMatch(/fieldline-hq: The database cannot be used: .*Check DATABASE_URL/);
  expect(hub.stderr).not.toMatch(/\n +at /);
  await server.start();
  await hub.start();
});

longTest(
  'a failover to a standby that follows synchronously, and a server that is made read-only',
  async () => {
    const first = await Server.primary();
    scene.onClose(() => first.close());
    const second = await first.standby('second');
    scene.onClose(() => second.close());
    await first.ask(async (client) => {
      await client.query(`alter system set synchronous_standby_names = '*'`);
      await client.query('select pg_reload_conf()');
      await until(
        'the standby follows',
        async () =>
          (await client.query(`select 1 from pg_stat_replication where sync_state = 'sync'`)).rows.length ===
          1,
      );
    });
    const url = second.urlWith(first);
    const writers = new Writers(await startHub({ DATABASE_URL: url }));
    const database = new Database({ url, log: silentLogger(), poolSize: 2 });
    scene.onClose(() => database.close());
    let heard = 0;
    const signal = new HubDeliverySignal(url, silentLogger());
    signal.start(() => void (heard += 1));
    scene.onClose(() => signal.stop());
    await until('the signal is heard', () => Promise.resolve(heard > 0));
    await writers.go(50);

    await first.kill();
    heard = 0;
    await second.ask((client) => client.query('select pg_promote()'));
    await writers.go(50);
    await until('the signal is heard again', () => Promise.resolve(heard > 0));
    heard = 0;
    await second.ask((client) => client.query(`notify ${DELIVERY_CHANNEL}`));
    await until('what is announced is heard', () => Promise.resolve(heard > 0));
    expect(await portOf(database)).toBe(second.port);

    // The other one takes writes now, as when it was failed back to; the one in use is demoted and goes on
    // answering reads.
    const third = await second.standby('third');
    scene.onClose(() => third.close());
    await writers.check();
    const moving = new Database({ url: second.urlWith(third), log: silentLogger(), poolSize: 4 });
    scene.onClose(() => moving.close());
    await Promise.all([1, 2, 3, 4].map(() => portOf(moving)));
    const news = new HubNews(second.urlWith(third), silentLogger());
    scene.onClose(() => news.stop());
    const told = new Set<string | null>();
    news.onSite((instance) => told.add(instance));
    news.start();
    await until('news come', () => Promise.resolve(news.current()));
    await third.ask((client) => client.query('select pg_promote()'));
    await second.ask(async (client) => {
      await client.query('alter system set default_transaction_read_only = on');
      await client.query('select pg_reload_conf()');
    });
    // The setting reaches each connection of the demoted server a moment after it was given.
    await until('a write is refused or goes to the other', () =>
      moving
        .transaction(async ({ client }) => {
          await client.query('create table if not exists moved as select 1');
          const { rows } = await client.query<{ port: string }>(`select current_setting('port') as port`);
          return Number(rows[0]?.port);
        })
        .then(
          (port) => port === third.port,
          (error: { status?: number }) => {
            expect(error.status).toBe(503);
            return false;
          },
        ),
    );
    expect(new Set(await Promise.all([1, 2, 3, 4].map(() => portOf(moving))))).toEqual(new Set([third.port]));
    await until('news come from the other', async () => {
      await third.ask((client) => client.query(`notify ${NEWS_CHANNEL}, 'site tunnel-7'`));
      return told.has('tunnel-7');
    });
  },
);

const portOf = (database: Database): Promise<number> =>
  database.read(async (_db, pool) =>
    Number((await pool.query<{ port: string }>(`select current_setting('port') as port`)).rows[0]?.port),
  );
