// A site that kills itself at a point between an event and its acknowledgement: the file `kill-at` in its
// data directory names the point and how many times it is passed before, as `written 3`.
import { existsSync, readFileSync } from 'node:fs';
import type { AgentStep } from '../../common/agent/act/agent.ts';
import { runProgram } from '../../common/program.ts';
import { startSite } from '../../site/app.ts';
import { readSiteConfig } from '../../site/config.ts';

const [point = '', passes = '0'] = existsSync('kill-at') ? readFileSync('kill-at', 'utf8').split(' ') : [];
let passed = 0;
const agentSteps = (step: AgentStep): void => {
  if (step !== point) return;
  passed += 1;
  if (passed > Number(passes)) process.kill(process.pid, 'SIGKILL');
};

process.exitCode = await runProgram('agent-killed-site', process.argv.slice(2), {
  start: () => startSite(readSiteConfig(), { agentSteps }),
  command: () => Promise.resolve(2),
});
