import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../common/clock.ts';
import { describeProgram } from '../../common/core/operation/routes.ts';
import { Runs } from '../../common/core/run/runs.ts';
import { Lifecycle } from '../../common/lifecycle.ts';
import { silentLogger } from '../../common/log.ts';
import { newSecret } from '../../common/secret/secret.ts';
import { PasswordHasher } from '../auth/password.ts';
import { readHubConfig } from '../config.ts';
import { unopenedHubStore } from '../stores.ts';
import { baseOf } from './base.ts';
import { createEvidence, createHubAgent, createHubCore, createRules } from './core.ts';
import { dutyOf } from './duty.ts';
import { DESCRIBED, hubRoutes } from './http.ts';
import { createModules } from './modules.ts';

/** Nothing listens there, and nothing is asked of it. */
const NOWHERE = 'postgresql://127.0.0.1:1/none';

/**
 * The OpenAPI description of the hub as `/openapi.json` has it, without a hub that runs: no database and no
 * port is touched, and its folder is gone afterwards.
 */
export async function describeHub(): Promise<Record<string, unknown>> {
  const folder = mkdtempSync(join(tmpdir(), 'fieldline-description-'));
  const config = readHubConfig({ DATABASE_URL: NOWHERE, CORE_DATA_DIR: folder });
  const [clock, log] = [systemClock, silentLogger()];
  const lifecycle = new Lifecycle(log);
  const store = unopenedHubStore({ url: NOWHERE, clock, log });
  lifecycle.onStop('folder', () => rmSync(folder, { recursive: true }));
  lifecycle.onStop('store', () => store.close());
  const parts = {
    overrides: {},
    clock,
    log,
    lifecycle,
    runs: new Runs({ dir: folder, clock, log }),
    databaseUrl: NOWHERE,
    store,
    hasher: new PasswordHasher(),
  };
  const base = baseOf(config, parts, { adminKey: newSecret('fla_'), masterKey: randomBytes(32) });
  try {
    const ruleSet = createRules(base);
    const evidence = createEvidence(base);
    const core = createHubCore(base, ruleSet, evidence);
    lifecycle.onStop('core', () => core.stop());
    const { modules, findPolicies } = await createModules(base, core, evidence);
    const agent = createHubAgent(base, core, ruleSet, findPolicies);
    modules.push(dutyOf(base, agent, { publicKey: '', privateKey: '' }));
    return describeProgram(hubRoutes(base, { core, agent, modules }, []), DESCRIBED);
  } finally {
    await lifecycle.stop();
  }
}
