import { systemClock } from '../../common/clock.ts';
import { createLogger } from '../../common/log.ts';
import type { Terminal } from '../../common/terminal/command.ts';
import type { HubConfig } from '../config.ts';
import { openHubStore } from '../stores.ts';

/** `migrate`: applies what is missing, as `run` does at its start. */
export async function migrateCommand(config: HubConfig, terminal: Terminal): Promise<number> {
  const log = createLogger('fieldline-hq', config.logLevel);
  const server = config.databaseUrl
    ? null
    : await (
        await import('../store/embedded/server.ts')
      ).startEmbeddedPostgres({
        dir: config.dataDir,
        log: { info: (text) => log.info(text), warn: (text) => log.warn(text) },
      });
  try {
    const store = await openHubStore({
      url: config.databaseUrl ?? server?.url ?? '',
      clock: systemClock,
      log,
      poolSize: config.databasePool,
    });
    await store.close();
    terminal.out('The database is at this version.\n');
    return 0;
  } finally {
    await server?.stop();
  }
}
