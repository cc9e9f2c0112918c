import { systemClock } from '../../common/clock.ts';
import { createLogger } from '../../common/log.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { openHubStore } from '../stores.ts';
import { commandMessages } from './command-messages.ts';
import type { HubContext } from './context.ts';

/** `migrate`: applies what is missing, as `run` does at its start. */
export async function migrate({ config, terminal, language }: HubContext): Promise<number> {
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
    terminal.out(`${commandMessages[language].migrated}\n`);
    return EXIT.well;
  } finally {
    await server?.stop();
  }
}
