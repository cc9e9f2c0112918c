// Files of secrets: what configuration refers to, and what lies in the administrator's directory.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostOf, readHost } from '../../common/core/secret/decide.ts';
import { parseSecretFile, readDirectorySecret } from '../../common/core/secret/directory.ts';
import { seal, unseal } from '../../common/secret/sealing.ts';
import { readSecret } from '../../common/secret/secret.ts';
import { Scene } from '../support/process.ts';

let scene: Scene;
beforeAll(() => {
  scene = new Scene();
  execFileSync('mkfifo', [path.join(scene.dir, 'fifo')]);
  mkdirSync(path.join(scene.dir, 'folder'));
  writeFileSync(
    path.join(scene.dir, 'good'),
    'use=channel\nhost=SMS.example:443\ntenant=acme\n# of the gateway\n\nsecret=a=b c\r\n',
  );
  writeFileSync(path.join(scene.dir, 'large'), 'x'.repeat(64 * 1024 + 1));
  symlinkSync(path.join(scene.dir, 'good'), path.join(scene.dir, 'link'));
});
afterAll(() => scene.close());

describe('a file that configuration refers to', () => {
  test.each([
    ['a pipe', () => path.join(scene.dir, 'fifo')],
    ['a device', () => '/dev/zero'],
    ['a folder', () => path.join(scene.dir, 'folder')],
  ])('%s is refused, and nothing waits for it', (_, file) => {
    expect(() => readSecret(`file:${file()}`, { env: {} })).toThrow(/is no regular file$/);
    expect(() => readSecret('cred:fifo', { env: {}, credentialsDirectory: scene.dir })).toThrow(
      /is no regular file$/,
    );
  });

  test('is bounded, and may be a link', () => {
    expect(() => readSecret(`file:${path.join(scene.dir, 'large')}`, { env: {} })).toThrow(
      /is larger than 65536 bytes$/,
    );
    expect(readSecret(`file:${path.join(scene.dir, 'link')}`, { env: {} })).toContain('use=channel');
  });
});

describe('a file of the directory', () => {
  test('says what its secret is for', () => {
    expect(readDirectorySecret(scene.dir, 'good')).toEqual({
      use: 'channel',
      host: 'sms.example',
      tenantCode: 'acme',
      secret: 'a=b c',
    });
  });

  test.each(['fifo', 'folder', 'link', 'large', 'nobody', '../good', '.', '..', 'folder/x', ''])(
    '%s is refused',
    (name) => {
      expect(() => readDirectorySecret(scene.dir, name)).toThrow();
    },
  );

  test.each([
    ['a secret alone', 'hunter2'],
    ['no use', 'host=a\nsecret=hunter2'],
    ['another use', 'use=all\nhost=a\nsecret=hunter2'],
    ['no host', 'use=push\nsecret=hunter2'],
    ['no secret', 'use=push\nhost=a'],
    ['a line twice', 'use=push\nhost=a\nhost=b\nsecret=hunter2'],
    ['a path for a host', 'use=push\nhost=a/b\nsecret=hunter2'],
  ])('%s is no secret, and the fault does not show it', (_, text) => {
    expect(() => parseSecretFile(text)).toThrow(/^(?!.*hunter2)/);
  });

  test('there is none unless it is configured', () => {
    expect(() => readDirectorySecret(null, 'good')).toThrow(/CORE_SECRETS_DIR/);
  });
});

test.each([
  ['https://sms.example/x', 'sms.example'],
  ['https://sms.example:443/x', 'sms.example'],
  ['https://SMS.example:8443/', 'sms.example:8443'],
  ['http://sms.example/', 'sms.example:80'],
  ['http://sms.example:443/', 'sms.example:443'],
  ['http://[::1]:8070/', '[::1]:8070'],
])('%s lies at %s', (url, host) => {
  expect(hostOf(url)).toBe(host);
});

test.each(['', 'a b', 'a/b', 'https://a', 'u@a', 'a?b', 'a#b', 'a\\b', 'a:b', 'a:99999'])(
  '"%s" is no host',
  (text) => {
    expect(readHost(text)).toBeNull();
  },
);

test('what is sealed opens with its key and words alone', () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const sealed = seal('hunter2', key, 'for a');
  expect(unseal(sealed, key, 'for a')).toBe('hunter2');
  for (const open of [
    () => unseal(sealed, other, 'for a'),
    () => unseal(sealed, key, 'for b'),
    () => unseal(sealed, key),
    () => unseal(sealed.slice(0, 10), key, 'for a'),
  ])
    expect(open).toThrow();
});
