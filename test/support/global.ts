// One Postgres for the whole run; tests take a database each with createDatabase().
import type { TestProject } from 'vitest/node';
import { startTestPostgres } from './postgres.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestPostgres();
  project.provide('postgresUrl', server.url);
  return server.stop;
}
