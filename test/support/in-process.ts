// A site and a hub inside the test's own process, for tests that replace a part of them.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Clock, systemClock } from '../../common/clock.ts';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { silentLogger } from '../../common/log.ts';
import { runAll } from '../../common/loop.ts';
import { type Hub, startHub } from '../../hq/app.ts';
import { PasswordHasher } from '../../hq/auth/password.ts';
import { readHubConfig } from '../../hq/config.ts';
import { type Site, startSite } from '../../site/app.ts';
import type { SiteOverrides } from '../../site/compose/base.ts';
import { readSiteConfig } from '../../site/config.ts';
import { TEST_COST } from './password-cost.ts';
import { createHubDatabase } from './postgres.ts';
import type { Scene } from './process.ts';
import { adminCall, type Answer, expectStatus, jsonOf, until } from './request.ts';

export const ADMIN_KEY = 'fla_for-these-tests-only-and-nothing-else';

export type Call = (method: string, target: string, body?: unknown) => Promise<Answer>;

/** Real time with a wall clock that can be set, while the monotonic one goes on; or time passes by both. */
export class SettableClock implements Clock {
  /** Milliseconds by which the wall clock is off. */
  offset = 0;
  now = (): number => systemClock.now() + this.offset;
  monotonic = (): number => systemClock.monotonic() + this.#passed;
  newId = (): string => systemClock.newId();
  #passed = 0;

  /** Time goes by, by both clocks, and what runs now and then does so now. */
  pass(ms: number): void {
    this.offset += ms;
    this.#passed += ms;
    runAll();
  }
}

/** As `until`, for what waits for a loop of this process that rests for seconds: all run with each look. */
export const untilRun: typeof until = (what, ask, withinMs) =>
  until(
    what,
    () => {
      runAll();
      return ask();
    },
    withinMs,
  );

export interface SiteHere {
  site: Site;
  call: Call;
  node: (name: string, tenant?: string) => Promise<SigningKey>;
}

export interface HubHere {
  hub: Hub;
  call: Call;
  databaseUrl: string;
}

function common(scene: Scene): Record<string, string> {
  const file = path.join(scene.dir, 'admin-key');
  writeFileSync(file, ADMIN_KEY);
  return {
    CORE_LISTEN: '127.0.0.1:0',
    CORE_ADMIN_KEY_REF: `file:${file}`,
    AGENT_ENABLED: 'false',
    CORE_FEEDBACK_NETWORKS: '127.0.0.0/8',
  };
}

export async function startSiteHere(
  scene: Scene,
  options: Pick<SiteOverrides, 'clock' | 'log' | 'sync' | 'fileSteps' | 'probe'> & {
    env?: Record<string, string>;
  } = {},
): Promise<SiteHere> {
  const dataDir = path.join(scene.dir, 'site');
  mkdirSync(dataDir, { recursive: true });
  const { env, ...overrides } = options;
  const config = readSiteConfig({
    ...common(scene),
    CORE_DATA_DIR: dataDir,
    CORE_INSTANCE: 'site-1',
    ...env,
  });
  const site = await startSite(config, { log: silentLogger(), ...overrides });
  scene.onClose(() => site.stop());
  const call: Call = (method, target, body) => adminCall(site.url, ADMIN_KEY, method, target, body);
  const node = async (name: string, tenant = 'acme'): Promise<SigningKey> =>
    jsonOf<SigningKey>(
      expectStatus(await call('POST', '/api/core/nodes', { tenant_code: tenant, name }), 201),
    );
  return { site, call, node };
}

export async function startHubHere(
  scene: Scene,
  clock: Clock = systemClock,
  env: Record<string, string> = {},
): Promise<HubHere> {
  const database = await createHubDatabase();
  scene.onClose(() => database.drop());
  const config = readHubConfig({
    ...common(scene),
    CORE_DATA_DIR: path.join(scene.dir, 'hq'),
    CORE_DOC_DIR: path.join(scene.dir, 'kbdocs'),
    DATABASE_URL: database.url,
    ...env,
  });
  const hub = await startHub(config, { clock, log: silentLogger(), hasher: new PasswordHasher(TEST_COST) });
  scene.onClose(() => hub.stop());
  return {
    hub,
    call: (method, target, body) => adminCall(hub.url, ADMIN_KEY, method, target, body),
    databaseUrl: database.url,
  };
}
