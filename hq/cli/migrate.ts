import path from 'node:path';
import { systemClock } from '../../common/clock.ts';
import { EvidenceFiles } from '../../common/core/evidence/files.ts';
import { createLogger } from '../../common/log.ts';
import { sayer } from '../../common/message.ts';
import { readSecret } from '../../common/secret/secret.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import type { HubConfig } from '../config.ts';
import { markOf } from '../policy/original/marked.ts';
import { openPlace } from '../policy/original/open.ts';
import { masterKeyOf, replaceMasterKey } from '../store/agreement.ts';
import { openHubStore } from '../stores.ts';
import { commandMessages } from './command-messages.ts';
import type { HubContext } from './context.ts';
import { withDatabase } from './database.ts';

interface MigrateOptions {
  'new-master-key'?: boolean;
  'new-evidence-folder'?: boolean;
  'new-originals'?: boolean;
}

/** `migrate`: applies what is missing, as `run` does at its start. */
export async function migrate(typed: MigrateOptions, context: HubContext): Promise<number> {
  const { config, terminal, language } = context;
  const log = createLogger('fieldline-hq', config.logLevel);
  await withDatabase(config, log, async (url) => {
    const store = await openHubStore({ url, clock: systemClock, log, poolSize: config.databasePool });
    try {
      if (typed['new-master-key'])
        await replaceMasterKey(store, masterKeyOf(readSecret(referenceOf(config), config.secrets)));
      if (typed['new-evidence-folder'])
        await store.facts.replace(
          'evidence_mark',
          new EvidenceFiles(path.join(config.dataDir, 'evidence')).mark,
        );
      if (typed['new-originals']) {
        const place = await openPlace(config.originals, config.secrets);
        await store.facts.replace('originals_mark', await markOf(place));
        place.close();
      }
    } finally {
      await store.close();
    }
  });
  terminal.out(`${sayer(commandMessages, language)('migrated')}\n`);
  return EXIT.well;
}

const referenceOf = ({ masterKeyRef, dataDir }: HubConfig): string =>
  masterKeyRef ?? `file:${path.join(dataDir, 'secrets', 'master-key')}`;
