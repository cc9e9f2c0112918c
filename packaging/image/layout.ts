// An image as a folder of files that are named by their digests: the OCI image layout. Such a folder, or the
// archive of it, is what podman, skopeo and umoci read.
import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

interface Blob {
  mediaType: string;
  digest: string;
  size: number;
}

export interface Image {
  /** Name of the image in the layout. */
  tag: string;
  /** Archives, lowest first. */
  layers: readonly Buffer[];
  /** @param layers sha256 of each */
  config: (layers: readonly string[]) => object;
}

const TYPE = 'application/vnd.oci.image';

/** Makes the folder anew. @returns the digest of the image's manifest */
export function writeLayout(folder: string, { tag, layers, config }: Image): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(path.join(folder, 'blobs', 'sha256'), { recursive: true });
  const blob = (mediaType: string, content: Buffer): Blob => {
    const digest = sha256(content);
    writeFileSync(path.join(folder, 'blobs', 'sha256', digest), content);
    return { mediaType, digest: `sha256:${digest}`, size: content.length };
  };
  const json = (mediaType: string, value: object): Blob =>
    blob(mediaType, Buffer.from(JSON.stringify(value)));
  const manifest = json(`${TYPE}.manifest.v1+json`, {
    schemaVersion: 2,
    mediaType: `${TYPE}.manifest.v1+json`,
    config: json(`${TYPE}.config.v1+json`, config(layers.map(sha256))),
    layers: layers.map((layer) => blob(`${TYPE}.layer.v1.tar+gzip`, gzipSync(layer))),
  });
  const named = { ...manifest, annotations: { 'org.opencontainers.image.ref.name': tag } };
  const index = { schemaVersion: 2, mediaType: `${TYPE}.index.v1+json`, manifests: [named] };
  writeFileSync(path.join(folder, 'index.json'), JSON.stringify(index));
  writeFileSync(path.join(folder, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  return manifest.digest;
}

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');

/** The folder as one file, the same to the byte for the same content. @param time of every file, s */
export async function archiveLayout(folder: string, file: string, time: number): Promise<void> {
  const archive = pack();
  const mtime = new Date(time * 1000);
  const writing = pipeline(archive, createWriteStream(file));
  for (const name of ['oci-layout', 'index.json'])
    archive.entry({ name, mtime }, readFileSync(path.join(folder, name)));
  const blobs = path.join('blobs', 'sha256');
  for (const name of readdirSync(path.join(folder, blobs)).sort())
    archive.entry({ name: path.join(blobs, name), mtime }, readFileSync(path.join(folder, blobs, name)));
  archive.finalize();
  await writing;
}

/** A layer of empty folders that belong to `owner`, user and group. */
export async function folderLayer(
  folders: readonly string[],
  { owner, time }: { owner: number; time: number },
): Promise<Buffer> {
  const layer = pack();
  for (const name of folders)
    layer.entry({
      name: `${name.replace(/^\//, '')}/`,
      type: 'directory',
      mode: 0o750,
      uid: owner,
      gid: owner,
      mtime: new Date(time * 1000),
    });
  layer.finalize();
  const parts: Buffer[] = [];
  for await (const part of layer) parts.push(part as Buffer);
  return Buffer.concat(parts);
}
