// What this user may not look at is not called missing.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isThere } from '../../common/terminal/there.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-there-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

test('a file, a folder, and what is neither', () => {
  writeFileSync(path.join(dir, 'file'), '');
  mkdirSync(path.join(dir, 'folder'));
  const looked = ['file', 'folder', 'gone', 'gone/below', 'file/below'].map((name) =>
    isThere(path.join(dir, name)),
  );
  expect(looked).toEqual([true, true, false, false, false]);
});

test('what cannot be looked at is said by the system', () => {
  symlinkSync('loop', path.join(dir, 'loop'));
  expect(() => isThere(path.join(dir, 'loop'))).toThrow(/ELOOP/);
});
