import { mkdirSync } from 'node:fs';
import type { Logger } from '../../common/log.ts';
import type { HubConfig } from '../config.ts';

/**
 * The database of a command that needs no running hub. Without DATABASE_URL the hub's own is started or
 * joined.
 */
export async function withDatabase<T>(
  config: HubConfig,
  log: Logger,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (config.databaseUrl !== null) return work(config.databaseUrl);
  const { startEmbeddedPostgres } = await import('../store/embedded/server.ts');
  mkdirSync(config.dataDir, { recursive: true, mode: 0o755 });
  const server = await startEmbeddedPostgres({
    dir: config.dataDir,
    log: { info: (text) => log.info(text), warn: (text) => log.warn(text) },
  });
  try {
    return await work(server.url);
  } finally {
    await server.stop();
  }
}
