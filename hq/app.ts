import { watchBackups } from '../common/core/run/backup-age.ts';
import { AppError } from '../common/http/error.ts';
import { Lifecycle } from '../common/lifecycle.ts';
import { createLogger } from '../common/log.ts';
import { version } from '../common/package.ts';
import { notifyServiceManager } from '../common/service-manager.ts';
import { agreeOnEvidence } from './compose/agreement.ts';
import { type Base, type HubOverrides, openBase } from './compose/base.ts';
import { createEvidence, createHubAgent, createHubCore, createRules } from './compose/core.ts';
import { dutyOf } from './compose/duty.ts';
import { createHubApp, openToCallers } from './compose/http.ts';
import { tellOtherDatabase } from './compose/known-database.ts';
import { mcpOf } from './compose/mcp.ts';
import { createModules } from './compose/modules.ts';
import { tellRestored } from './compose/restored.ts';
import { createSecretWatch } from './compose/secrets.ts';
import type { HubConfig } from './config.ts';
import { pushKeysOf } from './duty/push/keys.ts';
import { asStartError, isDamage } from './store/engine/errors.ts';
import type { HubStore } from './stores.ts';

export type { HubOverrides } from './compose/base.ts';

export interface Hub {
  url: string;
  store: HubStore;
  stop(): Promise<void>;
}

const STOP_WITHIN_MS = 15_000;

/** Puts the hub together and starts it; with `hq/compose/` the only composition root of the program. */
export async function startHub(config: HubConfig, overrides: HubOverrides = {}): Promise<Hub> {
  const log = overrides.log ?? createLogger('fieldline-hq', config.logLevel);
  const lifecycle = new Lifecycle(log, STOP_WITHIN_MS);
  try {
    return await compose(await openBase(config, { ...overrides, log }, lifecycle));
  } catch (error) {
    await lifecycle.stop();
    // What the start asks beside the store, such as an address or a file, speaks for itself.
    throw isDamage(error) || error instanceof AppError ? asStartError(error) : error;
  }
}

async function compose(base: Base): Promise<Hub> {
  const { config, log, lifecycle, store } = base;
  const ruleSet = createRules(base);
  const evidence = createEvidence(base);
  await agreeOnEvidence(base, evidence.files);
  await tellOtherDatabase(base);
  await tellRestored(base);
  const core = createHubCore(base, ruleSet, evidence);
  lifecycle.onStop('core', () => core.stop());
  const { modules, findPolicies } = await createModules(base, core, evidence);
  const agent = createHubAgent(base, core, ruleSet, findPolicies);
  modules.push(dutyOf(base, agent, await pushKeysOf(store.facts, base.secrets.masterKey)));
  const routes = () => [...core.routes, ...agent.routes, ...modules.flatMap((module) => module.routes)];
  if (config.mcp) modules.push(await mcpOf(base, routes));
  const app = createHubApp(base, { core, agent, modules });
  const secretWatch = createSecretWatch(base, core);

  await agent.begin();
  // Before anything comes: what an event means and what is done about it, the rules say. It is also the last
  // that needs the database, so that a hub which answers is not ended by an outage of it.
  await ruleSet.start();
  const { url } = await openToCallers(base, app);
  lifecycle.onStop('calls that wait', () => {
    core.release();
    for (const module of modules) module.release?.();
  });
  base.runs.begin(store.alarms, config.instance);
  watchBackups(base);
  core.start();
  secretWatch.loop.start();
  agent.start();
  for (const module of modules) module.start?.();
  const status = () => Promise.resolve(`serving at ${url}`);
  await notifyServiceManager(config, { store, lifecycle, log, status });
  const database = config.databaseUrl ? 'given' : 'embedded';
  log.info({ url, instance: config.instance, database, version }, 'hub is ready');
  return { url, store, stop: () => lifecycle.stop() };
}
