// The command that the packages bring: what it makes of the administrator's configuration.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
