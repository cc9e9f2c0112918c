import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const config = path.join(import.meta.dirname, 'support/hanging/vitest.config.ts');

/** Runs the file until what hangs in it is named; on a slow machine its loading may be named before. */
async function untilNamed(file: string, name: RegExp): Promise<void> {
  const child = spawn(process.execPath, [vitest, 'run', '--config', config, file], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    // Vitest starts workers, which end with it when the whole group is ended.
    detached: true,
  });
  const ended = once(child, 'exit');
  const output: string[] = [];
  try {
    for await (const line of createInterface(child.stderr)) {
      output.push(line);
      if (line.startsWith('still running') && name.test(line)) return;
    }
    throw new Error(`the run ended without naming it: ${output.join('\n')}`);
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    await ended;
  }
}

test.each([
  ['in-a-test', /: in-a-test\.hang\.ts > a suite > a test that waits for what never comes$/],
  ['in-a-hook', /: in-a-hook\.hang\.ts \(beforeAll\)$/],
  ['while-loading', /: while-loading\.hang\.ts \(loading\)$/],
])('what hangs %s is named while it hangs', async (file, name) => {
  await untilNamed(file, name);
});
