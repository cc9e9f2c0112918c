// Whether the folder of evidence files is the one that they were stored in, on a real file system.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EvidenceVolume } from '../../common/core/evidence/volume.ts';

let root: string;
let dir: string;
let mark: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'fieldline-volume-'));
  dir = path.join(root, 'evidence');
  mark = path.join(dir, '.fieldline-evidence');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const UNAVAILABLE = { status: 503, code: 'evidence_unavailable', retryAfterSeconds: 30 };
const another = { ...UNAVAILABLE, message: expect.stringContaining('is not the one') as string };
const unreadable = { ...UNAVAILABLE, message: expect.stringContaining('cannot be read') as string };

test('a folder is used while it shows its mark, and again when it is back', async () => {
  const volume = new EvidenceVolume(dir);
  await volume.require();
  renameSync(dir, `${dir}.away`);
  await expect(volume.require()).rejects.toMatchObject(another);
  mkdirSync(dir);
  await expect(volume.require()).rejects.toMatchObject(another);
  rmSync(dir, { recursive: true });
  renameSync(`${dir}.away`, dir);
  await volume.require();
});

test.each([
  ['a folder', () => mkdirSync(mark)],
  ['a link to itself', () => symlinkSync(mark, mark)],
])('a mark that cannot be read, as %s, is not taken for another folder', async (_, spoil) => {
  const volume = new EvidenceVolume(dir);
  renameSync(mark, `${mark}.away`);
  spoil();
  await expect(volume.require()).rejects.toMatchObject(unreadable);
  expect([await volume.present(), volume.presentNow()]).toEqual([false, false]);
  expect(new EvidenceVolume(dir).presentNow()).toBe(false);
  rmSync(mark, { recursive: true });
  renameSync(`${mark}.away`, mark);
  await volume.require();
});

test('a note that cannot be read does not make the folder marked anew', () => {
  new EvidenceVolume(dir);
  const known = readFileSync(mark, 'utf8');
  rmSync(`${dir}.mark`);
  mkdirSync(`${dir}.mark`);
  expect(() => new EvidenceVolume(dir)).toThrow('EISDIR');
  expect(readFileSync(mark, 'utf8')).toBe(known);
});
