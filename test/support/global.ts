// One Postgres for the whole run; tests take a database each with createDatabase(). And the console, built
// once before tests of many workers ask for it.
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { startTestPostgres } from './postgres.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [server] = await Promise.all([startTestPostgres(), buildConsole()]);
  project.provide('postgresUrl', server.url);
  return server.stop;
}

/** In a process of its own: the builder is large, and this one lives as long as the tests. */
async function buildConsole(): Promise<void> {
  const build = path.resolve(import.meta.dirname, '../../packaging/console/build.ts');
  await promisify(execFile)(process.execPath, [build]);
}
