// The project's own source files, parsed, for tests about how they are built.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export interface Source {
  /** From the root, with forward slashes. */
  file: string;
  text: string;
  tree: ts.SourceFile;
}

export interface ImportEdge {
  specifier: string;
  /** The file it names, from the root; undefined for a package. */
  target: string | undefined;
  /** Erased before the program runs. */
  typeOnly: boolean;
  /** import() at run time. */
  dynamic: boolean;
}

export const topLevelOf = (file: string): string => file.split('/')[0] ?? '';

/** Every file that git tracks or would track; where there is no git, every file outside built folders. */
export function listFiles(): string[] {
  try {
    const out = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 1 << 26,
    });
    const files = out.split('\0').filter((file) => file !== '' && existsSync(path.join(ROOT, file)));
    if (files.length > 0) return files;
  } catch {
    // A copy without its history, or one that belongs to another account.
  }
  return walk('');
}

function walk(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = folder ? `${folder}/${entry.name}` : entry.name;
    if (['node_modules', 'dist', '.fieldline', '.git'].includes(entry.name)) return [];
    return entry.isDirectory() ? walk(file) : [file];
  });
}

export function readSources(folders: readonly string[]): Source[] {
  return listFiles()
    .filter((file) => folders.includes(topLevelOf(file)) && /\.(tsx?|mts|mjs|js)$/.test(file))
    .map((file) => {
      const text = readFileSync(path.join(ROOT, file), 'utf8');
      return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) };
    });
}

export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

export const lineOf = ({ file, tree }: Source, node: ts.Node): string =>
  `${file}:${tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1}`;

/** Of the sources that were asked about: to go through all of them takes seconds. */
const known = new WeakMap<Source, ImportEdge[]>();

export function importsOf(source: Source): ImportEdge[] {
  const edges = known.get(source) ?? readImports(source);
  known.set(source, edges);
  return edges;
}

function readImports(source: Source): ImportEdge[] {
  const edges: ImportEdge[] = [];
  const add = (node: ts.Expression | undefined, typeOnly: boolean, dynamic: boolean) => {
    if (!node || !ts.isStringLiteralLike(node)) return;
    const target = node.text.startsWith('.')
      ? path.posix.join(path.posix.dirname(source.file), node.text)
      : undefined;
    edges.push({ specifier: node.text, target, typeOnly, dynamic });
  };
  visit(source.tree, (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, erased(node.importClause), false);
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly, false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal as ts.Expression, true, false);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false, true);
  });
  return edges;
}

function erased(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const named = clause.namedBindings;
  if (clause.name || !named || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every((element) => element.isTypeOnly);
}

/** One cycle per group of files that import each other, as "a → b → a". */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const trail: string[] = [];
  const cycles: string[] = [];
  const enter = (file: string): void => {
    const at = trail.indexOf(file);
    if (at >= 0) cycles.push([...trail.slice(at), file].join(' → '));
    if (at >= 0 || done.has(file)) return;
    trail.push(file);
    for (const next of graph.get(file) ?? []) enter(next);
    trail.pop();
    done.add(file);
  };
  for (const file of graph.keys()) enter(file);
  return cycles;
}
