// What backups are written into and read out of: whole and unharmed, or refused.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type Header, pack } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Entry, readArchive, writeArchive } from '../../../common/archive.ts';

const NOW = 1_770_000_000_000;
const BLOCK = 512;
/** Written before a library was used: manifest.json, site.db of 700 octets x, secrets/empty. */
const OF_BEFORE =
  'H4sIAAAAAAAAA+3WQQrCMBAF0Kw9hfQA9SckDXibqilUSCuZERTx7qK76qKrpCrzNgPZ/Nn8MLEd+i4Q10caB5UHADTAa+JzAtop' +
  '7bQF4M3zXcO6Rq2RaZ+JM3GbFIpkfaFb1Y0ptlxt9X219DKiOOo51Idd1oyZ/mvj7bT/8MZC+l/CRYgftXR3/gGFfQpMmxBPfM2U' +
  'MXv/Ae/3n4P8/0IIkdUD7Kqe5QAQAAA=';

type Head = Partial<Header> & { name: string };

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-archive-'));
  file = path.join(dir, 'archive.tgz');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function contents(): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>();
  await readArchive(file, async (name, size, parts) => {
    const bytes = await buffer(parts);
    expect(bytes.length).toBe(size);
    found.set(name, bytes);
  });
  return found;
}

/** A gzipped tar of anything at all, written by the library. */
async function archiveOf(...entries: [Head, string][]): Promise<void> {
  const archive = pack();
  for (const [header, text] of entries) archive.entry(header, text);
  archive.finalize();
  writeFileSync(file, gzipSync(await buffer(archive as AsyncIterable<Buffer>)));
}

test('what goes in comes out, of any size, and only its owner may read it', async () => {
  const size = fc.oneof(
    fc.integer({ min: 0, max: 3 }).map((blocks) => blocks * BLOCK),
    fc.integer({ min: 0, max: 200_000 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ size, inFile: fc.boolean() }), { maxLength: 5 }), async (parts) => {
      rmSync(file, { force: true });
      const expected = new Map<string, Buffer>();
      const entries = parts.map(({ size: octets, inFile }, at): Entry => {
        const name = at % 2 === 0 ? `part-${at}.json` : `secrets/key_${at}`;
        const bytes = Buffer.from(Array.from({ length: octets }, (_, place) => 32 + ((place * 7 + at) % 90)));
        expected.set(name, bytes);
        if (!inFile) return { name, text: bytes.toString() };
        const source = path.join(dir, `source-${at}`);
        writeFileSync(source, bytes);
        return { name, file: source };
      });
      await writeArchive(file, entries, NOW);
      expect(await contents()).toEqual(expected);
      expect(statSync(file).mode & 0o777).toBe(0o600);
    }),
    { numRuns: 20 },
  );
});

test('an archive of the version before is read', async () => {
  writeFileSync(file, Buffer.from(OF_BEFORE, 'base64'));
  expect(await contents()).toEqual(
    new Map([
      ['manifest.json', Buffer.from('{"format":1}\n')],
      ['site.db', Buffer.alloc(700, 'x')],
      ['secrets/empty', Buffer.alloc(0)],
    ]),
  );
});

test('a file that is there is not written over; what cannot be read or has no safe name is an error', async () => {
  writeFileSync(file, 'mine');
  await expect(writeArchive(file, [{ name: 'a', text: 'x' }], NOW)).rejects.toMatchObject({ code: 'EEXIST' });
  expect(readFileSync(file, 'utf8')).toBe('mine');
  const other = (at: number): string => path.join(dir, `other-${at}`);
  await expect(
    writeArchive(other(0), [{ name: 'a', file: path.join(dir, 'missing') }], NOW),
  ).rejects.toMatchObject({ code: 'ENOENT' });
  for (const [at, name] of ['../a', '/a', 'a/b/c', 'a b', '', 'a..b', 'x'.repeat(100)].entries()) {
    await expect(writeArchive(other(at + 1), [{ name, text: 'x' }], NOW)).rejects.toThrow(
      'not a name for an archive',
    );
  }
  await expect(
    writeArchive(path.join(dir, 'no-folder', 'a'), [{ name: 'a', text: 'x' }], NOW),
  ).rejects.toMatchObject({ code: 'ENOENT' });
});

test('cut off anywhere, packed again or not, it is refused', async () => {
  await writeArchive(
    file,
    [
      { name: 'manifest.json', text: '{}' },
      { name: 'site.db', text: 'y'.repeat(1_500) },
    ],
    NOW,
  );
  const packed = readFileSync(file);
  const tar = gunzipSync(packed);
  const cuts = [
    ...Array.from({ length: 12 }, (_, at) => Math.floor((packed.length * at) / 12)),
    packed.length - 1,
  ].map((at) => packed.subarray(0, at));
  // Two files of one and of three blocks, each after a block of its own; then two blocks of zeros.
  const packedAgain = [0, 1, 100, BLOCK, 2 * BLOCK, 3 * BLOCK, 3 * BLOCK + 700, 6 * BLOCK, 6 * BLOCK + 1].map(
    (at) => gzipSync(tar.subarray(0, at)),
  );
  for (const [at, bytes] of [...cuts, ...packedAgain].entries()) {
    writeFileSync(file, bytes);
    await expect(contents(), `cut ${at}`).rejects.toThrow();
  }
  writeFileSync(file, gzipSync(tar));
  expect((await contents()).size).toBe(2);
});

test('links, folders, devices and names that lead elsewhere are refused, and not handed over', async () => {
  const odd: Head[] = [
    { name: '../evil' },
    { name: '/etc/evil' },
    { name: 'secrets/../../evil' },
    { name: 'a/b/c' },
    { name: 'x'.repeat(150) },
    { name: 'näme' },
    { name: 'site.db', type: 'symlink', linkname: '/etc/passwd' },
    { name: 'site.db', type: 'link', linkname: 'manifest.json' },
    { name: 'secrets', type: 'directory' },
    { name: 'site.db', type: 'fifo' },
    { name: 'site.db', type: 'character-device' },
  ];
  for (const header of odd) {
    await archiveOf([header, ''], [{ name: 'site.db' }, 'x']);
    const names: string[] = [];
    await expect(
      readArchive(file, (name) => Promise.resolve(void names.push(name))),
      JSON.stringify(header),
    ).rejects.toThrow('this is not an archive of this program');
    expect(names).toEqual([]);
  }
  writeFileSync(file, gzipSync(Buffer.alloc(4 * BLOCK, 'no tar')));
  await expect(contents()).rejects.toThrow();
  writeFileSync(file, 'no gzip');
  await expect(contents()).rejects.toThrow();
});

test('a size beyond 8 GiB is told as it is, and a size that is not there is refused', async () => {
  const size = 9_000_000_000;
  const archive = pack();
  archive.entry({ name: 'site.db', size }).write(Buffer.alloc(1_000));
  const { value: head } = (await archive[Symbol.asyncIterator]().next()) as { value: Buffer };
  writeFileSync(file, gzipSync(Buffer.concat([head, Buffer.alloc(2_000)])));
  const told: number[] = [];
  await expect(
    readArchive(file, async (_, octets, parts) => {
      told.push(octets);
      await buffer(parts);
    }),
  ).rejects.toThrow();
  expect(told).toEqual([size]);
});

test('an error of the function that takes the entries is passed on', async () => {
  await writeArchive(file, [{ name: 'a', text: 'x'.repeat(500_000) }], NOW);
  await expect(readArchive(file, () => Promise.reject(new Error('the disk is full')))).rejects.toThrow(
    'the disk is full',
  );
});
