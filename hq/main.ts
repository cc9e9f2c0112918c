import { environment } from '../common/config.ts';
import { runProgram } from '../common/program.ts';
import { boundYoungGeneration } from '../common/young-generation.ts';
import { readHubConfig } from './config.ts';

/**
 * Both halves. A hub to which a thousand sites bring a million events at once takes 420 MB so, and
 * 461 MB with twice as much, for some 5 % more events a second.
 */
const YOUNG_BYTES = 32 * 1024 * 1024;

process.exitCode = await runProgram('fieldline-hq', process.argv.slice(2), {
  // Loaded only by who runs it: a command at the terminal should not wait for all of it.
  start: async () => {
    boundYoungGeneration(YOUNG_BYTES);
    const config = readHubConfig();
    const { startHub } = await import('./app.ts');
    return startHub(config);
  },
  command: async (argv) => {
    const { runCommand } = await import('./cli/main.ts');
    return runCommand(argv, { env: environment, readConfig: readHubConfig });
  },
});
