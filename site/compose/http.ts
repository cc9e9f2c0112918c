import type http from 'node:http';
import type { AgentModule } from '../../common/agent/create.ts';
import { ConnectionAlarm } from '../../common/core/alarm/connection-alarm.ts';
import type { Core } from '../../common/core/core.ts';
import { intakeDoc } from '../../common/core/event/routes.ts';
import { operationRoutes, type ProgramDescription } from '../../common/core/operation/routes.ts';
import { readLastBackup } from '../../common/core/run/last-backup.ts';
import { openAdminSocket } from '../../common/http/admin-socket.ts';
import { createHttpApp } from '../../common/http/app.ts';
import { Authenticator } from '../../common/http/auth.ts';
import { BodyBudget, bodyMetrics, SITE_BODIES } from '../../common/http/body/budget.ts';
import { ConnectionCounts, connectionMetrics } from '../../common/http/connections.ts';
import { listen } from '../../common/http/listen.ts';
import { AnswerCounts, answerMetrics } from '../../common/http/middleware/access-log.ts';
import type { Route } from '../../common/http/route.ts';
import { readTls } from '../../common/http/signing/credentials.ts';
import type { Metric } from '../../common/metrics.ts';
import { commit, version } from '../../common/package.ts';
import { siteAddresses } from '../addresses.ts';
import { deviceFields } from '../intake/api-texts.ts';
import { loginCodeRoute } from '../login/routes.ts';
import { libraryErrors, libraryFields } from '../policy/api-texts.ts';
import { libraryRoutes } from '../policy/routes.ts';
import type { LibrarySearch } from '../policy/search.ts';
import { siteMetrics } from '../status/metrics.ts';
import type { Operations } from '../status/operations.ts';
import { asDamageError } from '../store/health/fault.ts';
import { uplinkErrors, uplinkFields } from '../uplink/api-texts.ts';
import { ParkedService } from '../uplink/parked.ts';
import { siteUplinkRoutes } from '../uplink/routes.ts';
import type { StatusOptions } from '../uplink/status.ts';
import type { Base } from './base.ts';
import type { Devices } from './devices.ts';

/** What the description of the API says beside its routes. */
const DESCRIBED: ProgramDescription = {
  role: 'site',
  version,
  bodies: new Map([['POST /api/core/events', intakeDoc]]),
  fields: { ...deviceFields, ...uplinkFields, ...libraryFields },
};

/** The parts of a site that answer requests. */
export interface Served {
  core: Core;
  agent: AgentModule;
  operations: Operations;
  devices: Devices;
  uplink: StatusOptions;
  library: LibrarySearch;
}

/** The request handler, and who is connected to it. */
export interface App {
  handle: http.RequestListener;
  connections: ConnectionCounts;
}

/** The request handler of the site. */
export function createSiteApp(base: Base, served: Served): App {
  const { config, adminKeys, clock, log } = base;
  const { core } = served;
  const bodies = new BodyBudget(SITE_BODIES);
  const answers = new AnswerCounts();
  const connections = new ConnectionCounts();
  const metrics = [
    ...bodyMetrics(bodies),
    ...answerMetrics(answers),
    ...connectionMetrics(connections),
    ...metricsOf(base, served),
  ];
  const authenticator = new Authenticator({
    adminKeys,
    refusals: core.adminKeyRefusals,
    trustedProxies: config.trustedProxies,
    keys: core.keys,
    sessions: core.sessions,
    clock,
  });
  const handle = createHttpApp({
    errorTexts: { ...uplinkErrors, ...libraryErrors },
    storeError: asDamageError,
    routes: routesOf(base, served, metrics, bodies),
    log,
    bodies,
    answers,
    trustedProxies: config.trustedProxies,
    authenticator,
  });
  return { handle, connections };
}

function routesOf(base: Base, served: Served, metrics: Metric[], bodies: BodyBudget): Route[] {
  const { core, agent, operations, uplink, devices, library } = served;
  const { config, store, clock, loginCodes } = base;
  const parked = new ParkedService({ uplink: store.uplink, sender: uplink.sender, clock });
  const routes = [
    ...operations.guarded(core.routes),
    ...operations.routes(uplink),
    ...agent.routes,
    ...devices.routes(bodies),
    ...siteUplinkRoutes(uplink, parked),
    ...libraryRoutes(library, store.libraries),
    loginCodeRoute(loginCodes, () => siteAddresses(config)),
  ];
  routes.push(
    ...operationRoutes({
      service: 'fieldline-site',
      commit,
      described: DESCRIBED,
      instance: config.instance,
      epoch: () => store.epoch(),
      kbQueryEmbed: false,
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

function metricsOf({ store, runs }: Base, { core, agent, operations, uplink, devices }: Served): Metric[] {
  return [
    ...core.metrics,
    ...runs.metrics,
    ...agent.metrics,
    ...siteMetrics(store, uplink),
    ...operations.metrics,
    ...devices.metrics,
  ];
}

/**
 * Listens on the network and on the socket of this machine.
 * @returns the address for callers on this machine
 */
export async function openToCallers(
  base: Base,
  { handle, connections: counts }: App,
): Promise<{ url: string }> {
  const { config, lifecycle } = base;
  const tls = readTls(config.tls, config.secrets);
  const listening = await listen(handle, { at: config.listen, counts, ...(tls ? { tls } : {}) });
  lifecycle.onStop('http', () => listening.close());
  const { alarms } = base.store;
  const { loop } = new ConnectionAlarm({
    ...{ counts, alarms, instance: config.instance, clock: base.clock, log: base.log },
  });
  lifecycle.onStop('connections', () => loop.stop());
  loop.start();
  await openAdminSocket(config.adminSocket, handle, lifecycle);
  const host = config.listen.host === '0.0.0.0' ? '127.0.0.1' : config.listen.host;
  return { url: `${tls ? 'https' : 'http'}://${host}:${listening.port}` };
}
