// Clients that others generate of the description: what three generators make of it compiles. Nothing is
// fetched for it.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATION_NAMES } from '../../common/http/openapi/operation-names.ts';
import { describeHub } from '../../hq/compose/description.ts';
import { longTest } from '../support/long.ts';
import { ROOT } from '../support/sources.ts';

const run = promisify(execFile);

interface Described {
  paths: Record<string, Record<string, { operationId: string }>>;
  components: Record<string, Record<string, unknown>>;
}

let dir: string;
let description: Described;
beforeAll(async () => {
  // Packages and types are looked for in the folders above.
  mkdirSync(path.join(ROOT, '.fieldline'), { recursive: true });
  dir = mkdtempSync(path.join(ROOT, '.fieldline', 'generated-'));
  description = (await describeHub()) as unknown as Described;
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A program that makes the same call by each of the clients. */
const PROGRAM = `
import * as orval from './orval.ts';
import * as hey from './hey/index.ts';
import type { operations } from './types.ts';

type Verdict = NonNullable<operations['recordVerdict']['requestBody']>['content']['application/json'];
const verdict: Verdict = { tenant_code: 'acme', verdict: 'confirmed', by: 'li' };
const first = await orval.recordVerdict(1, verdict);
if (first.status === 200) first.data.verdict satisfies string;
const { data } = await hey.recordVerdict({ path: { id: 1 }, body: verdict });
data?.verdict satisfies string | undefined;
// @ts-expect-error There is no such call.
orval.noSuchCall;
`;

/** In a process of its own: the loader of tests would take far longer over the generators than they do. */
const GENERATE = `
import { writeFileSync } from 'node:fs';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { generate } from 'orval';

const input = 'openapi.json';
await generate({ input: { target: input }, output: { target: 'orval.ts', client: 'fetch', mode: 'single' } });
await createClient({
  input,
  output: { path: 'hey', module: { extension: '.ts' } },
  plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
  logs: { level: 'silent' },
});
writeFileSync('types.ts', astToString(await openapiTS(new URL(input, import.meta.url))));
`;
const COMPILER = {
  strict: true,
  noEmit: true,
  allowImportingTsExtensions: true,
  skipLibCheck: true,
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: ['node'],
};

longTest('clients of orval, hey-api and openapi-typescript compile', async () => {
  const files = {
    'openapi.json': JSON.stringify(description),
    'generate.mjs': GENERATE,
    'program.mts': PROGRAM,
    'tsconfig.json': JSON.stringify({ compilerOptions: COMPILER, files: ['program.mts'] }),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(dir, name), text);
  // No generator reaches anything by the network.
  const nowhere = 'http://127.0.0.1:1';
  const env = { ...process.env, HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere };
  await run(process.execPath, ['generate.mjs'], { cwd: dir, env });
  const compiler = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const compiled = await run(process.execPath, [compiler, '-p', '.'], { cwd: dir }).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(compiled.stdout).toBe('');
});

test('each operation is called by what it does', () => {
  const operations = Object.entries(description.paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      call: `${method.toUpperCase()} ${at}`,
      operationId,
    })),
  );
  const unnamed = operations.filter(({ call }) => OPERATION_NAMES[call] === undefined);
  expect(unnamed.map(({ call }) => call)).toEqual([]);
  const names = Object.values(OPERATION_NAMES);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.filter((name) => !/^[a-z]+(?:[A-Z][A-Za-z]*)?$/.test(name))).toEqual([]);
});

test('everything that has a name has one that a language takes', () => {
  const { schemas = {}, responses = {} } = description.components;
  const named = [...Object.keys(schemas), ...Object.keys(responses)];
  expect(named.filter((name) => !/^[A-Z][A-Za-z]*$/.test(name))).toEqual([]);
  expect(named.filter((name, index) => named.indexOf(name) !== index)).toEqual([]);
});
