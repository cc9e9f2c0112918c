// The OCI image of headquarters, as its specification wants it: every part is found by its digest.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { imageConfig } from '../../packaging/image/config.ts';
import { archiveLayout, folderLayer, writeLayout } from '../../packaging/image/layout.ts';

interface Named {
  mediaType: string;
  digest: string;
  size: number;
  annotations?: Record<string, string>;
}
interface Config {
  config: { User: string; Entrypoint: string[]; Cmd: string[] };
  rootfs: { diff_ids: string[] };
}

const TIME = 1_790_000_000;
const CREATED = new Date(TIME * 1000).toISOString();
let dir: string;
beforeEach(() => void (dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-image-'))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const sha256 = (content: Buffer): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;

function make(folder: string, layers: Buffer[]): string {
  return writeLayout(folder, {
    tag: '1.2.3',
    layers,
    config: (digests) =>
      imageConfig({ architecture: 'amd64', version: '1.2.3', created: CREATED, layers: digests }),
  });
}

/** A part of the image, held to what names it. */
function partOf(folder: string, { digest, size }: Named): Buffer {
  const content = readFileSync(path.join(folder, 'blobs', ...digest.split(':')));
  expect([sha256(content), content.length]).toEqual([digest, size]);
  return content;
}

async function entriesOf(archive: Buffer): Promise<{ name: string; uid?: number; mode?: number }[]> {
  const found: { name: string; uid?: number; mode?: number }[] = [];
  const reading = Readable.from([archive]).pipe(extract());
  for await (const entry of reading) {
    found.push(entry.header);
    entry.resume();
  }
  return found;
}

test('index, manifest, configuration and layers lead to each other by their digests', async () => {
  const layers = [
    Buffer.from('the lowest layer'),
    await folderLayer(['/var/lib/x'], { owner: 7, time: TIME }),
  ];
  const digest = make(dir, layers);
  const read = <T>(content: Buffer): T => JSON.parse(content.toString()) as T;
  expect(read(readFileSync(path.join(dir, 'oci-layout')))).toEqual({ imageLayoutVersion: '1.0.0' });
  const { manifests } = read<{ manifests: Named[] }>(readFileSync(path.join(dir, 'index.json')));
  expect(manifests).toMatchObject([
    {
      digest,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      annotations: { 'org.opencontainers.image.ref.name': '1.2.3' },
    },
  ]);
  const manifest = read<{ config: Named; layers: Named[] }>(partOf(dir, manifests[0] as Named));
  const config = read<Config>(partOf(dir, manifest.config));
  expect(manifest.layers.map((layer) => gunzipSync(partOf(dir, layer)))).toEqual(layers);
  expect(config.rootfs.diff_ids).toEqual(layers.map(sha256));
  expect(config.config).toMatchObject({ User: '10001:10001', Cmd: ['run'] });
  // A shell as the first process would not hear of SIGTERM.
  expect(config.config.Entrypoint[0]).toBe('/usr/lib/fieldline-hq/node');
});

test('folders belong to the user of the hub and to nobody else', async () => {
  const layer = await folderLayer(['/var/lib/x', '/run/x'], { owner: 10_001, time: TIME });
  const entries = await entriesOf(layer);
  expect(entries).toMatchObject([
    { name: 'var/lib/x/', type: 'directory', uid: 10_001, gid: 10_001, mode: 0o750 },
    { name: 'run/x/', uid: 10_001 },
  ]);
});

test('two images of the same are the same to the byte, and the archive holds the whole layout', async () => {
  const layers = [Buffer.from('a layer')];
  const made = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const folder = path.join(dir, name);
      make(folder, layers);
      const archive = path.join(dir, `${name}.tar`);
      await archiveLayout(folder, archive, TIME);
      return readFileSync(archive);
    }),
  );
  const [first = Buffer.alloc(0), second] = made;
  expect(first.equals(second as Buffer)).toBe(true);
  const names = (await entriesOf(first)).map(({ name }) => name);
  const blobs = readdirSync(path.join(dir, 'a/blobs/sha256')).map((name) => `blobs/sha256/${name}`);
  expect(names.sort()).toEqual(['index.json', 'oci-layout', ...blobs].sort());
});
