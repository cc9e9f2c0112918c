import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuiltConsole, PageFile } from './decide.ts';

/** Set when the program is bundled (packaging/build.mjs): the console lies beside it. */
declare const FIELDLINE_BUNDLED: boolean | undefined;

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
};

/** Where the console lies that belongs to this program. */
export const consoleFolder = (): string =>
  fileURLToPath(
    new URL(typeof FIELDLINE_BUNDLED === 'boolean' ? './console/' : '../../dist/console/', import.meta.url),
  );

/**
 * Reads the built console into memory: an upgrade is unpacked before the restart, and the files of a version
 * must be there as long as the program of that version runs.
 * @returns null when it is not built
 */
export function readBuiltConsole(folder: string): BuiltConsole | null {
  const index = path.join(folder, 'index.html');
  if (!existsSync(index)) return null;
  const files = new Map<string, PageFile>();
  for (const [name, file] of filesIn(path.join(folder, 'assets'), true)) files.set(`/assets/${name}`, file);
  // The service worker, the manifest and icons, whose names stay.
  for (const [name, file] of filesIn(folder, false)) files.set(`/${name}`, file);
  return { index: readFileSync(index, 'utf8'), files };
}

function filesIn(folder: string, lasting: boolean): [string, PageFile][] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.flatMap((name) => {
    const contentType = TYPES[path.extname(name)];
    if (contentType === undefined) return [];
    const form = (ending: string): Buffer | undefined =>
      names.includes(name + ending) ? readFileSync(path.join(folder, name + ending)) : undefined;
    const [br, gzip] = [form('.br'), form('.gz')];
    const forms = { ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) };
    return [[name, { contentType, content: readFileSync(path.join(folder, name)), forms, lasting }]];
  });
}
