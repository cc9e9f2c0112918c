// A site and its hub as real processes with a breakable link between them, registered with each other.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { clientOf, createHubDatabase, type TestDatabase } from './postgres.ts';
import { freePort, Program, type Reachable, type Scene } from './process.ts';
import { Link } from './proxy.ts';
import type { Random } from './random.ts';
import { expectStatus, jsonOf, until } from './request.ts';

export const TENANT = 'acme';
export const INSTANCE = 'site-1';

export interface ChannelView {
  name: 'events' | 'verdicts';
  cursor: number;
  head: number;
  backlog: number;
  parked: number;
  lastError: string | null;
  duplicateTotal: number;
}

export interface AlarmView {
  key: string;
  instance: string;
  severity: string;
  message: string;
  messageZh: string | null;
  clearedAt: string | null;
  takenBy: string | null;
  takenAt: string | null;
}

export interface Deployment {
  hub: Program;
  site: Program;
  link: Link;
  keyFile: string;
  /** Of the hub. */
  databaseUrl: string;
}

/** @param env may say where it listens, for whoever must know that before it does */
export async function startHubProgram(
  scene: Scene,
  databaseUrl: string,
  name = 'hq',
  env: Record<string, string> = {},
): Promise<Program> {
  const dataDir = path.join(scene.dir, name);
  mkdirSync(dataDir);
  const hub = new Program({
    main: 'hq/main.ts',
    dataDir,
    port: Number(env.CORE_LISTEN?.split(':').at(-1) ?? (await freePort())),
    env: { DATABASE_URL: databaseUrl, ...env },
  });
  scene.onClose(() => hub.kill());
  await hub.start();
  return hub;
}

/** A site without headquarters, unless `env` names one. */
export async function startSiteProgram(
  scene: Scene,
  env: Record<string, string> = {},
  name = 'site',
): Promise<Program> {
  const dataDir = path.join(scene.dir, name);
  mkdirSync(dataDir);
  const site = new Program({
    main: 'site/main.ts',
    dataDir,
    port: await freePort(),
    env: { CORE_INSTANCE: INSTANCE, ...env },
  });
  scene.onClose(() => site.kill());
  await site.start();
  return site;
}

export interface DeploymentOptions {
  /** More of the hub's configuration. */
  hubEnv?: Record<string, string>;
  /** More of the site's. */
  siteEnv?: Record<string, string>;
  /** Of the site. */
  tenants?: string[];
  /** Of the hub; left out: a new one on the server of the test run. */
  database?: TestDatabase;
}

export async function startDeployment(
  scene: Scene,
  random: Random,
  { hubEnv = {}, siteEnv = {}, tenants = [TENANT], database: given }: DeploymentOptions = {},
): Promise<Deployment> {
  const database = given ?? (await createHubDatabase());
  scene.onClose(() => database.drop());
  const hub = await startHubProgram(scene, database.url, 'hq', hubEnv);
  const link = new Link(hub.options.port, random);
  await link.listen();
  scene.onClose(() => link.close());
  const keyFile = path.join(scene.dir, 'uplink-key');
  await registerSite(hub, keyFile, tenants);
  const site = await startSiteProgram(scene, { ...uplinkEnv(link.url, keyFile), ...siteEnv });
  return { hub, site, link, keyFile, databaseUrl: database.url };
}

export const uplinkEnv = (url: string, keyFile: string): Record<string, string> => ({
  CORE_UPLINK_URL: url,
  CORE_UPLINK_KEY_REF: `file:${keyFile}`,
  CORE_UPLINK_INTERVAL_MS: '200',
});

/** Registers the site at the hub and leaves the key where the site reads it. */
export async function registerSite(
  hub: Reachable,
  keyFile: string,
  tenants = [TENANT],
  instance = INSTANCE,
): Promise<SigningKey> {
  const { keyId, secret } = jsonOf<SigningKey>(
    expectStatus(await hub.api('POST', '/api/core/sites', { instance, tenants }), 201),
  );
  writeFileSync(keyFile, `${keyId}:${secret}\n`, { mode: 0o600 });
  return { keyId, secret };
}

export async function registerNode(site: Reachable, name: string, tenant = TENANT): Promise<SigningKey> {
  return jsonOf<SigningKey>(
    expectStatus(await site.api('POST', '/api/core/nodes', { tenant_code: tenant, name }), 201),
  );
}

export async function channels(site: Reachable): Promise<Record<'events' | 'verdicts', ChannelView>> {
  const status = jsonOf<{ channels: ChannelView[] }>(
    expectStatus(await site.api('GET', '/api/core/uplink/status'), 200),
  );
  const named = (name: string): ChannelView => {
    const found = status.channels.find((channel) => channel.name === name);
    if (!found) throw new Error(`the status shows no channel ${name}`);
    return found;
  };
  return { events: named('events'), verdicts: named('verdicts') };
}

/** Waits until headquarters has answered for everything that the site holds. */
export async function drained(site: Program, withinMs = 240_000): Promise<void> {
  let last = '';
  await until(
    'the uplink has run empty',
    async () => {
      const { events, verdicts } = await channels(site);
      last = JSON.stringify({ events, verdicts });
      // A change has no number, and the log no newer head for it, until its event has gone up.
      return events.cursor === events.head && verdicts.backlog === 0;
    },
    withinMs,
  ).catch((error: unknown) => {
    throw new Error(`${(error as Error).message}; ${last}; ${site.stderr.slice(-1500)}`, { cause: error });
  });
}

export async function alarms(program: Reachable, includeCleared = true): Promise<AlarmView[]> {
  return jsonOf<{ items: AlarmView[] }>(
    expectStatus(
      await program.api('GET', `/api/core/alarms?include_cleared=${includeCleared}&limit=1000`),
      200,
    ),
  ).items;
}

export const epochOf = async (program: Program): Promise<string> =>
  jsonOf<{ epoch: string }>(expectStatus(await program.api('GET', '/api/core/version'), 200)).epoch;

/** A copy of a database that nobody is connected to. */
export async function copyDatabase(url: string): Promise<TestDatabase> {
  const original = new URL(url).pathname.slice(1);
  const copy = new URL(url);
  copy.pathname = `/${original}_copy`;
  const admin = new URL(url);
  admin.pathname = '/postgres';
  const execute = async (sql: string): Promise<void> => {
    const client = clientOf(admin.href);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  await execute(`create database ${original}_copy template ${original}`);
  return { url: copy.href, drop: () => execute(`drop database if exists ${original}_copy with (force)`) };
}
