// The ports of the demonstration's cameras: kept from start to start, and never one for two.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DemoState } from '../../packaging/demo/state.ts';
import { freePort } from '../support/process.ts';

test('two cameras that an earlier start gave one port have two from now on, and keep them', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'fieldline-demo-ports-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const port = await freePort();
  const file = path.join(folder, 'demo-ports.json');
  writeFileSync(file, JSON.stringify({ busy: port, quiet: port }));
  const state = new DemoState(folder);
  const busy = await state.feedbackPort('busy');
  const quiet = await state.feedbackPort('quiet');
  expect(busy).toBe(port);
  expect(quiet).not.toBe(busy);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ busy, quiet });
});
