// A site that kills itself at a step of keeping an evidence file while the file `kill-at` in its data
// directory names that step.
import { readFileSync } from 'node:fs';
import { runProgram } from '../../common/program.ts';
import { startSite } from '../../site/app.ts';
import { readSiteConfig } from '../../site/config.ts';

const killIn = (step: string) => (): Promise<void> => {
  if (readFileSync('kill-at', 'utf8') === step) process.kill(process.pid, 'SIGKILL');
  return Promise.resolve();
};

process.exitCode = await runProgram('evidence-killed-site', process.argv.slice(2), {
  start: () =>
    startSite(readSiteConfig(), {
      fileSteps: { beforeRename: killIn('before rename'), afterRename: killIn('after rename') },
    }),
  command: () => Promise.resolve(2),
});
