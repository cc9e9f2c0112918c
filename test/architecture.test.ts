// How the tree is built: its folders, which part may know which, and what no file may hold.
import path from 'node:path';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { findCycles, importsOf, lineOf, listFiles, readSources, topLevelOf, visit, type Source } from './support/sources.ts';

const FOLDERS = ['site', 'hq', 'common', 'packaging', 'systemd', 'test'];
const PROGRAM = ['site', 'hq', 'common'];
const FORBIDDEN_NAMES = new Set(['utils', 'util', 'helpers', 'helper', 'manager', 'managers', 'misc', 'lib', 'shared']);
const MAX_LINES = 400;

// What each part may import from, besides itself and packages.
const MAY_IMPORT: Record<string, string[]> = { common: [], site: ['common'], hq: ['common'] };

const all = readSources([...PROGRAM, 'packaging', 'test']);
const program = all.filter((source) => PROGRAM.includes(topLevelOf(source.file)));

/** Places where `wrong` holds, as "file:line". */
function places(sources: Source[], wrong: (node: ts.Node, source: Source) => boolean): string[] {
  const found: string[] = [];
  for (const source of sources) {
    visit(source.tree, (node) => {
      if (wrong(node, source)) found.push(lineOf(source, node));
    });
  }
  return found;
}

describe('folders', () => {
  test('at the top are only the agreed ones', () => {
    const top = new Set(listFiles().filter((file) => file.includes('/')).map(topLevelOf));
    expect([...top].filter((folder) => !folder.startsWith('.') && !FOLDERS.includes(folder))).toEqual([]);
  });

  test('are named after what they hold', () => {
    const vague = listFiles().filter((file) => path.posix.dirname(file).split('/').some((name) => FORBIDDEN_NAMES.has(name.toLowerCase())));
    expect(vague).toEqual([]);
  });
});

describe('imports', () => {
  test('respect the layers', () => {
    const wrong = program.flatMap((source) => {
      const own = topLevelOf(source.file);
      const allowed = [own, ...(MAY_IMPORT[own] ?? [])];
      return importsOf(source)
        .filter(({ target }) => target !== undefined && !allowed.includes(topLevelOf(target)))
        .map(({ specifier }) => `${source.file} imports ${specifier}`);
    });
    expect(wrong).toEqual([]);
  });

  test('come into a library of its own by its door', () => {
    const DOORS = { 'site/store/key-index/': 'key-index.ts' };
    const wrong = program.flatMap((source) => importsOf(source).flatMap(({ target }) => Object.entries(DOORS)
      .filter(([folder, door]) => target?.startsWith(folder) && !source.file.startsWith(folder) && target !== folder + door)
      .map(() => `${source.file} imports ${target ?? ''}`)));
    expect(wrong).toEqual([]);
  });

  test('of undici are of headquarters and what runs beside the programs: a site has no memory for it', () => {
    const at = program.flatMap((source) => importsOf(source).filter(({ specifier }) => specifier === 'undici').map(() => source.file));
    expect(at).toEqual(['hq/http-client.ts']);
  });

  test('have no cycles, also of types', () => {
    const graph = new Map(
      program.map((source) => [
        source.file,
        importsOf(source).flatMap(({ target, dynamic }) => (target && !dynamic ? [target] : [])),
      ]),
    );
    expect(findCycles(graph)).toEqual([]);
  });

  test('a cycle would be found', () => {
    expect(findCycles(new Map([['a', ['b']], ['b', ['c']], ['c', ['b']]]))).toEqual(['b → c → b']);
  });
});

describe('no file', () => {
  test('is longer than the limit', () => {
    const long = program.filter((source) => source.text.trimEnd().split('\n').length > MAX_LINES);
    expect(long.map((source) => source.file)).toEqual([]);
  });

  test('but config.ts reads the environment', () => {
    const outside = program.filter((source) => path.posix.basename(source.file) !== 'config.ts');
    expect(places(outside, readsEnvironment)).toEqual([]);
  });

  test('uses any', () => {
    expect(places(all, (node) => node.kind === ts.SyntaxKind.AnyKeyword)).toEqual([]);
  });

  test('silences the compiler without a reason', () => {
    const silenced = all.flatMap((source) =>
      [...source.text.matchAll(/^\s*(?:\/\/|\/\*+)\s*@ts-(ignore|nocheck|expect-error)(.*)$/gm)]
        .filter(([, directive, reason = '']) => directive !== 'expect-error' || reason.replace(/[^\p{L}]/gu, '').length < 10)
        .map(([line]) => `${source.file}: ${line.trim()}`),
    );
    expect(silenced).toEqual([]);
  });

  test('swallows an error in silence', () => {
    // A comment that says why counts as an answer.
    expect(places(all, (node) => ts.isCatchClause(node) && /^\{\s*\}$/.test(node.block.getText()))).toEqual([]);
  });
});

function readsEnvironment(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'env' && node.expression.getText() === 'process';
  if (ts.isElementAccessExpression(node)) return node.expression.getText() === 'process';
  if (ts.isVariableDeclaration(node)) return node.initializer?.getText() === 'process';
  return (
    ts.isImportDeclaration(node) &&
    /^['"](node:)?process['"]$/.test(node.moduleSpecifier.getText()) &&
    /\benv\b/.test(node.importClause?.getText() ?? '')
  );
}
