// Nobody learns of a key without its secret: until a signature holds, every key id gets the same answer at
// both programs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf, signedCall } from '../support/request.ts';

let scene: Scene;
const programs = {} as Record<'site' | 'hub', { url: string; call: Call; keys: Record<string, SigningKey> }>;

beforeAll(async () => {
  scene = new Scene();
  const [here, hub] = [await startSiteHere(scene), await startHubHere(scene)];
  for (const [name, url, call] of [
    ['site', here.site.url, here.call],
    ['hub', hub.hub.url, hub.call],
  ] as const) {
    const made = async (path: string, body: object) =>
      jsonOf<SigningKey>(expectStatus(await call('POST', path, body), 201));
    programs[name] = {
      url,
      call,
      keys: {
        node: await made('/api/core/nodes', { tenant_code: 'acme', name: 'gate', key_id: 'gate' }),
        consumer: await made('/api/core/consumers/c/keys', { key_id: 'c-1' }),
        ...(name === 'hub'
          ? { site: await made('/api/core/sites', { instance: 's', tenants: ['acme'] }) }
          : {}),
      },
    };
    const removed = await made('/api/core/nodes', { tenant_code: 'acme', name: 'gone', key_id: 'gone' });
    expectStatus(await call('DELETE', '/api/core/nodes/gone'), 200);
    programs[name].keys.removed = removed;
  }
});
afterAll(() => scene.close());

const CALLS: [method: string, path: string, body?: string][] = [
  ['POST', '/api/core/events', '{"idempotency_key":"a","type":"a.b"}'],
  ['GET', '/api/core/events/since?consumer=c'],
  ['GET', '/api/core/nodes'],
  ['PUT', '/api/core/events/1/evidence/a.jpg', 'x'],
  ['GET', '/healthz'],
  ['POST', '/api/core/session/login', '{}'],
];
const bare = (answer: Answer): unknown[] => {
  const { date: _date, 'x-request-id': _id, 'content-length': _counts, ...headers } = answer.headers;
  return [answer.status, headers, answer.text.replace(/"requestId":"[^"]*"/, '')];
};

describe.each(['site', 'hub'] as const)('at a %s', (name) => {
  test.each(CALLS)(
    '%s %s tells nothing of a key whose secret the caller does not have, whatever the time',
    async (method, path, body) => {
      const { url, keys } = programs[name];
      const call = (key: SigningKey, hours = 0) =>
        signedCall({
          url,
          key,
          method,
          path,
          ...(body === undefined ? {} : { body }),
          now: Date.now() + hours * 3_600_000,
        });
      const unknown = bare(await call({ keyId: 'nobody', secret: 'x' }));
      expect(unknown).toEqual([401, expect.anything(), expect.stringContaining('"bad_signature"')]);
      for (const { keyId } of Object.values(keys)) {
        for (const hours of [0, -1, 1])
          expect(bare(await call({ keyId, secret: 'x' }, hours))).toEqual(unknown);
      }
      expect(bare(await call(keys.removed as SigningKey))).toEqual(unknown);
    },
  );

  test('who has the secret is told what is wrong: first the time, then the kind of the key', async () => {
    const { url, keys } = programs[name];
    const call = (key: SigningKey | undefined, now = Date.now()) =>
      signedCall({ url, key: key as SigningKey, method: 'POST', path: '/api/core/events', body: '{}', now });
    expect(jsonOf(expectStatus(await call(keys.node, Date.now() - 3_600_000), 401))).toMatchObject({
      error: 'clock_skew',
      serverUnixSeconds: expect.any(Number),
    });
    expect(jsonOf(expectStatus(await call(keys.consumer, Date.now() - 3_600_000), 401))).toMatchObject({
      error: 'clock_skew',
    });
    expect(jsonOf<{ message: string }>(expectStatus(await call(keys.consumer), 403)).message).toContain(
      'A consumer key is not for this call',
    );
  });
});
