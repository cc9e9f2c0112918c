// Reports in the console: knowledge objects with their revisions, and the figures of a period as charts,
// tables and files.
import { buffer as readAll } from 'node:stream/consumers';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayAt } from '../../common/core/model-call/decide.ts';
import { longTest } from '../support/long.ts';
import { clientOf } from '../support/postgres.ts';
import { expectStatus, jsonOf } from '../support/request.ts';
import { FieldCamera } from './field.ts';
import { type ConsoleRig, openConsoleRig, type Visit, type VisitOptions } from './rig.ts';

const PATH = '/api/core/objects/knowledge';
const HOSTILE = `=HYPERLINK("http://x") <img src=x onerror=alert(1)> ${'很长的名字'.repeat(40)} تقرير 🚧`;

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
  await rig.addUser('chief');
  await rig.addUser('viewer', { role: 'customer', tenant_code: rig.tenant });
  await rig.addUser('stranger', { role: 'customer', tenant_code: rig.other });
  const camera = await FieldCamera.open(rig);
  await camera.post({ type: 'smoke.seen', title: '+1 smoke' }, null);
  await camera.post({ type: 'smoke.seen', title: HOSTILE }, null);
  await camera.post({ type: 'smoke.seen', occurred_at: undefined }, null);
});
afterAll(() => rig.close());

interface Stored {
  coreId: number;
  version: number;
  body: { sections: Record<string, { text: string; revisedBy?: string }> };
}
let made = 0;
async function store(title: string, more: object = {}): Promise<number> {
  made += 1;
  const answer = await rig.hub.api('POST', PATH, {
    tenant_code: rig.tenant,
    src_system: 'agent',
    src_pk: `pk-${made}`,
    title,
    kind: 'shift_handover',
    body: {
      sections: {
        summary: { title: '交班小结', text: '一号隧道一切正常。', editable: 'human' },
        remarks: { title: 'Remarks', text: 'none', editable: 'human' },
        figures: { text: '12 events' },
      },
    },
    ...more,
  });
  return jsonOf<Stored>(expectStatus(answer, 201)).coreId;
}
const objectAt = async (id: number): Promise<Stored> =>
  jsonOf<Stored>(expectStatus(await rig.hub.api('GET', `${PATH}/${id}?tenant_code=${rig.tenant}`), 200));

const at = (path: string, user = 'chief', options: VisitOptions = {}): Promise<Visit> =>
  rig.enter(user, path, options);

/** Lines of the file that a button saves. */
const saved = (visit: Visit, button: string) => fileOf(visit, visit.page, button);

async function fileOf(
  { page }: Visit,
  within: Page | Locator,
  button = 'Export as CSV',
): Promise<{ name: string; lines: string[] }> {
  const coming = page.waitForEvent('download');
  await within.getByRole('button', { name: button }).click();
  const download = await coming;
  const text = (await readAll(await download.createReadStream())).toString('utf8');
  expect(text.startsWith('\uFEFF')).toBe(true);
  return { name: download.suggestedFilename(), lines: text.slice(1).trimEnd().split('\r\n') };
}

longTest(
  'objects are found by kind, revised, and who comes second sees the difference and goes on',
  async () => {
    const id = await store('Night shift');
    await store('Week 12', { kind: 'weekly_report' });
    const [one, late] = [
      await at('/reports?kind=shift_handover'),
      await at(`/reports/${id}?tenant=${rig.tenant}`),
    ];
    expect(await one.page.getByText('Week 12').count()).toBe(0);
    await one.page.getByRole('link', { name: 'Night shift' }).click();
    for (const { page } of [one, late]) await page.getByRole('button', { name: 'Revise' }).click();
    await one.page.getByLabel('交班小结').fill('一号隧道有渗水。');
    await one.page.getByLabel('Why, in a sentence').fill('Walked through it');
    await one.page.getByRole('button', { name: 'Save the revision' }).click();
    await one.page.getByText('Saved as version 2').waitFor();
    expect((await objectAt(id)).body.sections.summary).toMatchObject({
      text: '一号隧道有渗水。',
      revisedBy: 'chief',
    });

    await late.page.getByLabel('Remarks').fill('Pump ordered');
    await late.page.getByRole('button', { name: 'Save the revision' }).click();
    const dialog = late.page.getByRole('dialog');
    await dialog.getByText('chief was first: it is version 2 now').waitFor();
    await dialog.locator('ins').filter({ hasText: '渗水' }).waitFor();
    await dialog.locator('ins').filter({ hasText: 'Pump ordered' }).waitFor();
    expect((await objectAt(id)).version).toBe(2);
    await dialog.getByRole('button', { name: 'Go on from the newest' }).click();
    expect(await dialog.getByLabel('交班小结').inputValue()).toBe('一号隧道有渗水。');
    await dialog.getByRole('button', { name: 'Save the revision' }).click();
    await late.page.getByText('Saved as version 3').waitFor();
    const { sections } = (await objectAt(id)).body;
    expect([sections.summary?.text, sections.remarks?.text]).toEqual(['一号隧道有渗水。', 'Pump ordered']);
    await late.page.getByText('Walked through it').waitFor();
    one.check();
    late.check();
  },
);

longTest('the figures of a period stand beside their charts, and are saved as files', async () => {
  await store('Counted', { kind: 'checklist' });
  const visit = await at(`/reports?tab=statistics&tenant=${rig.tenant}`);
  const { page } = visit;
  const types = page.getByRole('figure', { name: 'Events by type' });
  await types.getByRole('row', { name: 'smoke.seen 2 0' }).waitFor();
  await types.locator('canvas').waitFor();
  const counts = await saved(visit, 'Export the figures');
  expect(counts.lines.find((line) => line.startsWith('Events,smoke.seen'))).toBe(
    'Events,smoke.seen,smoke.seen,Video,Alert,Not judged,,,no,no,,High,,,2',
  );
  expect(counts.lines.some((line) => /^Reports.*,Checklist,.*,1$/.test(line))).toBe(true);
  const events = await saved(visit, 'Export the events');
  expect(events.name).toMatch(new RegExp(`^events-${rig.tenant}-.*\\.csv$`));
  expect(events.lines).toHaveLength(3);
  expect(events.lines[1]).toContain(`"'=HYPERLINK(""http://x"")`);
  expect(events.lines[2]).toContain(`,'+1 smoke,`);
  await page.getByText('1 events without a time of occurrence are in no period').waitFor();
  await page.getByRole('figure', { name: 'Events by verdict as it stands' }).waitFor();
  await visit.open(`/reports?tab=statistics&tenant=${rig.tenant}&severity=low`);
  await page.getByRole('figure', { name: 'Reports and knowledge by kind' }).waitFor();
  expect(await page.getByRole('figure', { name: 'Events by type' }).count()).toBe(0);
  visit.check();
  const before = await at(
    `/reports?tab=statistics&tenant=${rig.tenant}&since=2020-01-01T00:00:00Z&until=2020-01-02T00:00:00Z`,
  );
  await before.page.getByText('Nothing happened in this period').waitFor();
  await before.open(
    `/reports?tab=statistics&tenant=${rig.tenant}&since=2020-01-01T00:00:00Z&until=2021-01-02T00:00:00Z`,
  );
  await before.page.getByText('must be at most 93 days after since').waitFor();
  before.check();
});

test.each<['en-GB' | 'zh-CN', string, RegExp]>([
  ['en-GB', 'Calls to models, last 7 days', /Summaries of tasks\s*1,700 of 2,000\s*Near the limit\s*51,000/],
  ['zh-CN', '模型调用（近 7 天）', /任务摘要\s*1,700 \/ 上限 2,000\s*接近上限\s*51,000/],
])('how often models were called stands below the figures (%s)', async (locale, title, line) => {
  const client = clientOf(rig.databaseUrl);
  await client.connect();
  await client.query(
    `insert into model_calls (tenant_code, day, kind, calls, tokens, most) values
       ($2, $1, 'summary', 1700, 51000, 2000), ($2, $1, 'embedding', 20000, 0, 20000)
     on conflict do nothing`,
    [dayAt(Date.now()), rig.tenant],
  );
  await client.end();
  const visit = await at(`/reports?tab=statistics&tenant=${rig.tenant}`, 'chief', { locale });
  await visit.page.getByText(title).waitFor();
  await visit.page.getByRole('row').filter({ hasText: line }).waitFor();
  visit.check();
});

test('how a period lay in time, and which cameras rang falsely, stand there and are saved', async () => {
  const visit = await at(`/reports?tab=statistics&tenant=${rig.tenant}`);
  const { page } = visit;
  const days = page.getByRole('figure', { name: 'Events by day' });
  await days.locator('canvas').waitFor();
  const heat = page.getByRole('figure', { name: 'Events by weekday and hour' });
  expect(await heat.getByRole('rowheader').count()).toBe(7);
  expect(await heat.getByRole('cell', { name: '2', exact: true }).count()).toBe(1);
  const shifts = page.getByRole('row').filter({ hasText: '08:00–20:00' });
  await shifts.waitFor();
  await page.getByText('Three, from 0, 8 and 16').click();
  await page.getByRole('row').filter({ hasText: '16:00–00:00' }).waitFor();
  await page.getByText('To the verdict (median)').waitFor();
  const cameras = await fileOf(visit, page.locator('section').filter({ hasText: 'Cameras, most false' }));
  expect(cameras.lines[0]).toBe(
    'Camera,Place,Site,Events,Not judged,False alarms,Merged,Confirmed,Events before,False before',
  );
  expect(cameras.lines).toHaveLength(2);
  expect(cameras.lines[1]).toMatch(/,2,2,0,0,0,0,0$/);
  visit.check();
});

test('a report is drafted from the figures in a click, completed, and signed off', async () => {
  const visit = await at(`/reports?tab=statistics&tenant=${rig.tenant}`, 'chief', { locale: 'zh-CN' });
  const { page } = visit;
  const draft = async (): Promise<void> => {
    await page.getByRole('button', { name: '起草报告' }).click();
    await page.getByRole('menuitem', { name: '周报：上一周' }).click();
    await page.getByRole('heading', { name: /^周报 / }).waitFor();
  };
  await draft();
  await page.getByText('已起草，请补充并签发').waitFor();
  await page.getByText('尚未签发').waitFor();
  await page.getByText('事件 0 条（上期 0 条）。').waitFor();
  await page.getByText('研判用时：本期没有。').waitFor();
  const id = Number(new URL(page.url()).pathname.split('/').at(-1));
  await page.getByRole('button', { name: '签发' }).click();
  await page
    .locator('.ant-popconfirm')
    .getByRole('button', { name: /^签\s?发$/ })
    .click();
  await page.getByText('第 1 版已签发').waitFor();
  const signed = await objectAt(id);
  expect(signed.body.sections.sign_off).toMatchObject({ revisedBy: 'chief' });
  expect(signed.body.sections.sign_off?.text).toMatch(/^chief 于 .* 签发第 1 版。$/);
  await page.getByText('尚未签发').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: '修订' }).click();
  await page.getByLabel('情况说明').fill('雨季停工三天。');
  await page.getByRole('button', { name: '保存修订' }).click();
  await page.getByText('签发之后又有修订').waitFor();
  await visit.open(`/reports?tab=statistics&tenant=${rig.tenant}`);
  await draft();
  await page.getByText('这一时段的报告已有，已打开').waitFor();
  expect(Number(new URL(page.url()).pathname.split('/').at(-1))).toBe(id);
  const viewer = await at('/reports?tab=statistics', 'viewer');
  await viewer.page.getByText('Events by shift').waitFor();
  expect(await viewer.page.getByRole('button', { name: 'Draft a report' }).count()).toBe(0);
  visit.check();
  viewer.check();
});

test('a report is written by hand, opened, signed off, and the signature is taken back', async () => {
  const visit = await at('/reports', 'chief', { locale: 'zh-CN' });
  const { page } = visit;
  await page.getByRole('button', { name: '新建报告或知识' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: '租户' }).fill(rig.tenant);
  await dialog.getByLabel('标题', { exact: true }).fill('塔吊限位误报');
  await dialog.getByRole('combobox', { name: '类型' }).click();
  await page.getByTitle('误报案例').click();
  // An untouched form begins anew with what the kind has.
  const titles = dialog.getByRole('textbox', { name: '小节标题' });
  await expect
    .poll(() => titles.evaluateAll((all) => all.map((one) => (one as unknown as { value: string }).value)))
    .toEqual(['如何识别', '误报原因', '措施']);
  await dialog.getByRole('textbox', { name: /^内容/ }).first().fill('吊钩影子在地面移动。');
  await dialog.getByRole('button', { name: '添加小节' }).click();
  await titles.last().fill('参考');
  await dialog.getByLabel('需要签发').check();
  await dialog.getByRole('button', { name: /保\s?存/ }).click();
  await page.getByRole('heading', { name: '塔吊限位误报' }).waitFor();
  const id = Number(new URL(page.url()).pathname.split('/').at(-1));
  expect(await objectAt(id)).toMatchObject({
    ...{ kind: 'false_alarm_case', securityLevel: 'internal', machineGenerated: false, version: 1 },
    body: { sections: { signs: { title: '如何识别', text: '吊钩影子在地面移动。', editable: 'human' } } },
  });
  const act = async (name: string | RegExp): Promise<void> => {
    await page.locator('#content').getByRole('button', { name }).click();
    await page.locator('.ant-popconfirm:visible').getByRole('button', { name }).click();
  };
  await act(/^(check )?签\s?发$/);
  await page.getByText('第 1 版已签发').waitFor();
  await act(/撤回签发$/);
  await page.getByText('已撤回签发').waitFor();
  await page.getByText('尚未签发').waitFor();
  expect(await objectAt(id)).toMatchObject({ version: 3, body: { sections: { sign_off: { text: '' } } } });
  const viewer = await at('/reports', 'viewer');
  await viewer.page.getByRole('link', { name: '塔吊限位误报' }).waitFor();
  expect(await viewer.page.getByRole('button', { name: 'New report or case' }).count()).toBe(0);
  visit.check();
});

test('the list is saved whole, as the filters have it', async () => {
  const title = '-1+1 三月';
  await store(title, { kind: 'monthly_report' });
  const visit = await at('/reports?kind=monthly_report', 'chief', { locale: 'zh-CN' });
  const { lines } = await saved(visit, '导出 CSV');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain(`,月报,'${title},1,内部,`);
  visit.check();
});

longTest('who may not revise sees no control, and of another tenant nothing at all', async () => {
  const id = await store('Only to read');
  const viewer = await at('/reports', 'viewer');
  await viewer.page.getByRole('link', { name: 'Only to read' }).click();
  await viewer.page.getByText('一号隧道一切正常。').waitFor();
  expect(await viewer.page.getByRole('button', { name: 'Revise' }).count()).toBe(0);
  const stranger = await at('/reports', 'stranger');
  await stranger.page.getByText('There is no report or other knowledge object yet').waitFor();
  await stranger.open(`/reports/${id}?tenant=${rig.tenant}`);
  await stranger.page.getByText('It does not exist, or no longer does').waitFor();
  await stranger.open(`/reports?tab=statistics&tenant=${rig.tenant}`);
  await stranger.page.getByText('Nothing happened in this period').waitFor();
  viewer.check();
  stranger.check();
});

longTest('hostile text is shown as text and breaks no layout', async () => {
  const id = await store(HOSTILE, {
    kind: 'postmortem_report',
    source_ref: { ['<b>'.repeat(40)]: 'x'.repeat(300) },
    body: { sections: { ['很长'.repeat(60)]: { text: `${HOSTILE}${'x'.repeat(600)}`, editable: 'human' } } },
  });
  for (const width of [1366, 390] as const) {
    const visit = await at('/reports', 'chief', { width });
    for (const path of ['/reports?kind=postmortem_report', `/reports/${id}?tenant=${rig.tenant}`]) {
      await visit.open(path);
      await visit.page.getByText('<img src=x').first().waitFor();
      expect(await visit.page.evaluate<boolean>(WIDE)).toBe(false);
    }
    visit.check();
  }
});

/** Whether the page scrolls sideways. */
const WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
