import type http from 'node:http';
import { join } from 'node:path';
import type { AgentModule } from '../../common/agent/create.ts';
import { ConnectionAlarm } from '../../common/core/alarm/connection-alarm.ts';
import type { Core } from '../../common/core/core.ts';
import { intakeDoc } from '../../common/core/event/routes.ts';
import { operationRoutes, type ProgramDescription } from '../../common/core/operation/routes.ts';
import { readLastBackup } from '../../common/core/run/last-backup.ts';
import { openAdminSocket } from '../../common/http/admin-socket.ts';
import { createHttpApp } from '../../common/http/app.ts';
import { Authenticator } from '../../common/http/auth.ts';
import { BodyBudget, bodyMetrics, HUB_BODIES } from '../../common/http/body/budget.ts';
import { ConnectionCounts, connectionMetrics } from '../../common/http/connections.ts';
import { listen } from '../../common/http/listen.ts';
import { AnswerCounts, answerMetrics } from '../../common/http/middleware/access-log.ts';
import type { Route } from '../../common/http/route.ts';
import { readTls } from '../../common/http/signing/credentials.ts';
import type { Metric } from '../../common/metrics.ts';
import { commit, version } from '../../common/package.ts';
import { Forms } from '../form/forms.ts';
import { UploadFolder } from '../form/upload-folder.ts';
import { CATALOGUE } from '../integration/catalogue.ts';
import { openErrors } from '../integration/envelope.ts';
import { sha256 } from '../integration/token/service.ts';
import { consoleFolder } from '../page/built.ts';
import { consolePages } from '../page/pages.ts';
import { asDamageError } from '../store/engine/errors.ts';
import type { Base, HubModule } from './base.ts';
import { HUB_ERRORS, HUB_FIELDS } from './texts.ts';

/**
 * Sites, consumers and browsers of the whole enterprise, often behind one proxy. A site keeps one connection
 * for what it sends and one for a held call.
 */
const CONNECTIONS = 10_240;

/** What the description of the API says beside its routes. */
export const DESCRIBED: ProgramDescription = {
  role: 'hq',
  version,
  webhooks: CATALOGUE,
  bodies: new Map([['POST /api/core/events', intakeDoc]]),
  fields: HUB_FIELDS,
};

/** The parts of the hub that answer requests. */
export interface Served {
  core: Core;
  agent: AgentModule;
  modules: readonly HubModule[];
}

/** The request handler, and who is connected to it. */
export interface App {
  handle: http.RequestListener;
  connections: ConnectionCounts;
}

/** The request handler of the hub. */
export function createHubApp(base: Base, served: Served): App {
  const { config, adminKeys, clock, log } = base;
  const { core, agent, modules } = served;
  const bodies = new BodyBudget(HUB_BODIES);
  const answers = new AnswerCounts();
  const connections = new ConnectionCounts();
  const metrics = [
    ...bodyMetrics(bodies),
    ...answerMetrics(answers),
    ...connectionMetrics(connections),
    ...core.metrics,
    ...base.runs.metrics,
    ...agent.metrics,
    ...modules.flatMap((module) => module.metrics),
  ];
  const uploads = new UploadFolder(join(config.dataDir, 'uploads-incoming'));
  // Files are as old as their own clock says, whatever the injected one.
  uploads.sweep(Date.now());
  const routes = hubRoutes(base, served, metrics);
  const handle = createHttpApp({
    routes,
    pages: consolePages(base.overrides.consoleFolder ?? consoleFolder(), routes),
    log,
    bodies,
    answers,
    forms: new Forms(uploads),
    errorForms: [openErrors],
    errorTexts: HUB_ERRORS,
    storeError: asDamageError,
    retries: { port: base.store.retries, clock },
    trustedProxies: config.trustedProxies,
    authenticator: new Authenticator({
      adminKeys,
      refusals: core.adminKeyRefusals,
      trustedProxies: config.trustedProxies,
      keys: core.keys,
      sessions: core.sessions,
      clients: { ofToken: (token) => base.store.integration.tokens.client(sha256(token), clock.now()) },
      clock,
    }),
  });
  return { handle, connections };
}

/**
 * Whatever a caller who is known posts as a whole. What sites bring has keys of its own, and a session that
 * is ended or given another password is not there to ask again.
 */
const withRetryKey = (route: Route): Route =>
  route.method !== 'POST' ||
  route.stream === true ||
  route.files !== undefined ||
  route.permission === 'self' ||
  route.access.some((way) => way === 'public' || way === 'site' || way === 'node')
    ? route
    : { ...route, retryKey: true };

/** Every route of the hub. */
export function hubRoutes(base: Base, { core, agent, modules }: Served, metrics: Metric[]): Route[] {
  const { config, store } = base;
  const routes = [...core.routes, ...agent.routes, ...modules.flatMap((module) => module.routes)].map(
    withRetryKey,
  );
  routes.push(
    ...operationRoutes({
      service: 'fieldline-hq',
      commit,
      described: DESCRIBED,
      instance: config.instance,
      epoch: () => store.epoch(),
      kbQueryEmbed: config.embed !== null,
      probe: () => store.probe(),
      metrics,
      runs: base.runs,
      lastBackup: () => readLastBackup(config.dataDir),
      allRoutes: () => routes,
      metricsNetworks: config.metricsNetworks,
    }),
  );
  return routes;
}

/**
 * Listens on the network and on the socket of this machine.
 * @returns the address for callers on this machine
 */
export async function openToCallers(
  base: Base,
  { handle, connections: counts }: App,
): Promise<{ url: string }> {
  const { config, log, lifecycle } = base;
  const tls = readTls(config.tls, config.secrets);
  const listening = await listen(handle, {
    at: config.listen,
    connections: CONNECTIONS,
    counts,
    ...(tls ? { tls } : {}),
  });
  lifecycle.onStop('http', () => listening.close());
  const { alarms } = base.store;
  const { loop } = new ConnectionAlarm({
    ...{ counts, alarms, instance: config.instance, clock: base.clock, log: base.log },
  });
  lifecycle.onStop('connections', () => loop.stop());
  loop.start();
  const { adminSocket } = config;
  if (!(await openAdminSocket(adminSocket, handle, lifecycle)))
    log.info({ adminSocket }, 'another process of this hub has the local socket');
  const host = config.listen.host === '0.0.0.0' ? '127.0.0.1' : config.listen.host;
  return { url: `${tls ? 'https' : 'http'}://${host}:${listening.port}` };
}
