import { runProgram } from '../common/program.ts';
import { startSite } from './app.ts';
import { readSiteConfig } from './config.ts';
import { keepMemorySmall } from './memory.ts';

process.exitCode = await runProgram('fieldline-site', process.argv.slice(2), {
  start: async () => {
    keepMemorySmall();
    const site = await startSite(readSiteConfig());
    return { stop: () => site.stop(), failed: site.failed };
  },
  command: async (argv) => {
    const { runCommand } = await import('./cli/main.ts');
    return runCommand(argv, readSiteConfig());
  },
});
