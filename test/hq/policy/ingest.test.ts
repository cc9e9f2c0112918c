// The ingestion program against a running hub: every format, and what hostile files do to it.
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { say } from '../../../common/message.ts';
import { ApiClient } from '../../../common/terminal/api.ts';
import { rebuildIndex } from '../../../hq/cli/index.ts';
import { ingestFiles } from '../../../hq/cli/ingest.ts';
import { readDocument } from '../../../hq/policy/ingest/document.ts';
import { ingestMessages, type UnreadableReason } from '../../../hq/policy/ingest/ingest-messages.ts';
import { readApart } from '../../../hq/policy/ingest/reader.ts';
import { pdfBomb } from '../../support/bombs.ts';
import { DOCUMENT, docx, OFFICE, paragraphOf, zip } from '../../support/docx.ts';
import { expectStatus, jsonOf, request } from '../../support/request.ts';
import { openSessionRig, type SessionRig } from '../session-rig.ts';

/** A font that lies in no PDF, as many Chinese files have it. */
const chineseFont = (encoding: string, ordering = 'GB1'): string =>
  `<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /${encoding} /DescendantFonts [<< ` +
  '/Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light ' +
  `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /DW 1000 ` +
  '/FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 6 >> >>] >>';
const plainWords = (line: string): string => `(${line})`;

function pdf(
  pages: readonly (readonly string[])[],
  font = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  words = plainWords,
): Buffer {
  const objects = ['', '', font];
  const kids: string[] = [];
  for (const lines of pages) {
    const stream = `BT /F1 12 Tf 50 750 Td 16 TL ${lines.map((line) => `${words(line)} Tj T*`).join(' ')} ET`;
    objects.push(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${objects.length} 0 R /Resources ` +
        '<< /Font << /F1 3 0 R >> >> >>',
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[0] = '<< /Type /Catalog /Pages 2 0 R >>';
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
  return pdfOf(objects);
}

/** A PDF of these objects, the first of which is its catalogue. */
function pdfOf(objects: readonly string[]): Buffer {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer << /Size ` +
      `${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`,
  );
}

const PDF = pdf([
  ['Site rules', 'Article 1 Scaffolds are', 'inspected daily.', '1'],
  ['Site rules', 'Article 2 Harnesses are worn.', '2'],
  ['Site rules', '3'],
]);

/** An answer, with what is wrong with the file in English. */
const inEnglish = <T extends object>(answer: T | { unreadable: UnreadableReason }) =>
  'unreadable' in answer ? { unreadable: say(ingestMessages, answer.unreadable, 'en') } : answer;

let rig: SessionRig;
let originals: string;
beforeAll(async () => {
  originals = await mkdtemp(path.join(os.tmpdir(), 'fieldline-ingest-'));
  rig = await openSessionRig({ CORE_DOC_DIR: originals });
});
afterAll(async () => {
  await rig.close();
  await rm(originals, { recursive: true, force: true });
});

async function upload(fileName: string, bytes: Buffer): Promise<number> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { docId } = jsonOf<{ docId: number }>(
    expectStatus(
      await rig.admin('POST', '/api/core/kb/docs', {
        tenant_code: 'acme',
        src_system: 'manual',
        src_key: fileName,
        title: fileName,
        version: '1',
        file_name: fileName,
        size: bytes.length,
        sha256,
      }),
      201,
    ),
  );
  expectStatus(
    await request({
      url: rig.hub.url,
      method: 'POST',
      path: `/api/core/kb/docs/${docId}/file?tenant_code=acme`,
      body: bytes,
      headers: { 'x-admin-key': rig.adminKey, 'content-type': 'application/octet-stream' },
    }),
    201,
  );
  return docId;
}

interface Detail {
  status: string;
  parseNote: string | null;
  chunksSha256: string;
  chunks: { clausePath: string | null; page: number | null; text: string }[];
}
const detail = async (id: number): Promise<Detail> =>
  jsonOf<Detail>(
    expectStatus(await rig.admin('GET', `/api/core/kb/docs/${id}?tenant_code=acme&all_levels=1`), 200),
  );

function commands(): {
  said: () => string;
  context: { api: ApiClient; terminal: { out(text: string): void }; language: 'en' };
} {
  let said = '';
  const api = new ApiClient({
    at: { url: rig.hub.url },
    headers: { 'x-admin-key': rig.adminKey },
    whenSilent: 'no hub',
  });
  return {
    said: () => said,
    context: { api, terminal: { out: (text) => void (said += text) }, language: 'en' },
  };
}

test(
  'works the list: what can be read is cut into clauses, what cannot says why, and the clauses are found',
  { timeout: 120_000 },
  async () => {
    const good = {
      md: await upload('规程.md', Buffer.from('# 规程\n\n第一条 动火前办证。\n\n第二条 严禁烟火。')),
      txt: await upload(
        'b.txt',
        Buffer.from([0xb5, 0xda, 0xd2, 0xbb, 0xcc, 0xf5, 0x20, 0xb0, 0xb2, 0xc8, 0xab]),
      ),
      docx: await upload(
        'c.docx',
        docx(['第一章 总则', '第一条 吊装设警戒区 &amp; 专人监护。', '第二条 大风停止。']),
      ),
      pdf: await upload('d.pdf', PDF),
    };
    const bad = {
      docx: await upload('e.docx', docx(['x']).subarray(0, 200)),
      pdf: await upload('f.pdf', PDF.subarray(0, 120)),
      other: await upload('g.exe', Buffer.from('MZ\0\0')),
    };
    const { said, context } = commands();
    expect(await ingestFiles({ tenant: 'acme', watch: undefined }, context)).toBe(1);
    expect(said()).toContain('4 files read, 3 could not be read.');
    expect((await detail(good.md)).chunks.map(({ clausePath, text }) => [clausePath, text])).toEqual([
      ['规程 > 第一条', '第一条 动火前办证。'],
      ['规程 > 第二条', '第二条 严禁烟火。'],
    ]);
    expect((await detail(good.txt)).chunks).toMatchObject([{ clausePath: '第一条', text: '第一条 安全' }]);
    expect((await detail(good.docx)).chunks.map(({ clausePath, text }) => [clausePath, text])).toEqual([
      ['第一章 总则 > 第一条', '第一条 吊装设警戒区 & 专人监护。'],
      ['第一章 总则 > 第二条', '第二条 大风停止。'],
    ]);
    expect((await detail(good.pdf)).chunks.map(({ page, text }) => [page, text])).toEqual([
      [1, 'Article 1 Scaffolds are inspected daily.'],
      [2, 'Article 2 Harnesses are worn.'],
    ]);
    for (const id of Object.values(bad))
      expect(await detail(id)).toMatchObject({
        status: 'review',
        chunks: [],
        parseNote: expect.stringMatching(/^The file could not be read: /) as string,
      });
    const { chunksSha256 } = await detail(good.docx);
    expectStatus(
      await rig.admin('POST', `/api/core/kb/docs/${good.docx}/state`, {
        tenant_code: 'acme',
        state: 'effective',
        by: 'li',
        expect_chunks_sha256: chunksSha256,
      }),
      200,
    );
    const found = jsonOf<{ items: { docId: number; clausePath: string }[] }>(
      await rig.admin('POST', '/api/core/kb/search', {
        tenant_code: 'acme',
        subject: 'li',
        query: '吊装第1条',
      }),
    );
    expect(found.items[0]).toMatchObject({ docId: good.docx, clausePath: '第一章 总则 > 第一条' });
    expect(await rebuildIndex({ json: false }, context)).toBe(0);
    expect(said()).toMatch(/ready\n1 files in force, 7 chunks/);
  },
);

test('an original that is lost, and one that became effective meanwhile, hold nobody up', async () => {
  const [lost, late, good] = [
    await upload('lost.txt', Buffer.from('第一条 甲')),
    await upload('late.txt', Buffer.from('第一条 乙')),
    await upload('good.txt', Buffer.from('第一条 丙')),
  ];
  for (const entry of await readdir(originals, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && entry.parentPath.endsWith(`/${lost}`))
      await rm(path.join(entry.parentPath, entry.name));
  const { said, context } = commands();
  // Somebody else submits and approves while the program reads.
  const download = context.api.download.bind(context.api);
  context.api.download = async (target) => {
    const bytes = await download(target);
    if (!target.includes(`/docs/${late}/`)) return bytes;
    expectStatus(
      await rig.admin('POST', `/api/core/kb/docs/${late}/chunks`, {
        tenant_code: 'acme',
        chunks: [{ text: 'by hand' }],
      }),
      200,
    );
    expectStatus(
      await rig.admin('POST', `/api/core/kb/docs/${late}/state`, {
        tenant_code: 'acme',
        state: 'effective',
        by: 'li',
        expect_chunks_sha256: (await detail(late)).chunksSha256,
      }),
      200,
    );
    return bytes;
  };
  expect(await ingestFiles({ tenant: undefined, watch: undefined }, context)).toBe(1);
  expect(said()).toContain('1 files read, 2 could not be read.');
  expect(said()).toContain(`${late} late.txt: not processed: `);
  expect(await detail(lost)).toMatchObject({
    status: 'review',
    chunks: [],
    parseNote: expect.stringContaining('not in the store of the originals any more') as string,
  });
  expect((await detail(late)).chunks).toMatchObject([{ text: 'by hand' }]);
  expect((await detail(good)).chunks).toMatchObject([{ text: '第一条 丙' }]);
});

describe('a PDF', () => {
  const hex = (bytes: Buffer): string => `<${bytes.toString('hex')}>`;
  const utf16 = (line: string): string => hex(Buffer.from(line, 'utf16le').swap16());
  // 第一条 动火办证。PPR-9
  const GBK = 'b5dad2bbccf520b6afbbf0b0ecd6a4a1a35050522d39';
  const BIG5 = 'b2c4a440b1f820b0caa4f5bfecc3d2a1435050522d39';

  test.each<[string, string, string, string]>([
    ['UniGB-UCS2-H', 'GB1', utf16('第一条 动火办证。PPR-9'), '第一条 动火办证。PPR-9'],
    ['UniGB-UTF16-H', 'GB1', utf16('第一条 动火办证。PPR-9'), '第一条 动火办证。PPR-9'],
    ['GBK-EUC-H', 'GB1', `<${GBK}>`, '第一条 动火办证。PPR-9'],
    ['GB-EUC-H', 'GB1', `<${GBK}>`, '第一条 动火办证。PPR-9'],
    ['GBKp-EUC-H', 'GB1', `<${GBK}>`, '第一条 动火办证。PPR-9'],
    ['GBK2K-H', 'GB1', `<${GBK}>`, '第一条 动火办证。PPR-9'],
    ['ETen-B5-H', 'CNS1', `<${BIG5}>`, '第一條 動火辦證。PPR-9'],
  ])('whose font is not in it says in %s what it says', async (encoding, ordering, words, text) => {
    expect(
      await readDocument({
        bytes: pdf([['']], chineseFont(encoding, ordering), () => words),
        fileName: 'a.pdf',
        contentType: null,
      }),
    ).toMatchObject({ clauses: [{ text }] });
  });

  test("that names glyphs by numbers of the font's maker is not taken for other words", async () => {
    expect(
      inEnglish(
        await readDocument(
          {
            bytes: pdf([['']], chineseFont('Identity-H'), () => '<03e8040d04320457047c>'),
            fileName: 'a.pdf',
            contentType: null,
          },
          { recognition: { searchPath: '/nowhere' } },
        ),
      ),
    ).toMatchObject({ unreadable: expect.stringContaining('character recognition') as string });
  });

  test('with pages that give no text says which', async () => {
    const answer = await readDocument({
      bytes: pdf([['Article 1 Helmets.'], [], ['Article 2 Boots.'], []]),
      fileName: 'a.pdf',
      contentType: null,
    });
    expect(answer).toMatchObject({
      clauses: [{ page: 1 }, { page: 3 }],
      notes: [{ code: expect.stringMatching(/^silent/) as string, params: { pages: '2, 4' } }],
    });
  });
});

describe('a hostile file harms nobody', () => {
  const read = async (bytes: Buffer, fileName: string) =>
    inEnglish(await readApart({ bytes, fileName, contentType: null }));

  test('a bomb that says its size, and one that lies about it', async () => {
    const zeros = Buffer.alloc(210 * 1024 * 1024);
    expect(await read(docx(['x'], [{ name: 'word/media/a', bytes: zeros }]), 'a.docx')).toEqual({
      unreadable: 'unpacked it is larger than 200 MB',
    });
    expect(
      await read(
        docx(['x'], [{ name: 'word/media/a', bytes: Buffer.alloc(5_000_000), declared: 10 }]),
        'a.docx',
      ),
    ).toEqual({ unreadable: 'it is not a Word document: the archive is damaged' });
  });

  test('entities that grow, an empty file, and text that is only a number', async () => {
    const laughs =
      `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(100)}">]><w:document ` +
      `xmlns:w="${OFFICE}/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>`;
    const archive = docx(['x']);
    expect(archive.length).toBeGreaterThan(0);
    const grown = await read(zip([{ name: DOCUMENT, bytes: Buffer.from(laughs) }]), 'a.docx');
    expect(JSON.stringify(grown).length).toBeLessThan(1_000);
    expect(await read(Buffer.from('\n \n'), 'a.md')).toEqual({ unreadable: 'it is empty' });
    expect(await read(Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'a.docx')).toMatchObject({
      unreadable: expect.stringContaining('protected by a password') as string,
    });
    expect(await read(Buffer.from('1'), 'a.txt')).toEqual({
      clauses: [{ clausePath: null, page: null, text: '1' }],
      silent: [],
      torn: [],
    });
  });

  test('a Word file of nothing but nesting, entries or text is read no further than it may be', async () => {
    const cell = '<w:tbl><w:tr><w:tc>';
    const end = '</w:tc></w:tr></w:tbl>';
    const nested = `${cell.repeat(50_000)}${paragraphOf('x')}${end.repeat(50_000)}`;
    expect(await read(docx([nested]), 'a.docx')).toEqual({
      unreadable: 'it is not a Word document that can be read',
    });
    const parts = Array.from({ length: 6_000 }, (_, at) => ({
      name: `word/${at}.xml`,
      bytes: Buffer.alloc(0),
    }));
    expect(await read(docx(['x'], parts), 'a.docx')).toEqual({ unreadable: 'it has more than 5000 parts' });
    const inside = { name: 'word/embeddings/a.docx', bytes: docx(['inside']) };
    expect(await read(docx(['outside'], [inside]), 'a.docx')).toMatchObject({
      clauses: [{ text: 'outside' }],
    });
  });

  test('a text that grows beyond what can be submitted is not handed on', async () => {
    const signs = Buffer.alloc(20 * 1024 * 1024, '\u0001');
    expect(await read(signs, 'a.txt')).toEqual({ unreadable: 'it holds more than 100 MB of text' });
  });

  test('a PDF of pages without number, nesting without end or pages in a circle', async () => {
    const page = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>';
    const stream = '<< /Length 2 >>\nstream\nq \nendstream';
    const withPages = (pages: string, more = ''): Buffer =>
      pdfOf([`<< /Type /Catalog /Pages 2 0 R ${more} >>`, pages, page, stream]);
    const kids = '3 0 R '.repeat(200_000);
    const bounds = { withinMs: 3_000, memoryMb: 512 };
    const readPdf = async (bytes: Buffer) =>
      inEnglish(await readApart({ bytes, fileName: 'a.pdf', contentType: null }, bounds));
    expect(await readPdf(withPages(`<< /Type /Pages /Kids [${kids}] /Count 200000 >>`))).toMatchObject({
      unreadable: expect.stringMatching(/^reading it (?:took|needs) more than/) as string,
    });
    for (const bytes of [
      withPages('<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000 >>'),
      withPages('<< /Type /Pages /Kids [3 0 R] /Count 1 >>', `/X ${'['.repeat(1_000_000)}`),
    ])
      expect(await readPdf(bytes)).toMatchObject({ unreadable: expect.any(String) as string });
  });

  test('a PDF whose stream unpacks to 1.5 GB', async () => {
    const answer = await readApart(
      { bytes: pdfBomb(), fileName: 'a.pdf', contentType: null },
      { memoryMb: 256 },
    );
    expect(inEnglish(answer)).toEqual({ unreadable: 'reading it needs more than 256 MB of memory' });
  });

  test('a document whose reader may not have what it needs even at once is ended by the system', async () => {
    const answer = await readApart(
      { bytes: pdfBomb(), fileName: 'a.pdf', contentType: null },
      { memoryMb: 300, aheadMb: 400, lookMs: 60_000 },
    );
    expect(inEnglish(answer)).toEqual({ unreadable: 'reading it needs more than 300 MB of memory' });
  });

  test('one that needs too much memory gets a note, and the next file is read', async () => {
    const bytes = pdfBomb();
    expect(bytes.length).toBeLessThan(2 * 1024 * 1024);
    const bombId = await upload('bomb.pdf', bytes);
    const nextId = await upload('next.pdf', PDF);
    const { said, context } = commands();
    expect(await ingestFiles({ tenant: 'acme', watch: undefined }, context)).toBe(1);
    expect(said()).toContain('1 files read, 1 could not be read.');
    const note = 'The file could not be read: reading it needs more than 1024 MB of memory.';
    expect(await detail(bombId)).toMatchObject({ status: 'review', parseNote: note });
    expect((await detail(nextId)).chunks).not.toHaveLength(0);
  });

  test('a document that takes too long', async () => {
    expect(await readApart({ bytes: PDF, fileName: 'a.pdf', contentType: null }, { withinMs: 1 })).toEqual({
      unreadable: { code: 'too_late', params: { seconds: 0.001 } },
    });
  });
});
