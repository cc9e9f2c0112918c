// `npm start`: headquarters, one site joined to it and two simulated cameras, on this machine.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { TransportError } from '../../common/http/client.ts';
import { ApiClient } from '../../common/terminal/api.ts';
import { Analyst } from './analyst.ts';
import { joinBusiness, PROJECT_SYSTEM } from './join-business.ts';
import { createHttpClient } from '../../hq/http-client.ts';
import { lockStore, type StoreLock } from '../../site/store/engine/lock.ts';
import { Child } from './child.ts';
import { guide } from './guide.ts';
import { pause } from './pause.ts';
import { freePort, DemoState } from './state.ts';
import { summary } from './summary.ts';

const TENANT = 'demo';
const INSTANCE = 'demo-site';
/** The exit of a program that died is heard within this time. */
const EXIT_HEARD_MS = 2_000;
const READY_MS = 90_000;
const ANSWER_MS = 5_000;
const CAMERAS = [
  { name: 'gate-quiet', rate: '0.2', seed: '1' },
  { name: 'face-busy', rate: '5', seed: '2' },
];

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const { values } = parseArgs({
  options: {
    'state-dir': { type: 'string', default: '.fieldline' },
    'summary-seconds': { type: 'string', default: '10' },
    'any-port': { type: 'boolean', default: false },
  },
});
const client = createHttpClient(null, { keepAlive: false });
const state = new DemoState(resolve(values['state-dir']));
const stopping = new AbortController();
let signals = 0;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    signals += 1;
    if (signals === 1) say('\nstopping 正在停止 …');
    stopping.abort();
  });
}

const children: Child[] = [];
/** Held by this reference: a lock that is collected is released. */
let lock: StoreLock | null = null;
try {
  await run();
} catch (error) {
  if (!stopping.signal.aborted) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
} finally {
  // Cameras first, then the site, then headquarters.
  for (const group of [children.slice(2), children.slice(1, 2), children.slice(0, 1)])
    await Promise.all(group.map((child) => child.stop(3_000)));
  (lock as StoreLock | null)?.release();
  if (signals > 0) say('stopped 已停止');
}

async function run(): Promise<void> {
  lock = lockDemonstration();
  const hubPort = await freePort(values['any-port'] ? 0 : 8090);
  const hubUrl = `http://127.0.0.1:${hubPort}`;
  say('starting headquarters 正在启动总部 …');
  launch('hq', ['hq/main.ts', 'run'], {
    CORE_LISTEN: `127.0.0.1:${hubPort}`,
    CORE_DATA_DIR: state.hub,
    CORE_DOC_DIR: resolve(state.hub, 'kbdocs'),
    // The business system, and whoever listens for webhooks, are on this machine.
    CORE_DATASET_NETWORKS: '127.0.0.0/8',
    CORE_WEBHOOK_NETWORKS: '127.0.0.0/8',
  });
  const hub = await ready(hubUrl, 'hub');
  await joinSite(hub);

  const sitePort = await freePort(values['any-port'] ? 0 : 8080);
  const siteUrl = `http://127.0.0.1:${sitePort}`;
  say('starting the site 正在启动现场 …');
  launch('site', ['site/main.ts', 'run'], {
    CORE_LISTEN: `127.0.0.1:${sitePort}`,
    CORE_DATA_DIR: state.site,
    CORE_INSTANCE: INSTANCE,
    CORE_UPLINK_URL: hubUrl,
    CORE_UPLINK_KEY_REF: `file:${state.uplinkKeyFile}`,
    // The cameras are on this machine.
    CORE_FEEDBACK_NETWORKS: '127.0.0.0/8',
  });
  const site = await ready(siteUrl, 'site');
  for (const camera of CAMERAS) await startCamera(site, siteUrl, camera);

  await startBusiness(hub);

  const analyst = new Analyst(site);
  say(guide({ state, stateDir: resolve(values['state-dir']), tenant: TENANT, siteUrl, hubUrl }));
  await untilDeath(Promise.race([analyst.run(stopping.signal), summarise(site, hub, analyst)]));
}

/**
 * A call that fails because a program has died is told as the end of that program, of which its exit may be
 * heard later.
 */
async function untilDeath(work: Promise<void>): Promise<void> {
  const died = Promise.race(children.map(({ died }) => died));
  try {
    await Promise.race([work, died.then((error) => Promise.reject(error))]);
  } catch (error) {
    stopping.signal.throwIfAborted();
    throw (await Promise.race([died, sleep(EXIT_HEARD_MS).then(() => null)])) ?? error;
  }
}

function launch(name: string, argv: string[], env: Record<string, string>): void {
  children.push(
    new Child(
      name,
      argv.map((part, index) => (index === 0 ? resolve(root, part) : part)),
      { env, logFile: state.logFile(name), cwd: process.cwd() },
    ),
  );
}

/** Waits until the newest child can take work. */
async function ready(url: string, of: 'hub' | 'site'): Promise<ApiClient> {
  const deadline = performance.now() + READY_MS;
  const child = children.at(-1) as Child;
  let dead: Error | null = null;
  void child.died.then((error) => (dead = error));
  for (;;) {
    stopping.signal.throwIfAborted();
    if (dead) throw dead as Error;
    if (await answers(`${url}/readyz`)) {
      return new ApiClient({
        at: { url },
        headers: { 'x-admin-key': state.adminKey(of) },
        whenSilent: `nothing answers at ${url}`,
      });
    }
    if (performance.now() > deadline)
      throw new Error(
        `${child.name} is not ready after ${READY_MS / 1000} s; its log ends with:\n${child.lastLines()}`,
      );
    await sleep(150);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await client.send({ method: 'GET', url, timeoutMs: ANSWER_MS })).status === 200;
  } catch (error) {
    if (error instanceof TransportError) return false;
    throw error;
  }
}

async function joinSite(hub: ApiClient): Promise<void> {
  const { items } = await hub.call<{ items: { instance: string; keys: { keyId: string }[] }[] }>(
    'GET',
    '/api/core/sites',
  );
  const registered = items.find((site) => site.instance === INSTANCE);
  if (registered?.keys.some(({ keyId }) => state.hasUplinkKey(keyId))) return;
  // Registered, but the key went with a deleted folder: a new secret for the same key, the old one ends at
  // once.
  const [known] = registered?.keys ?? [];
  if (registered && !known) await hub.call('DELETE', `/api/core/sites/${INSTANCE}`);
  const key = known
    ? await hub.call<{ keyId: string; secret: string }>(
        'POST',
        `/api/core/sites/${INSTANCE}/keys/${known.keyId}/rotate`,
        { overlap_hours: 0 },
      )
    : await hub.call<{ keyId: string; secret: string }>('POST', '/api/core/sites', {
        instance: INSTANCE,
        tenants: [TENANT],
      });
  state.keepUplinkKey(key);
}

async function startCamera(
  site: ApiClient,
  siteUrl: string,
  camera: (typeof CAMERAS)[number],
): Promise<void> {
  const { items } = await site.call<{ items: { keyId: string }[] }>('GET', '/api/core/nodes');
  let key = state.keys()[camera.name];
  if (!key || !items.some((node) => node.keyId === key?.keyId)) {
    key = await site.call<{ keyId: string; secret: string }>('POST', '/api/core/nodes', {
      tenant_code: TENANT,
      name: camera.name,
    });
    state.keepKey(camera.name, key);
  }
  launch(
    `camera-${camera.name}`,
    [
      'packaging/demo/camera.ts',
      '--site-url',
      siteUrl,
      '--key',
      key.keyId,
      '--secret-ref',
      'env:CAMERA_SECRET',
      '--name',
      camera.name,
      '--rate',
      camera.rate,
      '--seed',
      camera.seed,
      '--listen',
      `127.0.0.1:${await state.feedbackPort(camera.name)}`,
    ],
    { CAMERA_SECRET: key.secret },
  );
}

async function startBusiness(hub: ApiClient): Promise<void> {
  const [port, keyFile] = [await freePort(0), state.businessKeyFile()];
  launch(
    'business',
    [
      'packaging/demo/business.ts',
      '--listen',
      `127.0.0.1:${port}`,
      '--key',
      PROJECT_SYSTEM,
      '--secret-ref',
      `file:${keyFile}`,
      '--tenant',
      TENANT,
      '--state-file',
      state.businessStateFile,
    ],
    {},
  );
  await joinBusiness(hub, {
    tenant: TENANT,
    url: `http://127.0.0.1:${port}`,
    secret: readFileSync(keyFile, 'utf8').trim(),
  });
}

/**
 * Two demonstrations on one folder would fight over the store. The kernel drops the lock however this process
 * ends.
 */
function lockDemonstration(): StoreLock {
  try {
    return lockStore(resolve(values['state-dir'], 'demo.lock'));
  } catch (cause) {
    throw new Error(
      `${resolve(values['state-dir'])} is in use by another "npm start"; end that first, or choose ` +
        'another --state-dir.',
      { cause },
    );
  }
}

async function summarise(site: ApiClient, hub: ApiClient, analyst: Analyst): Promise<void> {
  while (!stopping.signal.aborted) {
    await pause(Number(values['summary-seconds']) * 1000, stopping.signal);
    if (!stopping.signal.aborted) say(await summary(site, hub, INSTANCE, analyst));
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
