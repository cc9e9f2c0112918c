// The pages that people read: what they link to and name is there, and the first one stays short.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { PAGES, PICTURES } from '../packaging/deb/pages.ts';
import { listFiles, ROOT } from './support/sources.ts';

const pages = listFiles().filter((file) => file.endsWith('.md') && !file.startsWith('node_modules/'));
const textOf = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8');
/** Program text is not prose: what stands in fences is tried elsewhere. */
const proseOf = (page: string): string => textOf(page).replace(/^```[^]*?^```$/gm, '');

/** Names of headings as a link to them writes them. */
function anchorsOf(page: string): Set<string> {
  const headings = [...proseOf(page).matchAll(/^#+ (.+)$/gm)];
  const named = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
  return new Set(headings.map(([, text = '']) => named(text)));
}

interface Link {
  page: string;
  target: string;
  anchor: string | undefined;
}

const links: Link[] = pages.flatMap((page) =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, address = '']) => {
    if (/^[a-z]+:/.test(address)) return [];
    const [file = '', anchor] = address.split('#');
    return [{ page, target: file === '' ? page : path.posix.join(path.posix.dirname(page), file), anchor }];
  }),
);

/** Top-level folders and what is made, as the pages begin paths with them. */
const OWN_PATH = /^(?:\.\/)?((?:common|hq|site|packaging|systemd|test)\/[^\s:]*)$/;
/** A variable part of a path, as `common/core/<noun>/port.ts`, stands for any name. */
function exists(named: string): boolean {
  const parts = named.replace(/\/$/, '').split('/');
  const find = (folder: string, rest: string[]): boolean => {
    const [first, ...others] = rest;
    if (first === undefined) return true;
    const at = path.join(ROOT, folder);
    if (!existsSync(at) || !statSync(at).isDirectory()) return false;
    if (first === '**') return true;
    const fixed = first.split(/<[^>]*>|\*+/).map((text) => text.replace(/[.+]/g, '\\$&'));
    const pattern = new RegExp(`^${fixed.join('.*')}$`);
    return readdirSync(at).some((name) => pattern.test(name) && find(path.posix.join(folder, name), others));
  };
  return find('', parts);
}

/** `{a,b}` stands for each of them. */
const spread = (named: string): string[] => {
  const found = /\{([^}]*)\}/.exec(named);
  if (!found) return [named];
  return (found[1] ?? '').split(',').flatMap((one) => spread(named.replace(found[0], one)));
};

describe('the pages', () => {
  test('link only to what is there', () => {
    const lost = links.filter(({ target }) => !existsSync(path.join(ROOT, target)));
    expect(lost.map(({ page, target }) => `${page}: ${target}`)).toEqual([]);
  });

  test('link only to headings that are there', () => {
    const lost = links.filter(
      ({ target, anchor }) =>
        anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor),
    );
    expect(lost.map(({ page, target, anchor }) => `${page}: ${target}#${anchor}`)).toEqual([]);
  });

  test('name only files and folders that are there', () => {
    const pathsIn = (text: string): string[] =>
      text.split(' ').flatMap((word) => OWN_PATH.exec(word)?.[1] ?? []);
    const lost = pages.flatMap((page) => {
      const named = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].flatMap(([, text = '']) =>
        pathsIn(text).flatMap(spread),
      );
      return named.filter((one) => !exists(one)).map((one) => `${page}: ${one}`);
    });
    expect(lost).toEqual([]);
  });

  test('can all be reached from the first one', () => {
    const reached = new Set(['README.md']);
    for (const page of reached) {
      const next = links.filter((link) => link.page === page && link.target.endsWith('.md'));
      for (const { target } of next) reached.add(target);
    }
    expect(pages.filter((page) => !reached.has(page))).toEqual([]);
  });

  test('say at their beginning who reads them', () => {
    expect(pages.filter((page) => !/^# .+\n\nThis page is for /.test(textOf(page)))).toEqual([]);
  });
});

describe('README.md', () => {
  test('is at most 10 kB', () => {
    expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(10_000);
  });
});

describe('the packages', () => {
  test('bring every page, and whatever a page links to', () => {
    expect(pages.filter((page) => !PAGES.includes(page))).toEqual([]);
    const outside = links.filter(
      ({ page, target }) => PAGES.includes(page) && ![...PAGES, ...PICTURES].includes(target),
    );
    expect(outside.map(({ page, target }) => `${page}: ${target}`)).toEqual([]);
  });
});

test('what only the long run tries is listed', () => {
  const parted = listFiles().filter(
    (file) =>
      file.startsWith('test/') &&
      file.endsWith('.ts') &&
      /\blong(?:Test|WhileWell)\b|\b(?:firstOf|half|quarter)\(/.test(textOf(file)),
  );
  const listed = textOf('test/LONG.md');
  expect(parted.filter((file) => !listed.includes(`\`${file}\``))).toEqual([]);
});

test('a page that names what is not there would be found', () => {
  expect(exists('common/core/event/nothing.ts')).toBe(false);
  expect(exists('common/core/<noun>/port.ts')).toBe(true);
  expect(exists('common/http/*.tsx')).toBe(false);
  expect(spread('{site,hq}/app.ts')).toEqual(['site/app.ts', 'hq/app.ts']);
});
