// `npm start`: headquarters, one site joined to it and two simulated cameras, on this machine.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { ApiClient } from '../../common/terminal/api.ts';
import { createHttpClient } from '../../hq/http-client.ts';
import { lockStore, type StoreLock } from '../../site/store/engine/lock.ts';
import { buildConsole } from '../console/build.ts';
import { Analyst } from './analyst.ts';
import { guide } from './guide.ts';
import { joinBusiness, PROJECT_SYSTEM } from './join/business.ts';
import { joinLibrary } from './join/library.ts';
import { joinPeople } from './join/people.ts';
import { joinRules } from './join/rules.ts';
import { joinSite } from './join/site.ts';
import { Patience } from './patience.ts';
import { pause } from './pause.ts';
import { Programs } from './programs.ts';
import { type DemoCamera, startCamera } from './start-camera.ts';
import { DemoState, freePort } from './state.ts';
import { summary } from './summary.ts';

const TENANT = 'demo';
const INSTANCE = 'demo-site';
const CAMERAS: readonly DemoCamera[] = [
  { name: 'gate-quiet', rate: '0.2', seed: '1' },
  { name: 'face-busy', rate: '1', seed: '2' },
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

const programs = new Programs({ root, state, client, signal: stopping.signal });
/** Kept in a variable of the module, because a lock that is garbage-collected is released. */
let lock: StoreLock | null = null;
try {
  await run();
} catch (error) {
  if (!stopping.signal.aborted) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
} finally {
  // Who asks a program again until it answers would go on for ever.
  stopping.abort();
  await programs.stop();
  (lock as StoreLock | null)?.release();
  if (signals > 0) say('stopped 已停止');
}

async function run(): Promise<void> {
  lock = lockDemonstration();
  const hubPort = await portFor('headquarters', '总部', 8090);
  const hubUrl = `http://127.0.0.1:${hubPort}`;
  if (await buildConsole()) say('the console was built 已构建控制台');
  say('starting headquarters 正在启动总部 …');
  programs.launch('hq', 'hq/main.ts', ['run'], {
    CORE_LISTEN: `127.0.0.1:${hubPort}`,
    CORE_DATA_DIR: state.hub,
    CORE_DOC_DIR: resolve(state.hub, 'kbdocs'),
    // The business system, and whoever listens for webhooks and notifications, are on this machine.
    CORE_DATASET_NETWORKS: '127.0.0.0/8',
    CORE_WEBHOOK_NETWORKS: '127.0.0.0/8',
    AGENT_CHANNEL_NETWORKS: '127.0.0.0/8',
    // Whose policy library the console shows.
    CORE_OPERATOR_TENANT: TENANT,
  });
  const hub = await programs.ready(hubUrl, 'hub');
  await joinSite(hub, state, { instance: INSTANCE, tenant: TENANT });
  await joinRules(hub, TENANT);
  await joinLibrary(hub, TENANT, { client, hubUrl, adminKey: state.adminKey('hub') });

  const sitePort = await portFor('the site', '站点', 8080);
  const siteUrl = `http://127.0.0.1:${sitePort}`;
  say('starting the site 正在启动站点 …');
  programs.launch('site', 'site/main.ts', ['run'], {
    CORE_LISTEN: `127.0.0.1:${sitePort}`,
    CORE_DATA_DIR: state.site,
    CORE_INSTANCE: INSTANCE,
    CORE_UPLINK_URL: hubUrl,
    CORE_UPLINK_KEY_REF: `file:${state.uplinkKeyFile}`,
    // The cameras are on this machine.
    CORE_FEEDBACK_NETWORKS: '127.0.0.0/8',
    // Pictures of what is less go up when somebody at headquarters asks for them.
    CORE_UPLINK_EVIDENCE: 'medium',
  });
  const site = await programs.ready(siteUrl, 'site');
  for (const camera of CAMERAS) await startCamera(programs, state, site, { siteUrl, tenant: TENANT, camera });

  await startBusiness(hub);

  const people = await joinPeople(hub, state, TENANT);
  const analyst = new Analyst(site, new Patience('the site 站点', say));
  say(guide({ state, stateDir: resolve(values['state-dir']), tenant: TENANT, siteUrl, hubUrl, people }));
  await programs.untilDeath(Promise.race([analyst.run(stopping.signal), summarise(site, hub, analyst)]));
}

/** The port that the README's commands name, unless another program has it: then that is said. */
async function portFor(what: string, whatZh: string, usual: number): Promise<number> {
  const port = await freePort(values['any-port'] ? 0 : usual);
  if (!values['any-port'] && port !== usual)
    say(
      `port ${usual} is taken by another program: ${what} listens at ${port}; commands of the README that ` +
        `name ${usual} reach that program\n端口 ${usual} 已被其他程序占用：${whatZh}改用 ${port}`,
    );
  return port;
}

async function startBusiness(hub: ApiClient): Promise<void> {
  const [port, keyFile] = [await freePort(0), state.businessKeyFile()];
  programs.launch('business', 'packaging/demo/business.ts', [
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
  ]);
  await joinBusiness(hub, {
    tenant: TENANT,
    url: `http://127.0.0.1:${port}`,
    secret: readFileSync(keyFile, 'utf8').trim(),
  });
}

/**
 * Keeps a second demonstration out of the same folder, where both would write the same store. The kernel
 * drops the lock however this process ends.
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
  const patience = new Patience('the summary 摘要', say);
  while (!stopping.signal.aborted) {
    await pause(Number(values['summary-seconds']) * 1000, stopping.signal);
    if (stopping.signal.aborted) return;
    const text = await patience.ask(() => summary(site, hub, INSTANCE, analyst));
    if (text !== null) say(text);
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
