// One Postgres for the whole run; tests take a database each with createDatabase() or createHubDatabase().
// And what is made for all files together once one of them asks for it: the programs with the console, what
// runs of them, the browser.
import type { TestProject } from 'vitest/node';
import { makers } from './makers.ts';
import { makeHubTemplate, startTestPostgres } from './postgres.ts';
import { takeScratch } from './scratch.ts';
import { serveOnDemand } from './served.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeScratch = await takeScratch();
  const server = await startTestPostgres();
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
