// Every route of both programs against every identity that it is not for: a node's key, a site's, a
// consumer's, a token of the open interface, nobody.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../common/http/access.ts';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf, request, signedCall } from '../support/request.ts';

interface Operation {
  method: string;
  path: string;
  ways: string[];
}
interface Side {
  url: string;
  operations: Operation[];
  keys: Partial<Record<'node' | 'site' | 'consumer', SigningKey>>;
  /** Of the open interface. */
  token: string | null;
}

const sides = {} as Record<'site' | 'hub', Side>;
let scene: Scene;

async function open(url: string, call: Call, program: 'site' | 'hub'): Promise<Side> {
  const made = async <T>(path: string, body: object): Promise<T> =>
    jsonOf<T>(expectStatus(await call('POST', path, body), 201));
  const keys: Side['keys'] = {
    node: await made('/api/core/nodes', { tenant_code: 'acme', name: 'gate' }),
    consumer: await made('/api/core/consumers/agent/keys', { tenant_code: 'acme', scopes }),
    ...(program === 'hub'
      ? { site: await made<SigningKey>('/api/core/sites', { instance: 'tunnel', tenants: ['acme'] }) }
      : {}),
  };
  const { paths } = jsonOf<{ paths: Record<string, Record<string, { security: object[] }>> }>(
    await call('GET', '/openapi.json'),
  );
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { security }]) => ({
      method: method.toUpperCase(),
      path,
      ways: security.length === 0 ? ['public'] : security.flatMap(namesOf),
    })),
  );
  return { url, operations, keys, token: program === 'hub' ? await tokenOf(url, call) : null };
}

/**
 * An empty requirement says that somebody is let in without credentials: for the version anybody, for figures
 * some addresses.
 */
const namesOf = (way: object): string[] => (Object.keys(way).length === 0 ? ['public'] : Object.keys(way));

async function tokenOf(url: string, call: Call): Promise<string> {
  const client = jsonOf<{ client_id: string; client_secret: string }>(
    expectStatus(await call('POST', '/api/integration/clients', { tenant_code: 'acme', name: 'erp' }), 201),
  );
  const answer = await request({
    url,
    method: 'POST',
    path: '/open/v1/oauth/token',
    headers: { 'content-type': 'application/json', 'x-tenant-code': 'acme' },
    body: JSON.stringify({
      grant_type: 'client_credentials',
      client_id: client.client_id,
      client_secret: client.client_secret,
    }),
  });
  const found = /flt_[\w-]+/.exec(expectStatus(answer, 200).text)?.[0];
  if (found === undefined) throw new Error(`no token in ${answer.text}`);
  return found;
}

beforeAll(async () => {
  scene = new Scene();
  const [here, hub] = [await startSiteHere(scene), await startHubHere(scene)];
  sides.site = await open(here.site.url, here.call, 'site');
  sides.hub = await open(hub.hub.url, hub.call, 'hub');
});
afterAll(() => scene.close());

const targetOf = ({ path }: Operation): string => path.replace(/\{\w+\}/g, '1');
const bodyOf = ({ method }: Operation): string | undefined => (method === 'GET' ? undefined : '{}');

describe.each([
  ['site', 'node'],
  ['site', 'consumer'],
  ['hub', 'node'],
  ['hub', 'site'],
  ['hub', 'consumer'],
] as const)('at a %s the key of a %s', (program, kind) => {
  test('opens what it is for and is 403 everywhere else', async () => {
    const { url, operations, keys } = sides[program];
    const foreign = operations.filter(({ ways }) => !ways.includes(`${kind}Signature`));
    expect(foreign.length).toBeGreaterThan(40);
    const key = keys[kind];
    if (!key) throw new Error('there is no such key');
    const wrong: unknown[] = [];
    for (const one of foreign) {
      const body = bodyOf(one);
      const answer = await signedCall({
        url,
        key,
        method: one.method,
        path: targetOf(one),
        ...(body === undefined ? {} : { body }),
      });
      if (answer.status !== 403) wrong.push([one.method, one.path, answer.status, answer.text]);
    }
    expect(wrong).toEqual([]);
  });
});

describe.each(['site', 'hub'] as const)('at a %s', (program) => {
  /** @param way of the callers that have these headers; operations that are for them are left out */
  const refused = async (headers: Record<string, string>, way?: string): Promise<unknown[]> => {
    const { url, operations } = sides[program];
    const answers: [Operation, Answer][] = [];
    const open = ['public', ...(way === undefined ? [] : [way])];
    for (const one of operations.filter(({ ways }) => !ways.some((each) => open.includes(each)))) {
      const body = bodyOf(one);
      answers.push([
        one,
        await request({
          url,
          method: one.method,
          path: targetOf(one),
          headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body }),
        }),
      ]);
    }
    expect(answers.length).toBeGreaterThan(40);
    return answers
      .filter(([, { status }]) => status !== 401)
      .map(([{ method, path }, { status }]) => [method, path, status]);
  };

  test('nobody opens nothing but what is for everybody', async () => {
    expect(await refused({})).toEqual([]);
  });

  test('neither does a session that nobody has, nor a bearer token, also one of the open interface', async () => {
    expect(
      await refused({ cookie: `fieldline_session=flx_${'A'.repeat(43)}`, 'x-requested-with': 'fieldline' }),
    ).toEqual([]);
    const bearing = (token: string) => ({ authorization: `Bearer ${token}`, 'x-tenant-code': 'acme' });
    expect(await refused(bearing('flt_made-up'), 'accessToken')).toEqual([]);
    // Of a client without scopes: what a consumer's key with scopes may do is not for it.
    const { token, operations } = sides[program];
    const scoped = operations.filter(
      ({ ways }) => ways.includes('consumerSignature') && !ways.includes('public'),
    );
    expect(token ? await refused(bearing(token), 'accessToken') : []).toEqual(
      token ? scoped.map(({ method, path }) => [method, path, 403]) : [],
    );
  });
});
