// The typed client as it is handed out: made from the description, and its page's example run on a real hub.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hub } from '../../hq/app.ts';
import { buildClient } from '../../packaging/client/build.ts';
import type { createClient } from '../../packaging/client/client.ts';
import { type } from '../support/command.ts';
import { ADMIN_KEY, startHubHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { request } from '../support/request.ts';
import { ROOT } from '../support/sources.ts';

interface Answered {
  responses: { 200: { content: { 'application/json': object } } };
}
interface Paths {
  '/x': {
    get: Answered;
    put: Answered & { requestBody: { content: { 'application/octet-stream': Blob } } };
    post: Answered & {
      requestBody: { content: { 'multipart/form-data': { file: Blob; title?: string; note?: string } } };
    };
  };
}
interface ClientModule {
  createClient: typeof createClient<Paths>;
}

let scene: Scene;
let hub: Hub;
let dir: string;
let client: string;
beforeAll(async () => {
  scene = new Scene();
  // Packages are looked for in the folders above.
  mkdirSync(path.join(ROOT, '.fieldline'), { recursive: true });
  dir = mkdtempSync(path.join(ROOT, '.fieldline', 'client-'));
  client = path.join(dir, 'node_modules', '@fieldline', 'client');
  await buildClient(client);
  hub = (await startHubHere(scene)).hub;
});
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true });
  await scene.close();
});

const COMPILER: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  // The compiler's own libraries are not ours to check.
  skipDefaultLibCheck: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
};

/** What it goes on from: nearly all of it is as it was. */
let before: ts.Program | undefined;

/** What the compiler says about a program that uses the client, by line. */
function faultsOf(source: string): { line: number; text: string }[] {
  const file = path.join(dir, 'checked.mts');
  writeFileSync(file, source);
  before = ts.createProgram({ rootNames: [file], options: COMPILER, ...(before && { oldProgram: before }) });
  // Of what is checked alone: the client's own types are checked with its example.
  return ts.getPreEmitDiagnostics(before).map((fault) => ({
    line: (fault.file?.getLineAndCharacterOfPosition(fault.start ?? 0).line ?? -1) + 1,
    text: ts.flattenDiagnosticMessageText(fault.messageText, ' '),
  }));
}

const example = (): string => {
  const [, text] = /```ts\n([^]*?)```/.exec(readFileSync(path.join(client, 'README.md'), 'utf8')) ?? [];
  if (text === undefined) throw new Error('the page of the client has no example');
  return text;
};

test('the example of its page compiles and runs on a hub', async () => {
  expect(faultsOf(example())).toEqual([]);
  const file = path.join(dir, 'example.mts');
  writeFileSync(file, example());
  const ran = await type(path.relative(ROOT, file), [], {
    FIELDLINE_URL: hub.url,
    FIELDLINE_ADMIN_KEY: ADMIN_KEY,
  });
  expect(ran).toEqual({ code: 0, err: '', out: '1 vehicle.intrusion high\n' });
});

test('a call that the description does not have does not compile', () => {
  const lines = [
    `import { createClient, type Schemas } from '@fieldline/client';`,
    `const client = createClient({ baseUrl: '/' });`,
    `await client.GET('/api/core/no-such');`,
    `await client.GET('/api/core/events/list', { params: { query: { no_such: 1 } } });`,
    `await client.POST('/api/core/nodes', { body: { tenant_code: 1 } });`,
    `const { data } = await client.GET('/api/core/version'); data?.noSuch;`,
    `const none: Schemas['NoSuch'] | null = null; void none;`,
  ];
  const wrong = new Set(faultsOf(lines.join('\n')).map(({ line }) => line));
  expect([...wrong]).toEqual([3, 4, 5, 6, 7]);
});

test('each way in is sent, bytes and files too', async () => {
  const { createClient } = (await import(path.join(client, 'index.js'))) as ClientModule;
  const asked: Request[] = [];
  const fetch = (request: Request): Promise<Response> => {
    asked.push(request);
    return Promise.resolve(new Response('{}', { headers: { 'content-length': '2' } }));
  };
  const baseUrl = 'http://hub.test';
  const token = createClient({
    baseUrl,
    fetch,
    token: () => Promise.resolve('t-1'),
    headers: { 'X-Tenant-Code': 'a' },
  });
  await token.GET('/x', {});
  await createClient({ baseUrl, fetch }).POST('/x', {
    body: { file: new Blob(['abc']), title: 'T', note: undefined },
  });
  await createClient({ baseUrl, fetch }).PUT('/x', {
    body: new Blob(['abc']),
    headers: { 'Content-Type': 'image/png' },
  });
  const [first, form, bytes] = asked;
  expect(first?.headers.get('authorization')).toBe('Bearer t-1');
  expect([first?.headers.get('x-tenant-code'), first?.headers.get('x-requested-with')]).toEqual([
    'a',
    'fieldline',
  ]);
  const parts = await form?.formData();
  expect([...(parts?.keys() ?? [])]).toEqual(['file', 'title']);
  expect([bytes?.headers.get('content-type'), await bytes?.text()]).toEqual(['image/png', 'abc']);
});

test('nothing is made anew while nothing has changed', async () => {
  expect(await buildClient(client)).toBe(false);
  writeFileSync(path.join(client, '.made-from'), 'another');
  expect(await buildClient(client)).toBe(true);
});

test('the description that it is made of is the one that a hub serves', async () => {
  const served = JSON.parse(
    (await request({ url: hub.url, method: 'GET', path: '/openapi.json' })).text,
  ) as unknown;
  expect(JSON.parse(readFileSync(path.join(client, 'openapi.json'), 'utf8'))).toEqual(served);
});
