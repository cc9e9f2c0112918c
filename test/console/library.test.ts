// The policy library in a browser: what may be cited, and how files come into force and leave it.
import { hash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstOf } from '../support/campaign.ts';
import { longTest } from '../support/long.ts';
import { expectStatus, jsonOf, request, until } from '../support/request.ts';
import { type ConsoleRig, openConsoleRig, type Visit, type VisitOptions } from './rig.ts';

const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
const HOSTILE = `<img src=x onerror="alert(1)"> \u202Eعربي 🏗️ ${'长'.repeat(190)}`;

interface File {
  docId: number;
  status: string;
  chunksSha256: string;
  supersededBy: number | null;
}

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
  await rig.addUser('chief');
  await rig.addUser('customer', { role: 'customer', tenant_code: rig.tenant });
});
afterAll(() => rig.close());

const post = async <T>(path: string, body: object, status = 200): Promise<T> =>
  jsonOf<T>(expectStatus(await rig.hub.api('POST', `/api/core/kb/${path}`, body), status));
const file = async (id: number, tenant = 'head'): Promise<File> =>
  jsonOf<File>(
    expectStatus(await rig.hub.api('GET', `/api/core/kb/docs/${id}?tenant_code=${tenant}&all_levels=1`), 200),
  );

let made = 0;
/** A file in review. */
async function inReview(title: string, more: object = {}, tenant = 'head'): Promise<File> {
  const { docId } = await post<File>(
    'docs',
    {
      tenant_code: tenant,
      src_system: 'manual',
      src_key: `key-${(made += 1)}`,
      title,
      version: '1',
      size: PDF.length,
      sha256: hash('sha256', PDF),
      file_name: 'rules.pdf',
      content_type: 'application/pdf',
      ...more,
    },
    201,
  );
  const answer = await request({
    url: rig.hub.url,
    method: 'POST',
    path: `/api/core/kb/docs/${docId}/file?tenant_code=${tenant}`,
    headers: { 'x-admin-key': rig.hub.adminKey },
    body: PDF,
  });
  expectStatus(answer, 201);
  return post<File>(`docs/${docId}/chunks`, {
    tenant_code: tenant,
    chunks: [
      { clause_path: '第三章 / 第 3.2 条', page: 3, text: `${title}：动火作业必须设监护人，配备灭火器。` },
      { clause_path: null, page: null, text: `${title}：作业后检查三十分钟。` },
    ],
  });
}

async function inForce(title: string, more: object = {}, tenant = 'head'): Promise<File> {
  const { docId, chunksSha256 } = await inReview(title, more, tenant);
  return post<File>(`docs/${docId}/state`, {
    tenant_code: tenant,
    state: 'effective',
    by: 'reviewer',
    expect_chunks_sha256: chunksSha256,
  });
}

const enter = (target: string, user = 'chief', options: VisitOptions = {}): Promise<Visit> =>
  rig.enter(user, target, options);
const dialog = (page: Page) => page.getByRole('dialog');

test('a question leads to clauses with score, check, text and the original at its page', async () => {
  const { docId } = await inForce('动火管理办法', { doc_no: 'HSE-12', effective_date: '2020-01-01' });
  const visit = await enter('/library');
  const { page } = visit;
  await page.getByPlaceholder(/A question or terms/).fill('动火 监护人');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: 'May be cited' }).first().waitFor();
  expect(new URL(page.url()).searchParams.get('q')).toBe('动火 监护人');
  await page
    .getByRole('region', { name: 'The text as it is stored' })
    .getByText(/必须设监护人/)
    .waitFor();
  const link = page.getByRole('link', { name: 'Open the original at page 3' });
  const href = (await link.getAttribute('href')) ?? '';
  expect(href).toMatch(new RegExp(`^/api/core/kb/docs/${docId}/file\\?.*#page=3$`));
  const answer = await page.request.get(new URL(href, rig.hub.url).href);
  expect(answer.headers()['content-disposition']).toMatch(/^inline;/);
  expect(answer.headers()['content-type']).toBe('application/pdf');
  expect((await answer.body()).equals(PDF)).toBe(true);
  await page.getByRole('link', { name: 'Open the file' }).click();
  await page.getByRole('heading', { name: '动火管理办法' }).waitFor();
  await page.getByText('HSE-12').waitFor();
  visit.check();
});

test('a file that is dropped with its data is read by itself, and says what is missing before it is put in force', async () => {
  const visit = await enter('/library/files');
  const { page } = visit;
  await page.getByRole('button', { name: 'Upload a file' }).click();
  await dialog(page).getByRole('button', { name: 'Upload a file' }).click();
  await dialog(page).getByText('Choose the file').or(dialog(page).getByText('Choose a file')).waitFor();
  await page.locator('input[type="file"]').setInputFiles({
    name: '吊装规程.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# 吊装\n\n4.1 设警戒区。\n\n4.3 大风停止。\n'),
  });
  await dialog(page).getByLabel('Version').fill('2026');
  await dialog(page).getByRole('button', { name: 'Upload a file' }).click();
  await page.getByText('Uploaded; it waits to be read').waitFor();
  await page.getByRole('link', { name: '吊装规程' }).waitFor();
  await page.getByRole('link', { name: '吊装规程' }).click();
  // It is shown when it was read, without loading the page anew.
  await page.getByText('Numbers missing between its clauses: 4.2').waitFor();
  await page.getByText('设警戒区').waitFor();
  await page.getByRole('button', { name: 'Mark effective' }).click();
  const mark = dialog(page).getByRole('button', { name: 'Mark effective' });
  await dialog(page).getByLabel('I have read the 2 clauses').check();
  expect(await mark.isDisabled()).toBe(true);
  await dialog(page).getByLabel('I have compared it with the original').check();
  await mark.click();
  await page.getByText('It is effective now').waitFor();
  visit.check();
});

test('marking effective shows both versions and takes the place of the old one; then it is withdrawn', async () => {
  const old = await inForce('高处作业规定');
  const next = await inReview('高处作业规定 新版', { supersedes: old.docId, version: '2' });
  const visit = await enter(`/library/files/${next.docId}`);
  const { page } = visit;
  await page.getByRole('button', { name: 'Mark effective' }).click();
  await dialog(page).getByText('Becomes superseded').waitFor();
  const mark = dialog(page).getByRole('button', { name: 'Mark effective' });
  expect(await mark.isDisabled()).toBe(true);
  await dialog(page).getByLabel('I have read the 2 clauses').check();
  await mark.click();
  await page.getByText('It is effective now').waitFor();
  expect(await file(old.docId)).toMatchObject({ status: 'superseded', supersededBy: next.docId });
  await page.getByRole('button', { name: 'Withdraw' }).click();
  const withdraw = dialog(page).getByRole('button', { name: 'Withdraw' });
  expect(await withdraw.isDisabled()).toBe(true);
  await dialog(page).getByLabel('Reason').fill('replaced by law');
  await withdraw.click();
  await dialog(page).waitFor({ state: 'hidden' });
  await page.getByText('replaced by law').waitFor();
  expect(await file(next.docId)).toMatchObject({ status: 'withdrawn', reason: 'replaced by law' });
  visit.check();
});

test('clauses that were submitted again meanwhile are not made effective unread; a file is superseded by hand', async () => {
  const { docId } = await inReview('受限空间');
  const visit = await enter(`/library/files/${docId}`);
  const { page } = visit;
  await page.getByRole('button', { name: 'Mark effective' }).click();
  await dialog(page).getByLabel('I have read the 2 clauses').check();
  await post(`docs/${docId}/chunks`, { tenant_code: 'head', chunks: [{ text: 'something else' }] });
  await dialog(page).getByRole('button', { name: 'Mark effective' }).click();
  await page.getByText('submitted again meanwhile').waitFor();
  await page.getByText('something else').waitFor();
  expect((await file(docId)).status).toBe('review');
  const standing = await inForce('临时用电');
  await visit.open(`/library/files/${standing.docId}`);
  await page.getByRole('button', { name: 'Mark superseded' }).click();
  await dialog(page).getByRole('button', { name: 'Mark superseded' }).click();
  await page.getByText('It is marked superseded').waitFor();
  expect((await file(standing.docId)).status).toBe('superseded');
  visit.check();
});

test('an old answer says what became of what it cites, and takes feedback', async () => {
  const cited = await inForce('问答依据');
  const [chunk] = jsonOf<{ chunks: { chunkId: number }[] }>(
    await rig.hub.api('GET', `/api/core/kb/docs/${cited.docId}?tenant_code=head&all_levels=1`),
  ).chunks;
  const { qaId } = await post<{ qaId: number }>(
    'qa_log',
    {
      tenant_code: 'head',
      subject: 'li',
      question: '谁来监护？',
      answer: '必须设监护人',
      citations: [{ chunk_id: chunk?.chunkId }],
    },
    201,
  );
  await post(`docs/${cited.docId}/state`, {
    tenant_code: 'head',
    state: 'withdrawn',
    by: 'reviewer',
    reason: 'old',
  });
  const visit = await enter('/library/answers');
  const { page } = visit;
  await page.getByText('Nothing was asked yet').waitFor();
  await page.getByRole('combobox', { name: 'Whose clearance' }).click();
  await page.getByTitle('Every level (goes into the audit)').click();
  await page.getByText('谁来监护？').click();
  await page.getByText('Some of what it cites no longer holds').waitFor();
  await dialog(page).getByText('Withdrawn').waitFor();
  await dialog(page).getByLabel('Note (may be left out)').fill('out of date');
  await dialog(page).getByRole('button', { name: 'Wrong' }).click();
  await page.getByText('The feedback is noted').waitFor();
  const after = jsonOf<object>(
    await rig.hub.api('GET', `/api/core/kb/qa_log/${qaId}?tenant_code=head&all_levels=1`),
  );
  expect(after).toMatchObject({ feedback: 'wrong', feedbackNote: 'out of date' });
  visit.check();
});

longTest(
  'a customer reads its own library without controls; what is of another tenant does not exist',
  async () => {
    const foreign = await inForce('总部内部办法');
    await inForce('客户办法', {}, rig.tenant);
    const visit = await enter('/library/files', 'customer');
    const { page } = visit;
    await page.getByRole('link', { name: '客户办法' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(2);
    expect(await page.getByRole('button', { name: 'Upload' }).count()).toBe(0);
    expect(await page.getByRole('tab', { name: 'To review' }).count()).toBe(0);
    await page.getByRole('link', { name: '客户办法' }).click();
    await page.getByText('作业后检查三十分钟').waitFor();
    expect(await page.getByRole('button', { name: 'Withdraw' }).count()).toBe(0);
    await visit.open('/library?q=动火');
    await page.getByRole('cell', { name: /客户办法/ }).waitFor();
    expect(await page.getByText('总部内部办法').count()).toBe(0);
    await visit.open(`/library/files/${foreign.docId}`);
    await page.getByText('It does not exist, or no longer does').waitFor();
    visit.check();
  },
);

longTest('texts that would be markup, are very long or run from right to left break nothing', async () => {
  const { docId } = await inForce(HOSTILE, { version: 'v'.repeat(64) });
  for (const width of [1366, 390] as const)
    for (const target of [
      `/library?q=${encodeURIComponent('监护人 长长')}`,
      '/library/files',
      `/library/files/${docId}`,
    ]) {
      const visit = await enter(target, 'chief', { width });
      await visit.page.getByText('<img src=x', { exact: false }).first().waitFor();
      expect(await visit.page.locator('img[src="x"]').count()).toBe(0);
      const [scroll, client] = await visit.page.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
      );
      expect([target, width, scroll]).toEqual([target, width, client]);
      visit.check();
      await visit.context.close();
    }
});

test.each<['en-GB' | 'zh-CN', string]>(
  firstOf([
    ['zh-CN', '待生效'],
    ['en-GB', 'Scheduled'],
  ]),
)('a file that waits for its day stands apart from the one in force (%s)', async (locale, waits) => {
  const title = `排期 ${locale}`;
  const first = await inForce(title);
  const day = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  const second = await inForce(title, { supersedes: first.docId, version: '2', effective_date: day });
  expect(second.status).toBe('effective');
  const visit = await enter('/library/files', 'chief', { locale });
  const rows = visit.page.getByRole('row').filter({ hasText: title });
  await rows.filter({ hasText: waits }).waitFor();
  expect(await rows.count()).toBe(2);
  await visit.open('/library/files?status=effective');
  await rows.first().waitFor();
  expect([await rows.count(), await rows.filter({ hasText: waits }).count()]).toEqual([1, 0]);
  await visit.open('/library/files?status=scheduled');
  await rows.filter({ hasText: waits }).waitFor();
  expect(await rows.count()).toBe(1);
  visit.check();
});

test('a task shows the clause that applies by itself, and leads to it', async () => {
  const { docId } = await inForce('动火办法');
  const [chunk] = jsonOf<{ chunks: { chunkId: number; text: string }[] }>(
    await rig.hub.api('GET', `/api/core/kb/docs/${docId}?tenant_code=head&all_levels=1`),
  ).chunks;
  const about = { tenant_code: 'head', type: 'disposal', severity: 'high' };
  const task = async (title: string, clause: unknown): Promise<number> => {
    const body = { ...about, title, body: { clause, rule: 'r-17' } };
    return jsonOf<{ id: number }>(
      expectStatus(await rig.hub.api('POST', '/api/core/objects/tasks', body), 201),
    ).id;
  };
  const clause = { title: '动火办法', path: '第 3.2 条', version: '1', docId, chunkId: chunk?.chunkId };
  const id = await task('Watch the welding', { ...clause, text: '动火作业必须设监护人' });
  const visit = await rig.enter('chief', `/tasks/${id}`);
  const { page } = visit;
  await page.getByText('The clause that applies').waitFor();
  await page.getByText('动火作业必须设监护人', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'What else it says' }).click();
  expect(await page.locator('pre.raw').textContent()).not.toContain('clause');
  await page.getByRole('link', { name: 'See the clause in the library' }).click();
  await page
    .locator('.clause')
    .getByText(chunk?.text ?? '')
    .waitFor();
  // A body may hold anything under that name.
  await visit.open(`/tasks/${await task('Something else', 'as agreed')}`);
  await page.getByRole('button', { name: 'What else it says' }).click();
  await page.locator('pre.raw').getByText('as agreed').waitFor();
  expect(await page.getByText('The clause that applies').count()).toBe(0);
  visit.check();
});

test('a site says which policies it has, and which are on their way', async () => {
  const instance = `library-${rig.tenant}`;
  const site = { instance, display_name: instance, tenants: ['head'] };
  expectStatus(await rig.hub.api('POST', '/api/core/sites', site), 201);
  await inForce('站点应有的制度');
  await until('the site is to have them', async () => {
    const answer = await rig.hub.api('GET', `/api/core/kb/sites?instance=${instance}`);
    const [one] = jsonOf<{ items: { state: string; filesDue: number }[] }>(answer).items;
    return one?.state === 'waiting' && one.filesDue > 0;
  });
  const visit = await rig.enter('chief', `/sites/${instance}?tab=policies`);
  const { page } = visit;
  await page.getByText('On their way').waitFor();
  await page.getByText(/^0 of [1-9]\d*$/).waitFor();
  await page.getByText('not yet').waitFor();
  visit.check();
});
