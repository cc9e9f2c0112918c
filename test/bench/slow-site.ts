// A site whose disk takes 20 ms longer for each sync, for the bench; run like the program itself.
import { setTimeout as sleep } from 'node:timers/promises';
import { runProgram } from '../../common/program.ts';
import { startSite } from '../../site/app.ts';
import { readSiteConfig } from '../../site/config.ts';
import { diskSync } from '../../site/store/engine/sync.ts';

const SLOWER_BY_MS = 20;

process.exitCode = await runProgram('slow-site', process.argv.slice(2), {
  start: () =>
    startSite(readSiteConfig(), {
      sync: {
        ...diskSync,
        fdatasync: async (fd) => {
          await sleep(SLOWER_BY_MS);
          await diskSync.fdatasync(fd);
        },
      },
    }),
  command: () => Promise.resolve(2),
});
