import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const config = path.join(import.meta.dirname, 'support/hanging/vitest.config.ts');

/** Runs the file until it is named as hanging. @returns the line that names it */
async function firstNamed(file: string): Promise<string> {
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
      if (line.startsWith('still running')) return line;
    }
    throw new Error(`the run ended without naming anything: ${output.join('\n')}`);
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
  expect(await firstNamed(file)).toMatch(name);
});
