// Builds the console into dist/console when its source has changed: hq/console with what it is made of.
//   node packaging/bootstrap.mjs run packaging/console/build.ts
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { buildClient } from '../client/build.ts';
import { BUILT, CLIENT, ROOT, settings, SOURCE } from './settings.ts';

/** Beside the built files: what they were made of. */
export const MARK = path.join(BUILT, '.made-of');
/** Below this many bytes the headers weigh more than what compression saves. */
const COMPRESS_ABOVE = 1_024;

/**
 * Builds the console unless what is there was made of the same source; first the client, which is part of it.
 * @returns whether it was built now
 */
export async function buildConsole(): Promise<boolean> {
  await buildClient(CLIENT);
  const made = digestOf();
  if (existsSync(MARK) && readFileSync(MARK, 'utf8') === made) return false;
  rmSync(MARK, { force: true });
  const { build } = await import('vite');
  await asForProduction(() => build(settings));
  stampWorker(made);
  await compress(BUILT);
  writeFileSync(MARK, made);
  return true;
}

/** Heavier than all else together, and wanted only where somebody draws a plan from a PDF. */
const SELDOM = /^pdfjs-/;

/** The service worker is another with each build, and keeps the files of that build. */
function stampWorker(made: string): void {
  const file = path.join(BUILT, 'worker.js');
  const assets = readdirSync(path.join(BUILT, 'assets')).filter((name) => !SELDOM.test(name));
  const names = assets.map((name) => `/assets/${name}`);
  const text = readFileSync(file, 'utf8');
  const stamped = text.replace('@BUILD@', made.slice(0, 16)).replace('@FILES@', names.sort().join(' '));
  if (/@(?:BUILD|FILES)@/.test(stamped) || stamped === text)
    throw new Error('the service worker does not have the places for its version and files');
  writeFileSync(file, stamped);
}

/** Vite and React believe NODE_ENV before anything else, and a test runner sets it. */
async function asForProduction(build: () => Promise<unknown>): Promise<void> {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    await build();
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

/** Of the source, of how it is built, and of every package by its version. */
function digestOf(): string {
  const folders = [SOURCE, import.meta.dirname, CLIENT];
  const files = folders.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
          .map((entry) => path.join(entry.parentPath, entry.name))
      : [],
  );
  const lines = [...files.sort(), path.join(ROOT, 'package-lock.json')].map(
    (file) => `${path.relative(ROOT, file)} ${hash('sha256', readFileSync(file))}\n`,
  );
  return hash('sha256', lines.join(''));
}

/** Beside each file that becomes smaller its forms for `Content-Encoding`, on all processors at once. */
async function compress(folder: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter(({ name }) => /\.(?:js|css|svg|html|json)$/.test(name) && name !== 'index.html')
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file);
      if (content.length < COMPRESS_ABOVE) return;
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      const [brotli, gzipped] = await Promise.all([
        promisify(brotliCompress)(content, { params }),
        promisify(gzip)(content, { level: 9 }),
      ]);
      writeFileSync(`${file}.br`, brotli);
      writeFileSync(`${file}.gz`, gzipped);
    }),
  );
}

if (import.meta.main) {
  const began = Date.now();
  const built = await buildConsole();
  const took = ((Date.now() - began) / 1000).toFixed(1);
  process.stdout.write(
    `${path.relative(ROOT, BUILT)} ${built ? `built in ${took} s` : 'is made of this source'}\n`,
  );
}
