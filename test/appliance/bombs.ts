// Small things that unpack to more than any machine has, and answers without end, given to the programs as
// they run: each is refused by name, within its time, and neither memory nor disk grows.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { cursorOf } from '../../common/dataset/position.ts';
import { signedHeaders, type SigningKey } from '../../common/http/signing/signature.ts';
import { DUMP } from '../../hq/backup/manifest.ts';
import { ADMIN, buildBundles, Program, ROOT } from '../bench/program.ts';
import { archiveBomb, docxBomb, pdfBomb, plainFile } from '../support/bombs.ts';
import { DatasetSource, rowTime } from '../support/dataset-source.ts';
import { pdf } from '../support/pdf.ts';
import { freePort } from '../support/process.ts';
import { type Answer, request, until } from '../support/request.ts';
import { type Checks, expectEqual, expectMatch } from './checks.ts';
import { givenMb } from './memory.ts';
import { MemoryGroup } from './memory-group.ts';

const MB = 1024 * 1024;
const PETABYTE = 10 ** 15 / 4;
/** A reader of a document may have 1,024 MB, and 512 between two looks at it. */
const READING_MB = 2_048;
const COMMAND_WITHIN_MS = 300_000;
/** Recognition of one file ends after twelve minutes, or after 200 pages. */
const RECOGNITION_WITHIN_MS = 15 * 60_000;
const SCANNED_PAGES = 300;
const DATASET_BYTES = 50 * MB;

export async function bombs(checks: Checks): Promise<void> {
  buildBundles();
  mkdirSync(path.join(ROOT, '.fieldline'), { recursive: true });
  const dir = mkdtempSync(path.join(ROOT, '.fieldline', 'bombs-'));
  try {
    await archives(checks, dir);
    await onHub(checks, path.join(dir, 'hq'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const mb = (value: number): string => `${value.toFixed(0)} MB`;

interface Ran {
  code: number | null;
  said: string;
  seconds: number;
  peakMb: number;
}

/** A command of a bundle, in a group of its own that bounds its memory. */
async function command(
  program: 'site' | 'hq',
  args: readonly string[],
  {
    limitMb,
    env,
    withinMs = COMMAND_WITHIN_MS,
  }: { limitMb: number; env: Record<string, string>; withinMs?: number },
): Promise<Ran> {
  const group = new MemoryGroup(`bomb-${program}`, limitMb);
  const began = performance.now();
  try {
    const entry = path.join(ROOT, 'dist', program, 'main.mjs');
    const child = spawn(
      '/bin/sh',
      ['-c', 'echo $$ > "$0" && exec "$@"', group.processes, process.execPath, entry, ...args],
      { env: { PATH: process.env.PATH ?? '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (said += text.toString()));
    const late = setTimeout(() => child.kill('SIGKILL'), withinMs);
    const [code] = (await once(child, 'close')) as [number | null];
    clearTimeout(late);
    expectEqual(group.kills, 0, `processes of ${args[0] ?? ''} that were killed for want of memory`);
    return { code, said, seconds: (performance.now() - began) / 1000, peakMb: group.peakMb };
  } finally {
    await group.remove();
  }
}

const told = (checks: Checks, what: string, { seconds, peakMb }: Ran): void =>
  checks.figure(`  ${what}`, `${seconds.toFixed(1)} s, ${mb(peakMb)} at most, files in memory too`);

/** Backups that are put back, by the command as a person types it. */
async function archives(checks: Checks, dir: string): Promise<void> {
  const file = (name: string): string => path.join(dir, name);
  archiveBomb(file('store.tar.gz'), { name: 'site.db', size: PETABYTE }, 64 * MB);
  archiveBomb(file('endless.tar.gz'), { name: 'a', size: 8 * 1024 * MB, kind: 'x' }, 512 * MB);
  const manifest = JSON.stringify({
    ...{ program: 'fieldline-hq', format: 1, version: '1', instance: 'hq', at: 'now', migrations: [] },
    ...{ tables: [], dump: { sha256: 'a', tool: '18' }, sequences: [], masterKey: 'a', secrets: [] },
  });
  const before = await plainFile('manifest.json', manifest);
  archiveBomb(file('dump.tar.gz'), { name: DUMP, size: PETABYTE }, 64 * MB, before);
  const cases = [
    ['site', 'store.tar.gz', /needs \d+ MB in the data folder, and \d+ MB are free/],
    ['site', 'endless.tar.gz', /this is not an archive of this program/],
    ['hq', 'dump.tar.gz', /needs \d+ MB in .*, and \d+ MB are free/],
    ['hq', 'endless.tar.gz', /this is not an archive of this program/],
  ] as const;
  for (const [program, name, wanted] of cases)
    await checks.check(`${program} restore of ${name} is refused, and nothing is written`, async () => {
      const dataDir = mkdtempSync(path.join(dir, 'empty-'));
      const env = { CORE_DATA_DIR: dataDir, CORE_LISTEN: `127.0.0.1:${await freePort()}` };
      const ran = await command(program, ['restore', file(name)], { limitMb: 300, env });
      expectMatch(ran.said, wanted, 'what it says');
      expectEqual(ran.code === 0, false, 'that it ends well');
      // Headquarters begins a database of its own to put it into.
      const room = program === 'hq' ? 100 * MB : MB;
      expectEqual(
        bytesIn(dataDir) < room,
        true,
        `less than ${mb(room / MB)} in ${readdirSync(dataDir).join(' ')}`,
      );
      told(checks, `${program} restore of ${name}`, ran);
    });
}

const bytesIn = (dir: string): number =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);

interface Stage {
  checks: Checks;
  program: Program;
  group: MemoryGroup;
  env: Record<string, string>;
}

async function onHub(checks: Checks, dir: string): Promise<void> {
  mkdirSync(dir);
  const group = new MemoryGroup('bombs-hq', givenMb('hq'));
  const port = await freePort();
  const env = {
    CORE_DATASET_NETWORKS: '127.0.0.1/32',
    CORE_DATASET_TENANT_BYTES: String(DATASET_BYTES),
    CORE_DOC_DIR: path.join(dir, 'originals'),
  };
  mkdirSync(env.CORE_DOC_DIR);
  const program = Program.spawn({ program: 'hq', port, dir, env, group: group.processes });
  try {
    await program.ready().catch(() => program.ready());
    const stage = { checks, program, group, env: { CORE_DATA_DIR: dir, CORE_LISTEN: `127.0.0.1:${port}` } };
    await documents(stage);
    await pictures(stage);
    await datasets(stage, path.join(dir, 'postgres'));
    await checks.check('hq: nothing was killed for want of memory, and it serves', async () => {
      expectEqual(group.kills, 0, 'processes that were killed');
      await program.ready();
    });
    checks.figure(`hq under ${givenMb('hq')} MB: most in its group, files in memory too`, mb(group.peakMb));
  } finally {
    await program.stop();
    await group.remove();
  }
}

const call = (program: Program, method: string, target: string, body?: Buffer): Promise<Answer> =>
  request({
    ...{ url: `http://127.0.0.1:${program.port}`, method, path: target, timeoutMs: 60_000 },
    headers: { ...ADMIN, 'content-type': 'application/octet-stream' },
    ...(body ? { body } : {}),
  });

/** Word files, PDFs, and pages that are pictures, read by the command. */
async function documents({ checks, program, env }: Stage): Promise<void> {
  const side = 16_000;
  const jpeg = await sharp({ create: { width: side, height: side, channels: 3, background: '#fff' } })
    .jpeg({ quality: 1 })
    .toBuffer();
  const scanned = { jpeg: await pageOfText(), width: PAGE.width, height: PAGE.height };
  const files: [name: string, bytes: Buffer, note: RegExp | null, withinMs?: number][] = [
    ['bomb.docx', docxBomb(), /unpacked it is larger than 200 MB/],
    ['bomb.pdf', pdfBomb(), /needs more than 1024 MB of memory/],
    ['picture.pdf', pdf([{ jpeg, width: side, height: side }]), null],
    [
      'scan.pdf',
      pdf(Array.from({ length: SCANNED_PAGES }, () => scanned)),
      /recognition (?:reads 200 pages of a file at most|of one file ends after 12 minutes)/,
      RECOGNITION_WITHIN_MS,
    ],
  ];
  for (const [name, bytes, note, withinMs = COMMAND_WITHIN_MS] of files)
    await checks.check(
      `hq ingest of ${name} (${mb(bytes.length / MB)}) ends, and says what it left`,
      async () => {
        const id = await submitted(program, name, bytes);
        const given = { limitMb: READING_MB, env: { ...env, ...KEY }, withinMs };
        const ran = await command('hq', ['ingest'], given);
        const answer = await call(program, 'GET', `/api/core/kb/docs/${id}?tenant_code=T&all_levels=1`);
        const { status, parseNote } = JSON.parse(answer.text) as { status: string; parseNote: string | null };
        expectEqual(
          status === 'pending' || status === 'parsing',
          false,
          `that it is still to be read (${ran.said})`,
        );
        if (note) expectMatch(parseNote ?? '', note, 'its note');
        checks.figure(`  note of ${name}`, (parseNote ?? 'none').slice(0, 600));
        told(checks, `hq ingest of ${name}`, ran);
      },
    );
}

const PAGE = { width: 1240, height: 1604 };

/** A page as a scanner makes it, full of small print. */
async function pageOfText(): Promise<Buffer> {
  const lines = Array.from(
    { length: 44 },
    (_, at) =>
      `<text x="100" y="${120 + at * 33}" font-size="24" font-family="sans-serif">Article ${at + 1} ` +
      'Scaffolds are inspected daily by whoever answers for them, and after each storm.</text>',
  );
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${PAGE.width}" height="${PAGE.height}">` +
    `${lines.join('')}</svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: '#ffffff' }).jpeg({ quality: 50 }).toBuffer();
}

const KEY = { FIELDLINE_ADMIN_KEY: ADMIN['x-admin-key'] };

async function submitted(program: Program, name: string, bytes: Buffer): Promise<number> {
  const { docId } = await program.call<{ docId: number }>('POST', '/api/core/kb/docs', {
    ...{ tenant_code: 'T', src_system: 'manual', src_key: name, title: name, version: '1', file_name: name },
    ...{ size: bytes.length, sha256: digest(bytes) },
  });
  const answer = await call(program, 'POST', `/api/core/kb/docs/${docId}/file?tenant_code=T`, bytes);
  expectEqual(answer.status, 201, `upload of ${name}: ${answer.text.slice(0, 200)}`);
  return docId;
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A picture of 100 million pixels in some kilobytes, which a list asks to be made small. */
async function pictures({ checks, program }: Stage): Promise<void> {
  const flat = sharp({ create: { width: 10_000, height: 10_000, channels: 3, background: '#346' } });
  const bytes = await flat.png({ compressionLevel: 9 }).toBuffer();
  await checks.check(
    'hq: a picture of 100 million pixels is not made small, twenty times at once',
    async () => {
      const key = await program.call<SigningKey>('POST', '/api/core/nodes', {
        tenant_code: 'T',
        name: 'camera',
      });
      const file = { name: 'a.png', content_type: 'image/png', size: bytes.length, sha256: digest(bytes) };
      const body = JSON.stringify({ idempotency_key: 'p', type: 'fire.smoke', evidence: [file] });
      const { items } = JSON.parse((await signed(program, key, 'POST', '/api/core/events', body)).text) as {
        items: { id: number }[];
      };
      const target = `/api/core/events/${items[0]?.id ?? 0}/evidence/a.png`;
      expectEqual((await signed(program, key, 'PUT', target, bytes)).status, 201, 'upload');
      const small = await Promise.all(
        Array.from({ length: 20 }, () => call(program, 'GET', `${target}?size=small`)),
      );
      const statuses = [...new Set(small.map(({ status }) => status))].filter((one) => one !== 503);
      expectEqual(statuses, [422], 'answers');
    },
  );
}

function signed(
  program: Program,
  key: SigningKey,
  method: string,
  target: string,
  body: string | Buffer,
): Promise<Answer> {
  const type = typeof body === 'string' ? 'application/json' : 'image/png';
  return request({
    ...{ url: `http://127.0.0.1:${program.port}`, method, path: target, body, timeoutMs: 60_000 },
    headers: { 'content-type': type, ...signedHeaders(key, Date.now(), method, target, body) },
  });
}

/** A business system whose dataset never ends, and one whose answer never does. */
async function datasets({ checks, program }: Stage, database: string): Promise<void> {
  const source = await new DatasetSource({ rows: { size: 'integer', text: 'string' } }).open('127.0.0.1');
  const [text, rows] = ['x'.repeat(5_000), 200];
  source.answering = (response, _body, page) => {
    const items = Array.from({ length: rows }, (_, index) => {
      const at = page * rows + index;
      return { pk: String(at), updated_at: rowTime(at), deleted: false, size: at, text };
    });
    const last = items.at(-1) ?? { pk: '', updated_at: '' };
    const next = { hasMore: true, nextCursor: cursorOf({ updatedAt: last.updated_at, pk: last.pk }) };
    response.end(JSON.stringify({ items, ...next, schemaVersion: source.version, asOf: rowTime(3.6e9) }));
  };
  try {
    await checks.check(
      'hq: a dataset without end stops at the room of its tenant, with an alarm',
      async () => {
        const before = bytesIn(database);
        await pulled(program, source);
        const alarm = await until(
          'the alarm stands',
          async () => /dataset_room[^"]*/.exec((await call(program, 'GET', '/api/core/alarms')).text)?.[0],
          180_000,
        );
        checks.figure(
          '  dataset without end',
          `${alarm}, ${mb((bytesIn(database) - before) / MB)} in the database`,
        );
        expectEqual(bytesIn(database) - before < 20 * DATASET_BYTES, true, 'that the disk is bounded');
      },
    );
  } finally {
    await source.close();
  }
}

async function pulled(program: Program, source: DatasetSource): Promise<void> {
  const host = new URL(source.url).host;
  await program.call('PUT', '/api/core/secrets/business', {
    ...{ tenant_code: 'T', use: 'dataset', host, secret: 'a-secret-of-the-business-system' },
  });
  await program.call('POST', '/api/dataset/sources', {
    ...{ tenant_code: 'T', name: 'endless', base_url: source.url, key_id: 'k', secret_ref: 'business' },
    ...{ schedule: '* * * * *', datasets: [{ dataset: 'rows' }] },
  });
}
