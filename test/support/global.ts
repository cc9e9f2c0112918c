// One Postgres for the whole run; tests take a database each with createDatabase() or createHubDatabase().
// And the programs with the console, built once; and what is made for all files together when one of them
// asks for it: what runs of the programs, the browser.
import type { TestProject } from 'vitest/node';
import { makers } from './makers.ts';
import { makeHubTemplate, startTestPostgres } from './postgres.ts';
import { programsBuilt } from './programs.ts';
import { takeScratch } from './scratch.ts';
import { serveOnDemand } from './served.ts';

/** Hubs of all workers share the server, each with up to sixteen connections; some tests have five. */
const MOST_CONNECTIONS = '250';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeScratch = await takeScratch();
  // Before any test begins: on a machine under load the build takes longer than a test has.
  const [server] = await Promise.all([
    startTestPostgres({ max_connections: MOST_CONNECTIONS }),
    programsBuilt(),
  ]);
  project.provide('postgresUrl', server.url);
  const template = await makeHubTemplate(server.url);
  project.provide('hubTemplate', template);
  const onDemand = await serveOnDemand(makers(server.url, template));
  project.provide('onDemandUrl', onDemand.url);
  return async () => {
    await onDemand.close();
    await server.stop();
    removeScratch();
  };
}
