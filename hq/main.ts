import { runProgram } from '../common/program.ts';
import { startHub } from './app.ts';
import { readHubConfig } from './config.ts';

process.exitCode = await runProgram('fieldline-hq', process.argv.slice(2), {
  start: () => startHub(readHubConfig()),
  command: async (argv) => {
    const { runCommand } = await import('./cli/main.ts');
    return runCommand(argv, readHubConfig());
  },
});
