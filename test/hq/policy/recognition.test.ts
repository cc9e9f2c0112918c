// Pages of pictures, read by character recognition: by the real programs where they are installed, by ones of
// the same name otherwise; and what those do to the file that is read.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DocumentAnswer, parseNoteOf, readDocument } from '../../../hq/policy/ingest/document.ts';
import type { RecognitionBounds } from '../../../hq/policy/ingest/recognition.ts';
import { pdf, type Piece, type Scan } from '../../support/pdf.ts';

const TOOLS = ['tesseract', 'pdftoppm'];
const STANDARD = '/usr/local/bin:/usr/bin:/bin';

let folder: string;
let searchPath: string;
beforeEach(async () => {
  searchPath = STANDARD;
  folder = await mkdtemp(path.join(os.tmpdir(), 'fieldline-tools-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Programs that alone are found, beside what shells need. */
async function install(programs: Record<string, string>): Promise<void> {
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(path.join(folder, name), 0o755);
  }
  for (const name of ['cat', 'sleep', 'yes', 'echo']) {
    const at = execFileSync('/bin/sh', ['-c', `command -v -p ${name}`], { encoding: 'utf8' }).trim();
    await rm(path.join(folder, name), { force: true });
    if (at.startsWith('/')) await symlink(at, path.join(folder, name));
  }
  searchPath = folder;
}

const LANGUAGES = 'if [ "$1" = --list-langs ]; then echo "List:"; echo chi_sim; echo eng; exit; fi';
/** The picture is the number of its page; what is read there is what it says. */
const STAND_IN = {
  pdftoppm: 'while [ "$1" != -f ]; do shift; done; echo "$2"',
  tesseract: `${LANGUAGES}\necho "Article $(cat)2 Helmets are worn"\necho "by every worker."`,
};
const installed = (): boolean => {
  try {
    for (const tool of TOOLS)
      execFileSync('/bin/sh', ['-c', `command -v ${tool}`], { env: { PATH: STANDARD } });
    return /^chi_sim$/m.test(execFileSync('tesseract', ['--list-langs'], { encoding: 'utf8' }));
  } catch {
    return false;
  }
};

async function scan(lines: readonly string[]): Promise<Scan> {
  const [width, height] = [1240, 1604];
  const text = lines
    .map(
      (line, at) =>
        `<text x="120" y="${200 + at * 60}" font-size="40" font-family="sans-serif">${line}</text>`,
    )
    .join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${text}</svg>`;
  return {
    width,
    height,
    jpeg: await sharp(Buffer.from(svg)).flatten({ background: '#ffffff' }).jpeg({ quality: 90 }).toBuffer(),
  };
}

const FIRST: Piece[] = [[50, 750, 'Article 1 Scaffolds are inspected daily.']];
const BLANK: Scan = { width: 1, height: 1, jpeg: Buffer.from('none') };
const read = (
  pages: readonly (readonly Piece[] | Scan)[],
  recognition: Partial<RecognitionBounds> = {},
): Promise<DocumentAnswer> =>
  readDocument(
    { bytes: pdf(pages), fileName: 'a.pdf', contentType: null },
    { recognition: { searchPath, ...recognition } },
  );
const noteOf = (answer: DocumentAnswer): string => parseNoteOf(answer) ?? '';

test('what stands in pictures is read, and marked by its pages', async () => {
  if (!installed()) await install(STAND_IN);
  const answer = await read([FIRST, await scan(['Article 22 Helmets are worn', 'by every worker.'])]);
  expect(answer).toMatchObject({
    clauses: [
      { page: 1, text: 'Article 1 Scaffolds are inspected daily.' },
      { page: 2, text: 'Article 22 Helmets are worn by every worker.' },
    ],
  });
  expect(noteOf(answer)).toMatch(/^Pages read by character recognition \(tesseract\), not from text: 2\. /);
});

test('a file of pictures alone is read too', async () => {
  await install(STAND_IN);
  const answer = await read([BLANK, BLANK]);
  expect(answer).toMatchObject({
    clauses: [
      { page: 1, text: 'Article 12 Helmets are worn by every worker.' },
      { page: 2, text: 'Article 22 Helmets are worn by every worker.' },
    ],
  });
});

test('blanks that recognition sees between Chinese characters go, and wide ones are columns', async () => {
  await install({
    ...STAND_IN,
    tesseract: `${LANGUAGES}\necho "第 三 条 作业 前 应当 检查 36 V 照明 ，不 得"\necho "电 压      10     35"`,
  });
  expect(await read([BLANK])).toMatchObject({
    clauses: [{ clausePath: '第三条', text: '第三条作业前应当检查 36 V 照明，不得\n电压 | 10 | 35' }],
  });
});

test.each<[string, Record<string, string>, string]>([
  ['nothing is installed', {}, 'tesseract + pdftoppm is not installed where files are read'],
  ['pages cannot be drawn', { tesseract: STAND_IN.tesseract }, 'and pdftoppm is not installed'],
  [
    'Chinese is missing',
    { ...STAND_IN, tesseract: 'echo eng' },
    'tesseract has no simplified Chinese (Debian: tesseract-ocr-chi-sim)',
  ],
  [
    'recognition fails',
    { ...STAND_IN, tesseract: `${LANGUAGES}\necho broken >&2; exit 3` },
    'page 2 failed: broken',
  ],
])('where %s, the note says so, and the text is read', async (_, programs, why) => {
  await install(programs);
  const answer = await read([FIRST, BLANK]);
  expect(answer).toMatchObject({ clauses: [{ page: 1 }] });
  expect(noteOf(answer)).toContain('empty or pictures: 2.');
  expect(noteOf(answer)).toContain(why);
  expect(noteOf(await read([BLANK]))).toMatch(/^The file could not be read: .*pictures.*;/);
});

test('what hangs or floods is ended, with what it has started', async () => {
  const mark = path.join(folder, 'child');
  // The shell of a program that is ended would leave this one behind.
  await install({ ...STAND_IN, tesseract: `${LANGUAGES}\nsleep 3600 & echo $! > ${mark}; wait` });
  expect(noteOf(await read([FIRST, BLANK], { withinMs: 500 }))).toContain('it took more than 0.5 s');
  const pid = Number(execFileSync('/bin/cat', [mark], { encoding: 'utf8' }));
  await expect.poll(() => isRunning(pid)).toBe(false);
  await install({ ...STAND_IN, pdftoppm: 'yes' });
  expect(noteOf(await read([FIRST, BLANK], { maxOutput: 1_000_000 }))).toContain('more than is taken');
  // A picture of more pixels than there is memory for: `tail` holds its last line whole.
  await install({ ...STAND_IN, pdftoppm: 'exec /usr/bin/tail -n 1 < /dev/zero' });
  expect(noteOf(await read([FIRST, BLANK], { memoryMb: 64 }))).toMatch(/page 2 failed: .*memory/);
});

test('a file of many pages is read up to a bound, and the note names the others', async () => {
  await install(STAND_IN);
  const answer = await read([BLANK, BLANK, BLANK], { pages: 2 });
  expect(noteOf(answer)).toContain('not from text: 1, 2.');
  expect(noteOf(answer)).toContain('empty or pictures: 3.');
  expect(noteOf(answer)).toContain('recognition reads 2 pages of a file at most');
  expect(noteOf(await read([FIRST, BLANK], { allWithinMs: 0 }))).toContain('recognition of one file ends');
});

/** A process that has ended and that nobody has asked for is a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/^\S+ \(.*\) Z/.test(execFileSync('/bin/cat', [`/proc/${pid}/stat`], { encoding: 'utf8' }));
  } catch {
    return false;
  }
}

test('what reads ends with the program that had it read, also when that is killed', async () => {
  const module = new URL('../../../hq/policy/ingest/bounded-tool.ts', import.meta.url).href;
  const [file, pidFile] = ['/bin/sh', path.join(folder, 'pid')];
  const call = {
    ...{ file, args: ['-c', `echo $$ > ${pidFile}; sleep 600; :`] },
    bounds: { withinMs: 600_000, memoryMb: 512, maxOutput: 1_000, searchPath: STANDARD },
  };
  const script = `import { runTool } from '${module}'; await runTool(${JSON.stringify(call)});`;
  const program = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
  const pid = async (): Promise<number> => Number(await readFile(pidFile, 'utf8').catch(() => ''));
  await expect.poll(pid, { timeout: 20_000 }).toBeGreaterThan(0);
  const tool = await pid();
  program.kill('SIGKILL');
  const ends = (): boolean => {
    try {
      return process.kill(tool, 0) && isZombie(tool);
    } catch {
      return true;
    }
  };
  await expect.poll(ends, { timeout: 20_000 }).toBe(true);
});

/** It has ended, and whoever would ask how is not there. */
const isZombie = (pid: number): boolean => / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
