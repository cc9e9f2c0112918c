// Manual pages and completions, read by the tools that will read them on the machine.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completion } from '../../common/terminal/completion.ts';
import { tables } from '../../packaging/deb/commands.ts';
import { manualText } from '../../packaging/deb/manual.ts';
import { products } from '../../packaging/deb/product.ts';

let dir: string;
beforeAll(() => (dir = mkdtempSync(path.join(os.tmpdir(), 'fieldline-manual-'))));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const isThere = (tool: string): boolean => spawnSync(tool, ['--version']).status === 0;

/** What bash offers for a line with the cursor at its end, as its own completion machinery asks for it. */
function offered(program: 'site' | 'hq', line: string): string[] {
  const script = path.join(dir, `${program}.bash`);
  writeFileSync(script, completion(tables[program], 'bash'));
  const words = line.split(' ');
  const ask = [
    `source ${script}`,
    `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${words.length - 1}`,
    `COMP_LINE='${line}'`,
    `COMP_POINT=${line.length}`,
    `_fieldline_${program}`,
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  return execFileSync('bash', ['--norc', '-c', ask], { encoding: 'utf8', cwd: dir })
    .split('\n')
    .filter((word) => word !== '');
}

describe('completion', () => {
  test('bash offers commands, what follows them, options and their values', () => {
    expect(offered('site', 'fieldline-site st')).toEqual(['status']);
    const ofNodes = ['add', 'list', 'rotate', 'try', 'password', 'remove'];
    expect(offered('site', 'fieldline-site node ')).toEqual(ofNodes);
    expect(offered('site', 'fieldline-site --lang zh node ro')).toEqual(['rotate']);
    expect(offered('site', 'fieldline-site node rotate gate-1 --ov')).toEqual(['--overlap-hours']);
    expect(offered('site', 'fieldline-site node rotate --overlap-hours ')).toEqual([]);
    expect(offered('site', 'fieldline-site parked list --channel ')).toEqual(['events', 'verdicts']);
    expect(offered('site', 'fieldline-site parked show v')).toEqual(['verdicts']);
    expect(offered('hq', 'fieldline-hq site con')).toEqual(['continue']);
    expect(offered('hq', 'fieldline-hq user add li --role ')).toEqual(['operator', 'customer']);
  });

  test('bash offers files where one is to be named', () => {
    writeFileSync(path.join(dir, 'copy of a site.tar'), '');
    expect(offered('site', 'fieldline-site restore copy')).toEqual(['copy of a site.tar']);
    expect(offered('site', 'fieldline-site setup --ca copy')).toEqual(['copy of a site.tar']);
    expect(offered('site', 'fieldline-site node list copy')).toEqual([]);
  });

  test.each(['bash', 'zsh', 'fish'] as const)('%s takes the script without a complaint', (shell) => {
    // zsh and fish are not on every machine that builds; what is there reads it.
    if (!isThere(shell)) return;
    for (const program of ['site', 'hq'] as const) {
      const script = path.join(dir, `${program}.${shell}`);
      writeFileSync(script, completion(tables[program], shell));
      const read = spawnSync(shell, ['-n', script], { encoding: 'utf8' });
      expect([read.status, read.stderr]).toEqual([0, '']);
    }
  });

  test.each(['zsh', 'fish'] as const)('the script for %s has every command', (shell) => {
    for (const program of ['site', 'hq'] as const) {
      const script = completion(tables[program], shell);
      for (const { name } of tables[program].commands) {
        const [first = '', second] = name.split(' ');
        expect(script, name).toMatch(new RegExp(`'${second ?? first}[:']`));
      }
    }
  });
});

const pages = Object.values(products).flatMap((product) =>
  (['en', 'zh'] as const).map((language) => ({ product, language, name: product.name })),
);
describe.each(pages)('the manual page of $name in $language', ({ product, language }) => {
  const table = tables[product.program];
  const page = manualText(product, { table, version: '1.2.3', epoch: 0, language });

  test('names every command and option', () => {
    const plain = page.replaceAll('\\-', '-');
    for (const { name, options } of table.commands) {
      expect(plain).toContain(`.SS ${name}`);
      for (const option of Object.keys(options))
        expect(plain, `${name} --${option}`).toContain(`.B --${option}`);
    }
  });

  test('speaks its language', () => {
    const headings = page.split('\n').filter((line) => line.startsWith('.SH '));
    expect(headings).toHaveLength(10);
    for (const heading of headings) expect(/\p{Script=Han}/u.test(heading), heading).toBe(language === 'zh');
  });

  test('is read without a warning, and its name is found', () => {
    const file = path.join(dir, `${product.name}.8`);
    writeFileSync(file, page);
    if (isThere('groff')) {
      const read = spawnSync(
        'groff',
        ['-Kutf8', '-man', ...(language === 'zh' ? ['-mzh'] : []), '-Tutf8', '-ww', '-z', file],
        { encoding: 'utf8' },
      );
      expect([read.status, read.stderr]).toEqual([0, '']);
    }
    if (isThere('lexgrog')) {
      const found = execFileSync('lexgrog', [file], { encoding: 'utf8' });
      const summary = language === 'en' ? product.summary : table.summary.zh;
      expect(found).toContain(`"${product.name} - ${summary}"`);
    }
  });
});
