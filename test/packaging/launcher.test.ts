// The command that the packages bring: what it makes of the administrator's configuration.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { products } from '../../packaging/deb/product.ts';
import { launcher } from '../../packaging/deb/tree.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'fieldline-launcher-'));
  for (const dir of ['etc/fieldline-site', 'usr/lib/fieldline-site'])
    mkdirSync(path.join(root, dir), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What the program has as the authorities to trust, with this configuration and environment. */
function trusted(configuration: string, env: Record<string, string> = {}): string {
  const script = path.join(root, 'fieldline-site');
  const text = launcher(products.site);
  writeFileSync(script, text.replaceAll('/etc/', `${root}/etc/`).replaceAll('/usr/lib/', `${root}/usr/lib/`));
  const node = path.join(root, 'usr/lib/fieldline-site/node');
  writeFileSync(node, '#!/bin/sh\necho "${NODE_EXTRA_CA_CERTS-none}"\n');
  writeFileSync(path.join(root, 'etc/fieldline-site/site.env'), configuration);
  for (const file of [script, node]) chmodSync(file, 0o755);
  const PATH = '/usr/bin:/bin';
  return execFileSync(script, ['status'], { encoding: 'utf8', env: { PATH, ...env } }).trim();
}

test('the authority that the configuration names counts for the command line as for the service', () => {
  expect(
    trusted('CORE_INSTANCE=a\nNODE_EXTRA_CA_CERTS=/etc/first.pem\nNODE_EXTRA_CA_CERTS="/etc/a ca.pem"\n'),
  ).toBe(`/etc/a ca.pem`);
  expect(trusted('#NODE_EXTRA_CA_CERTS=/etc/ca.pem\n')).toBe('none');
  expect(trusted('NODE_EXTRA_CA_CERTS=/etc/ca.pem\n', { NODE_EXTRA_CA_CERTS: '/mine.pem' })).toBe(
    '/mine.pem',
  );
});

/** A command of the hub as root types it, with stand-ins for what needs the user of the service. */
function typedByRoot(...words: string[]): { out: string; told: string } {
  const bin = path.join(root, 'bin');
  for (const dir of ['bin', 'etc/fieldline-hq/credentials', 'usr/lib/fieldline-hq'])
    mkdirSync(path.join(root, dir), { recursive: true });
  const told = path.join(root, 'told');
  const stand: Record<string, string> = {
    // Root until runuser has made it the user of the service.
    'bin/id': `[ -e ${told} ] && echo 999 || echo 0`,
    'bin/chown': ':',
    'bin/install': 'shift 4; cp "$1" "$2"',
    'bin/runuser': `echo "as $2" > ${told}; shift 3; exec "$@"`,
    'usr/lib/fieldline-hq/node': `echo "$CREDENTIALS_DIRECTORY" >> ${told}\ncat "$CREDENTIALS_DIRECTORY"/hq_*`,
    'fieldline-hq': launcher(products.hq)
      .replaceAll('/etc/', `${root}/etc/`)
      .replaceAll('/usr/lib/', `${root}/usr/lib/`),
  };
  for (const [file, text] of Object.entries(stand)) {
    writeFileSync(path.join(root, file), text.startsWith('#!') ? text : `#!/bin/sh\n${text}\n`);
    chmodSync(path.join(root, file), 0o755);
  }
  writeFileSync(path.join(root, 'etc/fieldline-hq/credentials/master-key'), 'the key');
  const out = execFileSync(path.join(root, 'fieldline-hq'), [...words, 'file'], {
    encoding: 'utf8',
    env: { PATH: `${bin}:/usr/bin:/bin` },
  });
  return { out, told: existsSync(told) ? readFileSync(told, 'utf8') : '' };
}

test.each([
  [['migrate']],
  [['backup']],
  [['restore']],
  [['--lang', 'zh', 'backup']],
  [['--lang=zh', 'restore']],
])('%j by root runs as the service, with its credentials, which are gone afterwards', (words) => {
  const { out, told } = typedByRoot(...words);
  const [user, folder = ''] = told.trim().split('\n');
  expect([user, out]).toEqual(['as fieldline-hq', 'the key']);
  expect(existsSync(folder)).toBe(false);
});

test('other commands of root stay with root, since they speak to the running hub', () => {
  for (const words of [['status'], ['--lang', 'backup'], ['alarms', 'backup']])
    expect(typedByRoot(...words)).toMatchObject({
      out: 'the key',
      told: expect.not.stringContaining('as '),
    });
});
