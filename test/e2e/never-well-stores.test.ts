// Neither status says that all is well while a store, at either end, is damaged, lost, doubled or another,
// nor while the link between the two is away: one state after another, each on running programs.
import { cpSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { longWhileWell, saysMore, stands, type Well, wellAgain, whileWell } from '../support/all-well.ts';
import { alarms, copyDatabase, drained } from '../support/deployment.ts';
import { clientOf, createHubDatabase } from '../support/postgres.ts';
import { freePort, Program } from '../support/process.ts';
import { expectStatus, until } from '../support/request.ts';

const fileOf = ({ site }: Well, ...name: string[]): string => path.join(site.options.dataDir, ...name);
const cleared = async (program: Program, key: string): Promise<unknown> => {
  await stands(program, key);
  return expectStatus(await program.api('POST', '/api/core/alarms/clear', { key, by: 'li' }), 200);
};

async function changed({ site }: Well, change: () => void): Promise<void> {
  await site.stop();
  change();
  await site.start();
}

/** The first page of a table is zeros, as of a card that wears out. */
function zeroed(file: string, table: string): void {
  const db = new Database(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const root = db.prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck();
  const page = root.get(table) ?? 0;
  const size = db.pragma('page_size', { simple: true }) as number;
  db.close();
  writeFileSync(file, readFileSync(file).fill(0, (page - 1) * size, page * size));
}

longWhileWell('a page of a store that nobody reads', async (at) => {
  const { site, hub } = at;
  await drained(site);
  await changed(at, () => zeroed(fileOf(at, 'site.db'), 'verdicts'));
  // It comes upon the page by its look a minute after the start, ends, and salvages its store at the next.
  await until(
    'the store was salvaged',
    async () => {
      // It may end between being asked and answering.
      const standing = site.running && (await alarms(site, false).catch(() => []));
      if (standing) return standing.some(({ key }) => key === 'store_salvaged');
      await site.start();
      return false;
    },
    240_000,
  );
  await saysMore(site, /store_salvaged/);
  await saysMore(hub, /site-1/);
});

whileWell(
  'the files of a site',
  async (at) => {
    const { site, hub } = at;
    await changed(at, () => writeFileSync(fileOf(at, 'site.lock'), 'garbage\n'));
    for (const program of [site, hub]) await wellAgain(program);

    await until('rules are kept', () => Promise.resolve(existsSync(fileOf(at, 'rules_cache.json'))));
    await changed(at, () => truncateSync(fileOf(at, 'rules_cache.json'), 10));
    await saysMore(site, /rules_cache_damaged/);
    await saysMore(hub, /site-1/);
    await cleared(site, 'rules_cache_damaged');

    const camera = { tenant_code: 'acme', name: 'old', kind: 'hikvision', auth: 'digest' };
    expectStatus(await site.api('POST', '/api/core/devices', camera), 201);
    const key = readFileSync(fileOf(at, 'secrets', 'seal-key'));
    await changed(at, () => writeFileSync(fileOf(at, 'secrets', 'seal-key'), 'zzz'));
    await saysMore(site, /secrets_unreadable/);
    await saysMore(hub, /NOT WELL/);
    await changed(at, () => writeFileSync(fileOf(at, 'secrets', 'seal-key'), key));
    await stands(site, 'secrets_unreadable', false);

    await changed(at, () => rmSync(fileOf(at, 'site.db')));
    await saysMore(site, /store_lost/);
    await saysMore(hub, /NOT WELL/);
  },
  { siteEnv: { AGENT_ENABLED: 'true' } },
);

longWhileWell('two sites on copies of one store', async (at) => {
  const { site, hub, scene, post } = at;
  await drained(site);
  const dataDir = path.join(scene.dir, 'clone');
  await changed(at, () => cpSync(site.options.dataDir, dataDir, { recursive: true }));
  const clone = new Program({ ...site.options, dataDir, port: await freePort() });
  scene.onClose(() => clone.kill());
  await clone.start();
  await post('after');
  await saysMore(clone, /./);
  await saysMore(hub, /NOT WELL/);
  await saysMore(site, /under the name of this site/);
});

const UNREADABLE = `
  insert into rules (tenant_code, kind, name, version, body, "by", created_at, deleted)
    values ('acme', 'response', 'all', 1, '{"priority":1,"enabled":true,"match":{},"action":{"kind":"review"}}',
      'li', 1, false);
  alter table rules rename to rules_whole;
  create function page_of_rules() returns boolean language plpgsql as
    $$ begin raise exception 'invalid page in block 0 of relation "base/5/1"' using errcode = 'XX001'; end $$;
  create view rules as select * from rules_whole where page_of_rules();`;
const READABLE = 'drop view rules; alter table rules_whole rename to rules;';

async function execute(url: string, sql: string): Promise<void> {
  const client = clientOf(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

longWhileWell('the link, and the database of headquarters', async (at) => {
  const { site, hub, link, databaseUrl } = at;
  link.down('refused');
  await saysMore(site, /nothing listens|refused/i);
  await saysMore(hub, /late|silent/);
  link.up();
  for (const program of [site, hub]) await wellAgain(program);

  await execute(databaseUrl, UNREADABLE);
  expectStatus(await hub.api('GET', '/api/core/objects/rules?tenant_code=acme'), 503);
  await stands(hub, 'database_damaged');
  await saysMore(hub, /NOT WELL/);
  await execute(databaseUrl, READABLE);
  await cleared(hub, 'database_damaged');
  await wellAgain(hub);

  // Of a tenant that headquarters does not take of this site.
  const task = { tenant_code: 'other', type: 'disposal', title: 'look there', severity: 'high' };
  expectStatus(await site.api('POST', '/api/core/objects/tasks', task), 201);
  await saysMore(site, /parked/i);
  await saysMore(hub, /site-1/);
});

whileWell('another database of headquarters', async (at) => {
  const { site, hub, scene, post, databaseUrl } = at;
  const on = async (url: string): Promise<void> => {
    await hub.stop();
    hub.env.DATABASE_URL = url;
    await hub.start();
  };
  await drained(site);
  await hub.stop();
  const copy = await copyDatabase(databaseUrl);
  scene.onClose(() => copy.drop());
  await hub.start();
  await post('after the copy');
  await drained(site);
  await on(copy.url);
  await saysMore(site, /uplink_hub_epoch_changed/);
  await saysMore(hub, /NOT WELL/);
  const empty = await createHubDatabase();
  scene.onClose(() => empty.drop());
  await on(empty.url);
  await saysMore(hub, /NOT WELL[^]*no site is registered/);
  await saysMore(site, /refused|401/);
});
