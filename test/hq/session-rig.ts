// A hub on a database of its own, with a clock that only the test moves, and users who log in to it.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { silentLogger } from '../../common/log.ts';
import { type Hub, type HubOverrides, startHub } from '../../hq/app.ts';
import { PasswordHasher } from '../../hq/auth/password.ts';
import { readHubConfig } from '../../hq/config.ts';
import { Browser } from '../support/browser.ts';
import { TestClock } from '../support/clock.ts';
import { TEST_COST } from '../support/password-cost.ts';
import { createHubDatabase } from '../support/postgres.ts';
import { adminCall, type Answer, expectStatus, jsonOf, signedCall } from '../support/request.ts';

export const PASSWORD = 'correct horse battery';

export function login(browser: Browser, name: string, password = PASSWORD, tenant?: string): Promise<Answer> {
  return browser.call('POST', '/api/core/session/login', {
    body: { name, password, ...(tenant === undefined ? {} : { tenant }) },
  });
}

export interface SessionRig {
  hub: Hub;
  dataDir: string;
  databaseUrl: string;
  /** The data directory of the hub. */
  dir: string;
  clock: TestClock;
  adminKey: string;
  admin: (method: string, target: string, body?: unknown) => Promise<Answer>;
  addUser(name: string, more?: object): Promise<void>;
  /** A browser in which the user is logged in. */
  browser(name: string): Promise<Browser>;
  /** Posts events as a camera of the tenant. @returns their ids */
  post(tenant: string, events: object[]): Promise<number[]>;
  /** One more hub process on the same database. */
  peer(): Promise<Hub>;
  close(): Promise<void>;
}

export async function openSessionRig(
  env: Record<string, string> = {},
  parts: HubOverrides = {},
): Promise<SessionRig> {
  // Keys are named after the beginnings of ids, which must differ.
  const clock = Object.assign(new TestClock(), { newId: () => randomUUID() });
  const dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-session-'));
  const database = await createHubDatabase();
  const started: Hub[] = [];
  const start = async (): Promise<Hub> => {
    const config = readHubConfig({
      CORE_DATA_DIR: dir,
      CORE_LISTEN: '127.0.0.1:0',
      AGENT_ENABLED: 'false',
      CORE_DOC_DIR: path.join(dir, 'kbdocs'),
      CORE_POLICY_READING: 'off',
      DATABASE_URL: database.url,
      ...env,
    });
    const hub = await startHub(config, {
      clock,
      log: silentLogger(),
      hasher: new PasswordHasher(TEST_COST),
      ...parts,
    });
    started.push(hub);
    return hub;
  };
  const hub = await start();
  const adminKey = (await readFile(path.join(dir, 'secrets', 'admin-key'), 'utf8')).trim();
  const admin = (method: string, target: string, body?: unknown) =>
    adminCall(hub.url, adminKey, method, target, body);
  return {
    hub,
    dataDir: dir,
    databaseUrl: database.url,
    dir,
    clock,
    admin,
    adminKey,
    peer: start,
    addUser: async (name, more = { role: 'operator' }) => {
      expectStatus(await admin('POST', '/api/core/users', { name, password: PASSWORD, ...more }), 201);
    },
    browser: async (name) => {
      const browser = new Browser(hub.url);
      expectStatus(await login(browser, name), 200);
      return browser;
    },
    post: async (tenant, events) => {
      const key = jsonOf<{ keyId: string; secret: string }>(
        expectStatus(
          await admin('POST', '/api/core/nodes', { tenant_code: tenant, name: `${tenant}-camera` }),
          201,
        ),
      );
      const answer = await signedCall({
        url: hub.url,
        key,
        method: 'POST',
        path: '/api/core/events',
        body: JSON.stringify({ events }),
        now: clock.now(),
      });
      return jsonOf<{ items: { id: number }[] }>(expectStatus(answer, 201)).items.map(({ id }) => id);
    },
    close: async () => {
      for (const one of started.reverse()) await one.stop();
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** What differs between the answers for two things of different names, and nothing else. */
export const bare = (answer: Answer): string =>
  answer.text
    .replace(/"requestId":"[^"]*"/, '')
    .replace(
      /([Ee]vent|Task|Incident|Knowledge|Policy file|Answer|The consumer|The session|The source|The rota|The device|The plan|The site|事件|任务|事件组) [\w-]+/g,
      '$1 X',
    );
