// One law in every form in which people have it: the same 71 articles come of each, with the same words.
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readDocument } from '../../../hq/policy/ingest/document.ts';
import { readOriginal } from '../../../hq/policy/ingest/read.ts';
import { longTest } from '../../support/long.ts';
import { pdf, type Scan } from '../../support/pdf.ts';
import { asDocx, asHtml, asMarkdown, asPdf, asText, laidOut, LAW } from './law-forms.ts';

const ARTICLES = 71;
/** The words of the articles, by number, as the law has them. */
const WORDS = new Map<string, string>();
for (const text of LAW.slice(4)) {
  const number = /^第.{1,5}条/.exec(text)?.[0];
  if (number !== undefined) WORDS.set(number, text);
  else if (!/^第.{1,3}章/.test(text)) {
    const last = [...WORDS.keys()].at(-1) ?? '';
    WORDS.set(last, `${WORDS.get(last)}${text}`);
  }
}
const plain = (text: string): string => text.replace(/\s+/g, '');
const numberOf = (clausePath: string | null): string => clausePath?.split(' > ').at(-1) ?? '';

const FORMS: [string, string, () => Buffer | Promise<Buffer>][] = [
  ['text', 'law.txt', asText],
  ['Markdown', 'law.md', asMarkdown],
  ['a web page', 'law.html', asHtml],
  ['a Word file', 'law.docx', asDocx],
  ['a PDF of one column', 'law.pdf', () => asPdf(1)],
  ['a PDF of two columns', 'law.pdf', () => asPdf(2)],
  ['a PDF of two columns, laid out here', 'law.pdf', () => pdf(laidOut(2))],
];

test.each(FORMS)('as %s', { timeout: 60_000 }, async (_, fileName, made) => {
  const { clauses, silent, torn } = await readOriginal({ bytes: await made(), fileName, contentType: null });
  expect({ silent, torn }).toEqual({ silent: [], torn: [] });
  const [preamble, ...articles] = clauses;
  // Titles of the law and its chapters are in the paths, headers and page numbers in nothing.
  expect(preamble?.clausePath).toBe(LAW[0]);
  expect(plain(preamble?.text ?? '')).toBe(plain(LAW.slice(0, 4).join('')));
  expect(articles).toHaveLength(ARTICLES);
  expect(new Map(articles.map(({ clausePath, text }) => [numberOf(clausePath), plain(text)]))).toEqual(
    new Map([...WORDS].map(([number, text]) => [number, plain(text)])),
  );
  expect(articles[0]?.clausePath).toBe(`${LAW[0]} > 第一章 总则 > 第一条`);
});

const BLANK: Scan = { width: 1, height: 1, jpeg: Buffer.from('none') };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'fieldline-scan-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Programs that stand in for recognition: they say what is on a page, with blanks as it sees them. */
async function standIns(): Promise<string> {
  const pages = laidOut(1).map((page) =>
    page.map(([, , text]) => text.replace(/(?<=\S)(?=\S)/gu, ' ')).join('\n'),
  );
  for (const [at, text] of pages.entries()) await writeFile(path.join(folder, `${at + 1}.txt`), text);
  const programs = {
    pdftoppm: 'while [ "$1" != -f ]; do shift; done; echo "$2"',
    tesseract: `[ "$1" = --list-langs ] && echo chi_sim && exit\nread page; cat "${folder}/$page.txt"`,
  };
  for (const [name, script] of Object.entries(programs))
    await writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return `${folder}:/usr/local/bin:/usr/bin:/bin`;
}

/** Pictures of the pages, as a scanner makes them. */
async function scanned(bytes: Buffer): Promise<Buffer> {
  await writeFile(path.join(folder, 'a.pdf'), bytes);
  execFileSync('pdftoppm', ['-r', '150', '-gray', '-png', 'a.pdf', 'page'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const pages: Scan[] = [];
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.png')).sort()) {
    const picture = sharp(await readFile(path.join(folder, name)));
    const { data, info } = await picture.jpeg({ quality: 85 }).toBuffer({ resolveWithObject: true });
    pages.push({ jpeg: data, width: info.width, height: info.height });
  }
  return pdf(pages);
}

/** The articles of a scan by number, and its notes. */
async function readScan(bytes: Buffer, searchPath?: string) {
  const recognition = searchPath === undefined ? {} : { searchPath };
  const answer = await readDocument({ bytes, fileName: 'scan.pdf', contentType: null }, { recognition });
  if ('unreadable' in answer) throw new Error(JSON.stringify(answer.unreadable));
  return {
    notes: answer.notes.map(({ code }) => code),
    read: new Map(answer.clauses.map(({ clausePath, text }) => [numberOf(clausePath), plain(text)])),
  };
}

test('as a scan, of which recognition reads every page', { timeout: 60_000 }, async () => {
  const { notes, read } = await readScan(pdf(laidOut(1).map(() => BLANK)), await standIns());
  expect(notes).toEqual(['recognized']);
  for (const [number, text] of WORDS) expect(read.get(number)).toBe(plain(text));
});

/** Minutes of a processor. */
longTest('as a scan, with a few characters that are recognized as others', { timeout: 900_000 }, async () => {
  const real = isInstalled();
  const bytes = real ? await scanned(await asPdf(1)) : pdf(laidOut(1).map(() => BLANK));
  const { notes, read } = await readScan(bytes, real ? undefined : await standIns());
  expect(notes).toContain('recognized');
  // Programs of other versions err elsewhere: a number that none has read is told of.
  const missing = [...WORDS.keys()].filter((number) => !read.has(number));
  expect(missing.length).toBeLessThanOrEqual(2);
  if (missing.length > 0) expect(notes).toContain('gaps');
  const pairsOf = (text: string): string[] =>
    [...plain(text).slice(1)].map((two, at) => plain(text)[at] + two);
  const pairs = [...WORDS].flatMap(([number, text]) => pairsOf(text).map((pair) => [number, pair] as const));
  const same = pairs.filter(([number, pair]) => read.get(number)?.includes(pair));
  expect(same.length / pairs.length).toBeGreaterThan(0.9);
});

function isInstalled(): boolean {
  try {
    execFileSync('pdftoppm', ['-v'], { stdio: 'ignore' });
    return /^chi_sim$/m.test(execFileSync('tesseract', ['--list-langs'], { encoding: 'utf8' }));
  } catch {
    return false;
  }
}
