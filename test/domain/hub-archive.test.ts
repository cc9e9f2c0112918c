// What memory and disk hold of a backup that is read, at both programs.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readArchive, writeArchive } from '../../common/archive.ts';
import { DUMP } from '../../hq/backup/manifest.ts';
import { readWhole } from '../../hq/backup/whole.ts';
import { restore } from '../../site/backup/restore.ts';
import { archiveBomb, header, plainFile, type Said } from '../support/bombs.ts';

let dir: string;
beforeAll(() => void (dir = mkdtempSync(path.join(tmpdir(), 'hub-archive-'))));
afterAll(() => rmSync(dir, { recursive: true }));

const MB = 1024 * 1024;

const bomb = (name: string, said: Said, bytes: number, before: Buffer[] = []): string =>
  archiveBomb(path.join(dir, name), said, bytes, before);

const toSite = (source: string): Promise<unknown> => {
  const dataDir = mkdtempSync(path.join(dir, 'site-'));
  return restore({ dataDir, source, now: 0 }).finally(() =>
    expect(readdirSync(dataDir).filter((name) => name !== 'site.lock')).toEqual([]),
  );
};

test('a manifest that unpacks to more than any that is written is refused before it is held', async () => {
  const file = path.join(dir, 'bomb.tar.gz');
  await writeArchive(file, [{ name: 'manifest.json', text: ' '.repeat(17 * MB) }], 0);
  await expect(readWhole(file, dir)).rejects.toThrow(/manifest\.json is larger than any that is written/);
  await expect(toSite(file)).rejects.toThrow(/manifest\.json is larger than any that is written/);
});

describe('a store that says to be larger than the disk', () => {
  const PETABYTE = 10 ** 15 / 4;

  test('is refused at a site before a byte of it is written', async () => {
    const file = bomb('store.tar.gz', { name: 'site.db', size: PETABYTE }, 64 * MB);
    await expect(toSite(file)).rejects.toThrow(/needs 238418580 MB in the data folder, and \d+ MB are free/);
  });

  test('is refused at headquarters too', async () => {
    const manifest = JSON.stringify({
      program: 'fieldline-hq',
      format: 1,
      version: '1',
      instance: 'hq',
      at: 'now',
      migrations: [],
      tables: [],
      dump: { sha256: 'a', tool: '18' },
      sequences: [],
      masterKey: 'a',
      secrets: [],
    });
    const said = { name: DUMP, size: PETABYTE };
    const file = bomb('dump.tar.gz', said, 64 * MB, await plainFile('manifest.json', manifest));
    const into = mkdtempSync(path.join(dir, 'hub-'));
    await expect(readWhole(file, into)).rejects.toThrow(/needs 238418580 MB in .*, and \d+ MB are free/);
    expect(readdirSync(into)).toEqual([]);
  });
});

test.each(['x', 'g', 'L', 'K'])('attributes of kind %s without end are not gathered', async (kind) => {
  const file = bomb('attributes.tar.gz', { name: 'a', size: 8 * 1024 * MB, kind }, 512 * MB);
  const before = process.memoryUsage.rss();
  let most = before;
  const looking = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
  await expect(toSite(file)).rejects.toThrow(/this is not an archive of this program/);
  await expect(readWhole(file, dir)).rejects.toThrow(/this is not an archive of this program/);
  clearInterval(looking);
  expect(most - before).toBeLessThan(256 * MB);
});

test('files without number, one name twice and a header with a size in two readings are refused', async () => {
  const many = path.join(dir, 'many.tar.gz');
  const entries = Array.from({ length: 10_001 }, (_, at) => ({ name: `secrets/${at}`, text: '' }));
  await writeArchive(many, entries, 0);
  await expect(toSite(many)).rejects.toThrow(/not an archive of this program/);

  const twice = path.join(dir, 'twice.tar.gz');
  await writeArchive(
    twice,
    [1, 2].map(() => ({ name: 'site.db', text: 'x' })),
    0,
  );
  await expect(toSite(twice)).rejects.toThrow(/EEXIST/);

  const odd = bomb('odd.tar.gz', { name: 'site.db', size: 512, kind: '0' }, 512, [
    Buffer.concat([header({ name: 'site.db', size: 0 }).fill(' 7 1', 124, 135)]),
  ]);
  await expect(readArchive(odd, () => Promise.resolve())).rejects.toThrow();
});
