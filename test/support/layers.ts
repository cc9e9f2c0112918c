// The layers of the tree as the tables of common/README.md say, so that page and test cannot differ.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './sources.ts';

export interface Layer {
  name: string;
  files: RegExp[];
  /** Names of other layers; null: everything. */
  mayImport: string[] | null;
}

export interface Exception {
  /** As the page names it. */
  file: string;
  from: RegExp;
  to: RegExp[];
}

export interface Layers {
  layers: Layer[];
  exceptions: Exception[];
}

/** Rows of the table of a Markdown page whose first column has this heading, as cells without the header. */
export function tableOf(page: string, heading: string): string[][] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`));
  if (start < 0) throw new Error(`no table begins with the column ${heading}`);
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'));
  const rows = lines.slice(start + 2, end < 0 ? undefined : end);
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Where patterns are in backticks, since a pattern in braces has commas of its own. */
const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

/** `*` stands for a name or a part of it, `**` for anything with slashes in it, `{a,b}` for one of them. */
export function patternOf(glob: string): RegExp {
  const source = glob
    .replace(/[.+^$()|[\]\\]/g, '\\$&')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`)
    .replace(/\*\*\/|\*\*|\*/g, (stars) => (stars === '**/' ? '(?:.*/)?' : stars === '**' ? '.*' : '[^/]*'));
  return new RegExp(`^${source}$`);
}

export function readLayers(page = readFileSync(path.join(ROOT, 'common/README.md'), 'utf8')): Layers {
  const layers = tableOf(page, 'layer').map(([name = '', files = '', mayImport = '']) => ({
    name,
    files: quoted(files).map(patternOf),
    mayImport: mayImport === 'everything' ? null : mayImport === 'nothing' ? [] : mayImport.split(', '),
  }));
  const exceptions = tableOf(page, 'file').map(([file = '', to = '']) => {
    const [from = ''] = quoted(file);
    return { file: from, from: patternOf(from), to: quoted(to).map(patternOf) };
  });
  return { layers, exceptions };
}

/** The first layer that has the file; undefined for none. */
export const layerOf = ({ layers }: Layers, file: string): Layer | undefined =>
  layers.find(({ files }) => files.some((one) => one.test(file)));

/** What allows this import although the layers do not. */
export const exceptionFor = ({ exceptions }: Layers, from: string, to: string): Exception | undefined =>
  exceptions.find((one) => one.from.test(from) && one.to.some((pattern) => pattern.test(to)));

/** Whether a file may import another, exceptions left out. */
export function allows(table: Layers, from: string, to: string): boolean {
  const [own, other] = [layerOf(table, from), layerOf(table, to)];
  if (!own || !other) return false;
  return own === other || own.mayImport === null || own.mayImport.includes(other.name);
}
