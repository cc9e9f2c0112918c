// What of the packages can be seen without building them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { tables } from '../../packaging/deb/commands.ts';
import { controlFiles } from '../../packaging/deb/control.ts';
import { copyrightText, licenceTexts } from '../../packaging/deb/copyright.ts';
import { manualText } from '../../packaging/deb/manual.ts';
import { products } from '../../packaging/deb/product.ts';
import { locked } from '../../packaging/deb/source.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
describe.each(Object.values(products))('$name', (product) => {
  const unit = readFileSync(path.join(ROOT, 'systemd', `${product.name}.service`), 'utf8');
  const value = (key: string): string | undefined => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1];

  test('the unit starts what the package brings, as its own user, and is told when it is ready', () => {
    expect(value('ExecStart')).toBe(`/usr/lib/${product.name}/node /usr/lib/${product.name}/main.mjs run`);
    expect([value('Type'), value('User'), value('StateDirectory'), value('Restart')]).toEqual([
      'notify',
      product.name,
      product.name,
      'always',
    ]);
    expect(Number(value('WatchdogSec'))).toBeGreaterThan(0);
    // The later file wins: the administrator's.
    expect([...unit.matchAll(/^EnvironmentFile=(.*)$/gm)].map(([, file]) => file)).toEqual([
      `/usr/lib/${product.name}/defaults.env`,
      `-/etc/${product.name}/${product.program}.env`,
    ]);
  });

  test('the maintainer scripts are shell that ends at the first fault, and the configuration is a conffile', () => {
    const files = controlFiles(
      { product, architecture: 'arm64', version: '1.2.3', epoch: 0 },
      path.join(ROOT, 'systemd'),
      7,
    );
    for (const name of ['postinst', 'prerm', 'postrm']) {
      expect(files[name]?.content).toMatch(/^#!\/bin\/sh\nset -e\n/);
      expect(files[name]?.mode).toBe(0o755);
    }
    expect(files.conffiles?.content).toBe(`/etc/${product.name}/${product.program}.env\n`);
    expect(files.control?.content).toMatch(/^Architecture: arm64$/m);
    expect(files.control?.content).toMatch(/^Version: 1\.2\.3$/m);
  });

  test('a first installation says in two lines what to do next, and nothing of what adduser has to say', async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-postinst-'));
    const script = (
      controlFiles(
        { product, architecture: 'arm64', version: '1.2.3', epoch: 0 },
        path.join(ROOT, 'systemd'),
        7,
      ).postinst?.content ?? ''
    )
      .replaceAll('/run/', `${dir}/run/`)
      .replaceAll('/etc/', `${dir}/etc/`);
    const stub = (name: string, body: string): void =>
      writeFileSync(path.join(dir, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 });
    for (const name of ['install', 'chmod', 'chgrp', 'deb-systemd-helper', 'systemctl']) stub(name, 'exit 0');
    stub('getent', 'exit 1');
    stub('adduser', 'echo "Warning: The home dir /nonexistent" >&2; exit ${ADDUSER:-0}');
    stub('hostname', 'echo 192.0.2.7 2001:db8::7');
    stub('deb-systemd-invoke', `echo "$@" >>${dir}/invoked`);
    mkdirSync(path.join(dir, 'run/systemd/system'), { recursive: true });
    const run = (env: object, ...argv: string[]) => {
      rmSync(path.join(dir, 'invoked'), { force: true });
      const { status, stdout, stderr } = spawnSync('sh', ['-c', script, 'postinst', ...argv], {
        env: { PATH: `${dir}:/usr/bin:/bin`, ...env },
        encoding: 'utf8',
      });
      const invoked = existsSync(path.join(dir, 'invoked'));
      return {
        status,
        stderr,
        invoked,
        lines: stdout
          .trim()
          .split('\n')
          .filter((line) => line !== ''),
      };
    };
    const first = run({}, 'configure');
    expect(first).toMatchObject({
      status: 0,
      stderr: '',
      lines: [expect.stringMatching(/^fieldline-/), expect.any(String)],
    });
    expect(run({}, 'configure', '1.0.0').lines).toEqual([]);
    expect(run({ ADDUSER: '1' }, 'configure')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('home dir'),
    });
    const page = `http://192.0.2.7:${product.program === 'site' ? 8080 : 8090}`;
    if (product.program === 'hq') {
      expect(first.lines.join(' ')).toContain('no PostgreSQL here');
      expect(first.invoked).toBe(false);
      mkdirSync(path.join(dir, 'etc/fieldline-hq'), { recursive: true });
      writeFileSync(path.join(dir, 'etc/fieldline-hq/hq.env'), 'DATABASE_URL=postgres://other/hub\n');
    }
    const ready = run({}, 'configure');
    expect([ready.invoked, ready.lines.join(' ')]).toEqual([true, expect.stringContaining(page)]);
    await rm(dir, { recursive: true });
  });

  test('the modules of both architectures are pinned', () => {
    for (const cpu of ['x64', 'arm64'] as const)
      for (const module of [...product.modules(cpu), `node-linux-${cpu}`])
        expect(locked[`node_modules/${module}`]?.integrity, module).toMatch(/^sha512-/);
  });

  test('every module that lies in the package is named with its licence, and its text or notices are there', () => {
    const [copyright, texts] = [copyrightText(product), licenceTexts(product, 'x64')];
    const heads = texts
      .split('\n')
      .filter((line) => /^----- .* -----$/.test(line))
      .flatMap((line) => line.slice(6, -6).split(', '));
    for (const module of product.modules('x64')) {
      expect(copyright, module).toContain(` ${module} ${locked[`node_modules/${module}`]?.version}: `);
      expect(heads, module).toContain(module);
    }
    // What the shared library of pictures is made of is under the LGPL in part, and its terms are named.
    const pictures = product.modules('x64').some((module) => module.includes('libvips'));
    expect(/^\| libvips +\| LGPLv3/m.test(texts) && /vips \d+\.\d+/.test(texts)).toBe(pictures);
    expect(texts.includes('/usr/share/common-licenses/LGPL-3')).toBe(pictures);
  });

  test('what the console is made of is named where the console lies, with the text of its licence', () => {
    const [copyright, texts] = [copyrightText(product), licenceTexts(product, 'x64')];
    const has = product.program === 'hq';
    // What its source imports, and what only another package of it needs.
    for (const module of [
      'react',
      'react-dom',
      'antd',
      'echarts',
      'zrender',
      '@tanstack/react-query',
      'scheduler',
    ]) {
      const { version } = locked[`node_modules/${module}`] ?? {};
      expect([module, copyright.includes(` ${module} ${version}: `)]).toEqual([module, has]);
    }
    expect(/^----- .*\bantd\b.* -----$/m.test(texts)).toBe(has);
    expect(/Apache ECharts/.test(texts)).toBe(has);
    expect(copyright).not.toMatch(/^ (?:vite|vitest|typescript) \d/m);
  });

  test('the manual names every variable of the page that the program has', () => {
    const page = manualText(product, {
      table: tables[product.program],
      version: '1.2.3',
      epoch: 0,
      language: 'en',
    });
    for (const line of readFileSync(path.join(ROOT, 'common/CONFIGURATION.md'), 'utf8')
      .split('\n')
      // A table with a column for each program; what headquarters may set at a site is a table by itself.
      .filter((one) => /^\| `CORE_/.test(one) && one.split('|').length > 5)) {
      const [name] = /CORE_[A-Z_0-9]+/.exec(line) ?? [];
      const has = !['–', ''].includes((line.split('|')[product.program === 'site' ? 2 : 3] ?? '').trim());
      expect(page.includes(name ?? '?'), line).toBe(has);
    }
  });
});
