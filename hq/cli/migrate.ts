import { systemClock } from '../../common/clock.ts';
import { createLogger } from '../../common/log.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { openHubStore } from '../stores.ts';
import { commandMessages } from './command-messages.ts';
import type { HubContext } from './context.ts';
import { withDatabase } from './database.ts';

/** `migrate`: applies what is missing, as `run` does at its start. */
export async function migrate({ config, terminal, language }: HubContext): Promise<number> {
  const log = createLogger('fieldline-hq', config.logLevel);
  await withDatabase(config, log, async (url) => {
    const store = await openHubStore({ url, clock: systemClock, log, poolSize: config.databasePool });
    await store.close();
  });
  terminal.out(`${commandMessages[language].migrated}\n`);
  return EXIT.well;
}
