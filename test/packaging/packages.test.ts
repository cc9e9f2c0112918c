// What of the packages can be seen without building them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { copyrightText, licenceTexts } from '../../packaging/deb/copyright.ts';
import { controlFiles } from '../../packaging/deb/control.ts';
import { tables } from '../../packaging/deb/commands.ts';
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
    const page = manualText(product, { table: tables[product.program], version: '1.2.3', epoch: 0 });
    for (const line of readFileSync(path.join(ROOT, 'common/CONFIGURATION.md'), 'utf8')
      .split('\n')
      .filter((one) => /^\| `CORE_/.test(one))) {
      const [name] = /CORE_[A-Z_0-9]+/.exec(line) ?? [];
      const has = !['–', ''].includes((line.split('|')[product.program === 'site' ? 2 : 3] ?? '').trim());
      expect(page.includes(name ?? '?'), line).toBe(has);
    }
  });
});
