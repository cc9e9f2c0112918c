// What of other people's work lies in the console: the packages that its source and its client import, with
// all that these need. They are tools of the build to npm, but parts of them are what a browser runs.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { locked, ROOT } from './source.ts';

const SOURCES = ['hq/console', 'packaging/client'];
const IMPORT = /(?:from|import) ?\(?'((?:@[\w.-]+\/)?[\w.-]+)(?:\/[\w./-]+)?'/g;

/** Where in the lock file each package of the console stands: `node_modules/antd`. */
export function consolePackages(): string[] {
  const found = new Set<string>();
  const add = (from: string, name: string): void => {
    const where = placeOf(from, name);
    if (where === null || found.has(where)) return;
    found.add(where);
    for (const needed of Object.keys(locked[where]?.dependencies ?? {})) add(where, needed);
  };
  for (const name of importedNames()) add('', name);
  return [...found].sort();
}

/** Packages that the sources name; what is only types has no place of its own in what is built. */
function importedNames(): Set<string> {
  const files = SOURCES.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !/^(?:build|main)\.ts$/.test(file))
      .map((file) => path.join(ROOT, folder, file)),
  );
  return new Set(files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(nameIn)));
}

const nameIn = ([, name = '']: RegExpMatchArray): string => name;

/** As Node looks for a package: in the folders of whoever asks, from the innermost outwards. */
function placeOf(from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const where = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (where in locked) return where;
    if (folder === '') return null;
  }
}
