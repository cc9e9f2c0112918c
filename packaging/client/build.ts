import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { version } from '../../common/package.ts';
import { describeHub } from '../../hq/compose/description.ts';
import { ROOT } from '../deb/source.ts';

const HERE = import.meta.dirname;
const SOURCES = ['client.ts', 'build.ts', 'README.md'];
/** In the folder that is made: what it was made from. */
const MARK = '.made-from';

const INDEX = `export { createClient } from './client.js';\n`;
const INDEX_TYPES = `import type { Client } from 'openapi-fetch';
import type { Options } from './client.js';
import type { components, paths } from './schema.js';

export type { Options } from './client.js';
export type { components, operations, paths, webhooks } from './schema.js';
/** Everything that has a name in the description: \`Schemas['Event']\`. */
export type Schemas = components['schemas'];
/** A client of headquarters; the part of the core event service works on a site too. */
export declare function createClient(options?: Options): Client<paths>;
`;

/** @returns false when what is there was made from the same already */
export async function buildClient(out: string): Promise<boolean> {
  const description = JSON.stringify(await describeHub());
  const madeFrom = fingerprint(description);
  if (markOf(out) === madeFrom) return false;
  const { code, types } = compiled(readFileSync(path.join(HERE, 'client.ts'), 'utf8'));
  const files: Record<string, string> = {
    'package.json': `${JSON.stringify(manifest(), null, 2)}\n`,
    'README.md': readFileSync(path.join(HERE, 'README.md'), 'utf8'),
    LICENSE: readFileSync(path.join(ROOT, 'LICENSE'), 'utf8'),
    'openapi.json': description,
    'schema.d.ts': await schemaTypes(JSON.parse(description) as OpenAPI3),
    'client.js': code,
    'client.d.ts': types,
    'index.js': INDEX,
    'index.d.ts': INDEX_TYPES,
  };
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(out, name), text);
  writeFileSync(path.join(out, MARK), madeFrom);
  return true;
}

function fingerprint(description: string): string {
  const all = createHash('sha256').update(description).update(version);
  for (const name of SOURCES) all.update(readFileSync(path.join(HERE, name)));
  return all.update(readFileSync(path.join(ROOT, 'package-lock.json'))).digest('hex');
}

function markOf(out: string): string | null {
  try {
    return readFileSync(path.join(out, MARK), 'utf8');
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return null;
    throw error;
  }
}

function manifest(): object {
  const { devDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  return {
    name: '@fieldline/client',
    version,
    description: 'Typed client of the Fieldline API',
    license: 'SEE LICENSE IN LICENSE',
    type: 'module',
    engines: { node: '>=20' },
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './openapi.json': './openapi.json',
    },
    types: './index.d.ts',
    sideEffects: false,
    dependencies: { 'openapi-fetch': devDependencies['openapi-fetch'] },
  };
}

const { factory } = ts;

/** Types of every path, body and answer. Bytes are a Blob, and an object of any members is a record. */
async function schemaTypes(description: OpenAPI3): Promise<string> {
  const nodes = await openapiTS(description, {
    defaultNonNullable: false,
    emptyObjectsUnknown: true,
    transform: ({ format }) =>
      format === 'binary' ? factory.createTypeReferenceNode(factory.createIdentifier('Blob')) : undefined,
  });
  return `// Made from the API description of headquarters.\n${astToString(nodes)}`;
}

/** Taken apart by itself: the whole project is checked elsewhere. */
function compiled(source: string): { code: string; types: string } {
  const compilerOptions: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    isolatedDeclarations: true,
    declaration: true,
  };
  const fileName = 'client.ts';
  const code = ts.transpileModule(source, { compilerOptions, fileName }).outputText;
  const types = ts.transpileDeclaration(source, { compilerOptions, fileName, reportDiagnostics: true });
  const faults = types.diagnostics?.map(({ messageText }) =>
    ts.flattenDiagnosticMessageText(messageText, ' '),
  );
  if (faults?.length) throw new Error(faults.join('; '));
  return { code, types: types.outputText };
}
