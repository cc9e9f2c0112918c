// Files that people upload are read by the hub, as they see it through the API.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, expectStatus, jsonOf, request, until } from '../../support/request.ts';
import { asDocx } from './law-forms.ts';
import { type DocumentView, errorOf, fresh, itemsOf, openPolicyRig, type PolicyRig, TENANT } from './rig.ts';

interface ReadingView {
  docId: number;
  readingState: string;
  attempts: number;
  notes: { message: string; messageZh: string }[];
}

let rig: PolicyRig;
beforeAll(async () => {
  rig = await openPolicyRig({ CORE_POLICY_READING: 'on' });
});
afterAll(() => rig.close());

/** As a browser sends it. */
async function upload(fileName: string, bytes: Buffer): Promise<number> {
  const form = new FormData();
  const fields = {
    tenant_code: TENANT,
    src_system: 'console',
    src_key: fresh('form'),
    title: 't',
    version: '1',
  };
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([bytes]), fileName);
  const made = new Response(form);
  const answer = await request({
    ...{ url: rig.hub.url, method: 'POST', path: '/api/core/kb/docs/upload' },
    body: Buffer.from(await made.arrayBuffer()),
    headers: { 'x-admin-key': rig.adminKey, 'content-type': made.headers.get('content-type') ?? '' },
  });
  return jsonOf<DocumentView>(expectStatus(answer, 201)).docId;
}
const readings = (more: string, tenant = TENANT): Promise<Answer> =>
  rig.admin('GET', `/api/core/kb/readings?tenant_code=${tenant}${more}`);
async function ended(docId: number): Promise<ReadingView> {
  let last: ReadingView | undefined;
  await until('the file was read', async () => {
    [last] = itemsOf<ReadingView>(await readings(`&doc_id=${docId}`));
    return last?.readingState === 'read' || last?.readingState === 'failed';
  });
  if (!last) throw new Error('no reading');
  return last;
}

test('a Word file becomes its 71 clauses in review, without anybody running a program', async () => {
  const docId = await upload('law.docx', asDocx());
  expect(await ended(docId)).toMatchObject({ readingState: 'read', attempts: 1, notes: [] });
  const file = await rig.detail(docId);
  expect(file).toMatchObject({ status: 'review', missingNumbers: [], parseNote: null });
  expect(file.chunks).toHaveLength(72);
  expect(itemsOf(await readings(''))).toEqual([]);
});

test('a file with gaps says so in both languages, and is put in force only by who accepts them', async () => {
  const law = ['第一条 甲', '第二条 乙', '第三条 丙', '第五条 丁', '第六条 戊'].join('\n');
  const docId = await upload('a.txt', Buffer.from(law));
  const [note] = (await ended(docId)).notes;
  expect(note?.message).toContain('missing between those of the clauses: 第四条');
  expect(note?.messageZh).toContain('缺少的编号：第四条');
  const { chunksSha256 } = await rig.detail(docId);
  const state = { state: 'effective', expect_chunks_sha256: chunksSha256 };
  const refused = await rig.state(docId, state);
  expect(errorOf(refused)).toEqual([409, 'numbers_missing']);
  expect(jsonOf(refused)).toMatchObject({ messageZh: expect.stringContaining('第四条') as string });
  expectStatus(await rig.state(docId, { ...state, accept_missing_numbers: true }), 200);
});

test('a file that cannot be read is listed with the reason, and read again when a person asks', async () => {
  const docId = await upload('a.exe', Buffer.from('MZ\0\0'));
  expect(await ended(docId)).toMatchObject({
    readingState: 'failed',
    notes: [
      {
        message: expect.stringContaining('its format is none of') as string,
        messageZh: expect.stringContaining('格式不是') as string,
      },
    ],
  });
  expect(itemsOf<ReadingView>(await readings('')).map((one) => one.docId)).toEqual([docId]);
  expect(itemsOf(await readings('', 'other'))).toEqual([]);
  expectStatus(await rig.admin('POST', `/api/core/kb/docs/${docId}/read`, { tenant_code: TENANT }), 200);
  expect(
    errorOf(await rig.admin('POST', `/api/core/kb/docs/${docId}/read`, { tenant_code: 'other' })),
  ).toEqual([404, 'not_found']);
  await until('it was read again', async () => {
    const [one] = itemsOf<ReadingView>(await readings(`&doc_id=${docId}`));
    return one?.readingState === 'failed' && one.attempts === 1;
  });
  const { rows } = await rig.hub.store.pool.query(
    `select count(*)::int as times from audit where action = 'kb.document.read_again'`,
  );
  expect(rows).toEqual([{ times: 1 }]);
});
