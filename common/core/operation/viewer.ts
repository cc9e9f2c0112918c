import { fstatSync, openSync, read } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** Set when the program is bundled (packaging/build.mjs): the viewer lies beside it, compressed. */
declare const FIELDLINE_BUNDLED: boolean | undefined;

/** What of the package swagger-ui-dist a browser loads, by the names it has here. */
export const VIEWER_FILES = { 'viewer.js': 'swagger-ui-bundle.js', 'viewer.css': 'swagger-ui.css' } as const;
export type ViewerFile = keyof typeof VIEWER_FILES;

/** A file of the viewer from its package, with gzip: without TLS, as at a site, browsers take no other. */
export async function compressedViewer(name: ViewerFile): Promise<Buffer> {
  const folder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return promisify(gzip)(await readFile(path.join(folder, VIEWER_FILES[name])), { level: 9 });
}

type Reader = () => Promise<Buffer>;

/**
 * The files of the viewer as they are sent. A bundled program opens its own when it starts and reads them
 * when they are asked for: an upgrade is unpacked before the restart, and half a megabyte that is hardly ever
 * read is not kept in memory.
 */
export function openViewer(): { read: (name: ViewerFile, compressed: boolean) => Promise<Buffer> } {
  const readers: Record<ViewerFile, Reader> = {
    'viewer.js': readerOf('viewer.js'),
    'viewer.css': readerOf('viewer.css'),
  };
  return {
    read: async (name, compressed) => {
      const bytes = await readers[name]();
      return compressed ? bytes : promisify(gunzip)(bytes);
    },
  };
}

function readerOf(name: ViewerFile): Reader {
  if (typeof FIELDLINE_BUNDLED === 'boolean') {
    const file = openSync(fileURLToPath(new URL(`./docs/${name}.gz`, import.meta.url)), 'r');
    const { size } = fstatSync(file);
    return async () => (await promisify(read)(file, Buffer.alloc(size), 0, size, 0)).buffer;
  }
  let made: Promise<Buffer> | null = null;
  return () => (made ??= compressedViewer(name));
}
