// One Postgres for the whole run; tests take a database each with createDatabase() or createHubDatabase().
// And the programs with the console, built once before tests of many workers ask for them.
import type { TestProject } from 'vitest/node';
import { makeHubTemplate, startTestPostgres } from './postgres.ts';
import { buildPrograms } from './programs.ts';
import { takeScratch } from './scratch.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const removeScratch = await takeScratch();
  const [server] = await Promise.all([startTestPostgres(), buildPrograms()]);
  project.provide('postgresUrl', server.url);
  project.provide('hubTemplate', await makeHubTemplate(server.url));
  return async () => {
    await server.stop();
    removeScratch();
  };
}
