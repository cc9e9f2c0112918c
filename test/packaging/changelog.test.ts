// The Debian changelog, as it is made of the page that operators read.
import { describe, expect, test } from 'vitest';
import { changelogText, sectionsOf } from '../../packaging/deb/changelog.ts';
import { copyrightText } from '../../packaging/deb/copyright.ts';
import { PAGES, pageText } from '../../packaging/deb/pages.ts';
import { products } from '../../packaging/deb/product.ts';

const PAGE = `# Changelog

## Next release

### Before you upgrade

- Set \`CORE_A\` ${'and what comes with it '.repeat(6)}.
- Do that.

### New

- More.

## 0.2.0 (2026-03-01)

- Second.

## 0.1.0 (2026-01-01)

- First.
`;
const built = { product: products.site, epoch: Date.UTC(2026, 4, 1) / 1000 };
/** Heading and trailer of an entry, as dpkg-parsechangelog demands them. */
const HEADING = /^fieldline-site \((\S+)\) unstable; urgency=medium$/;
const TRAILER =
  /^ -- Fieldline packages <packages@fieldline\.invalid> {2}\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} \+0000$/;

describe('the Debian changelog', () => {
  test('has an entry for each version, the one that is built first with what is not released yet', () => {
    const text = changelogText({ ...built, version: '0.3.0' }, PAGE);
    expect(text.split('\n').flatMap((line) => HEADING.exec(line)?.[1] ?? [])).toEqual([
      '0.3.0',
      '0.2.0',
      '0.1.0',
    ]);
    const times = text
      .split('\n')
      .filter((line) => TRAILER.test(line))
      .map((line) => line.slice(-31));
    expect(times).toEqual([
      'Fri, 01 May 2026 00:00:00 +0000',
      'Sun, 01 Mar 2026 12:00:00 +0000',
      'Thu, 01 Jan 2026 12:00:00 +0000',
    ]);
    expect(text).toContain('  [ Before you upgrade ]\n  * Set CORE_A and');
    expect(text).toContain('\n\n  [ New ]\n  * More.\n\n -- ');
  });

  test('counts what is not released yet to a version that the page has already', () => {
    const text = changelogText({ ...built, version: '0.2.0' }, PAGE);
    expect(text.split('\n').flatMap((line) => HEADING.exec(line)?.[1] ?? [])).toEqual(['0.2.0', '0.1.0']);
    expect(text.indexOf('* More.')).toBeLessThan(text.indexOf('* Second.'));
    expect(text.indexOf('* Second.')).toBeLessThan(text.indexOf(' -- '));
  });

  test('keeps its lines within 80 characters and every word of the page', () => {
    const text = changelogText({ ...built, version: '0.1.0' });
    const lines = text.split('\n').filter((one) => !TRAILER.test(one));
    for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    const words = text.replace(/\s+/g, ' ');
    const items = pageText('packaging/CHANGELOG.md')
      .split('\n')
      .filter((one) => one.startsWith('- '));
    for (const line of items) {
      expect(words).toContain(line.replace(/^- /, '').replaceAll('`', ''));
    }
  });

  test('refuses a heading that is no version', () => {
    expect(() => sectionsOf('## Soon\n\n- More.\n')).toThrow('"Soon" is not a version');
  });
});

test('the copyright file has the terms of the licence, in the form that Debian reads', () => {
  const text = copyrightText(products.hq);
  const terms = /\nLicense: Fieldline\n((?: .*\n)+)/g;
  const paragraph = [...text.matchAll(terms)].at(-1)?.[1] ?? '';
  expect(paragraph.replace(/^ \.$/gm, '').replace(/^ /gm, '').trim()).toBe(pageText('LICENSE').trim());
  expect(text).toContain('Copyright: 2026 The Fieldline authors');
});

test('every page that the packages bring is there', () => {
  for (const page of PAGES) expect(pageText(page).length, page).toBeGreaterThan(0);
});
