// One Postgres for the whole run; tests take a database each with createDatabase() or createHubDatabase().
// And the programs with the console, built once before tests of many workers ask for them; and what is
// started for all files together once one of them asks for it.
import type { TestProject } from 'vitest/node';
import { makers } from './makers.ts';
import { serveOnDemand } from './on-demand.ts';
import { makeHubTemplate, startTestPostgres } from './postgres.ts';
import { buildPrograms } from './programs.ts';
import { takeScratch } from './scratch.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeScratch = await takeScratch();
  const [server] = await Promise.all([startTestPostgres(), buildPrograms()]);
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
