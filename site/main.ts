import { environment } from '../common/config.ts';
import { runProgram } from '../common/program.ts';
import { readSiteConfig } from './config.ts';
import { keepMemorySmall } from './memory.ts';

process.exitCode = await runProgram('fieldline-site', process.argv.slice(2), {
  // Loaded only by who runs it: a command at the terminal should not wait for all of it.
  start: async () => {
    keepMemorySmall();
    const { startSite } = await import('./app.ts');
    const site = await startSite(readSiteConfig());
    return { stop: () => site.stop(), failed: site.failed };
  },
  command: async (argv) => {
    const { runCommand } = await import('./cli/main.ts');
    return runCommand(argv, { env: environment, readConfig: readSiteConfig });
  },
});
