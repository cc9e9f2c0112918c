// The policies in force at a site: they come down from headquarters, are searched in the same order, also
// without a link, and go when headquarters has told so.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchView } from '../../common/policy/search/schema.ts';
import { chromiumOfRun } from '../support/chromium.ts';
import { type Deployment, INSTANCE, registerNode, startDeployment, TENANT } from '../support/deployment.ts';
import { Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';

interface Library {
  tenantCode: string;
  state: string;
  version: string | null;
  files: number;
  clauses: number;
}

const scene = new Scene();
let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment(scene, seededRandom(7), {
    tenants: [TENANT, 'bravo'],
    siteEnv: { AGENT_ENABLED: 'true' },
  });
});
afterAll(() => scene.close());

let made = 0;
async function effective(texts: string[], more: object = {}): Promise<number> {
  const { hub } = deployment;
  const { tenant_code: tenant = TENANT } = more as { tenant_code?: string };
  const { docId } = jsonOf<{ docId: number }>(
    expectStatus(
      await hub.api('POST', '/api/core/kb/docs', {
        ...{ tenant_code: tenant, src_system: 'manual', src_key: `key-${(made += 1)}`, version: '1' },
        title: '高处作业规定',
        ...more,
      }),
      201,
    ),
  );
  const chunks = texts.map((text, at) => ({ text, clause_path: `第${at + 1}条` }));
  const { chunksSha256 } = jsonOf<{ chunksSha256: string }>(
    expectStatus(
      await hub.api('POST', `/api/core/kb/docs/${docId}/chunks`, { tenant_code: tenant, chunks }),
      200,
    ),
  );
  await moved(docId, { state: 'effective', expect_chunks_sha256: chunksSha256 }, tenant);
  return docId;
}

const moved = async (docId: number, change: object, tenant = TENANT): Promise<unknown> =>
  expectStatus(
    await deployment.hub.api('POST', `/api/core/kb/docs/${docId}/state`, {
      ...{ tenant_code: tenant, by: 'anna' },
      ...change,
    }),
    200,
  );

const QUESTIONS = ['高处作业要系安全带吗', '第2条', 'guard rail', '动火作业谁来监护', '没有的东西 zzz'];
const asked = (query: string, tenant = TENANT) => ({
  ...{ tenant_code: tenant, subject: 'anna', query, auto_embed: false, explain: true, top_k: 20 },
});
const atHub = async (query: string): Promise<SearchView> =>
  jsonOf(expectStatus(await deployment.hub.api('POST', '/api/core/kb/search', asked(query)), 200));
const atSite = async (query: string): Promise<SearchView> =>
  jsonOf(expectStatus(await deployment.site.api('POST', '/api/core/kb/search', asked(query)), 200));

async function library(tenant = TENANT): Promise<Library | undefined> {
  const { items } = jsonOf<{ items: Library[] }>(
    expectStatus(await deployment.site.api('GET', '/api/core/kb/library'), 200),
  );
  return items.find(({ tenantCode }) => tenantCode === tenant);
}

const hasFiles = (count: number): Promise<boolean> =>
  until(`${count} files at the site`, async () => {
    const here = await library();
    return here?.state === 'here' && here.files === count;
  });

test('what is in force comes down, and is found in the same order as at headquarters', async () => {
  await effective(['高处作业必须系安全带，高挂低用。', '临边应当设置防护栏杆。', '动火作业应当有人监护。']);
  await effective(['Guard rails stand at open edges.', '安全带应当定期检查。'], { title: 'Edges' });
  await effective(['机密：高处作业的内部定额。'], { title: '定额', security_level: 'confidential' });
  await effective(['别人的高处作业规定。'], { title: '别人的', tenant_code: 'bravo' });
  await hasFiles(2);
  for (const query of QUESTIONS) expect(await atSite(query)).toEqual(await atHub(query));
  expect((await atSite('高处作业')).items.map(({ title }) => title)).not.toContain('别人的');
  const foreign = await deployment.site.api('POST', '/api/core/kb/search', asked('高处作业', 'nobody'));
  expect(foreign.status).toBe(404);
  await until('headquarters knows of it', async () => {
    const { items } = jsonOf<{
      items: { instance: string; tenantCode: string; state: string; clauses: number; filesDue: number }[];
    }>(expectStatus(await deployment.hub.api('GET', '/api/core/kb/sites'), 200));
    const of = items.find(({ tenantCode }) => tenantCode === TENANT);
    return of?.instance === INSTANCE && of.state === 'here' && of.clauses === 5 && of.filesDue === 2;
  });
});

test('without a link it is searched all the same, and what was withdrawn goes with the next word', async () => {
  const { link, site } = deployment;
  const withdrawn = await effective(['脚手架每月检查一次。'], { title: '脚手架规定' });
  await hasFiles(3);
  link.down('refused');
  const before = await atSite('脚手架多久检查一次');
  expect(before.items[0]).toMatchObject({ title: '脚手架规定', clausePath: '第1条' });
  await moved(withdrawn, { state: 'withdrawn', reason: 'replaced' });
  await site.kill();
  await site.start();
  expect(await atSite('脚手架多久检查一次')).toEqual(before);
  link.up();
  await hasFiles(2);
  expect((await atSite('脚手架多久检查一次')).items.map(({ title }) => title)).not.toContain('脚手架规定');
});

test('the clause that applies to an event stands on its task and in its message, also without a link', async () => {
  const { link, site } = deployment;
  await effective(['进入施工现场的人员必须佩戴安全帽，系好帽带。'], {
    title: '安全帽使用规定',
    security_level: 'public',
  });
  await hasFiles(3);
  const action = { kind: 'notify', message: '{camera} {type_code}', channels: ['inbox'] };
  const body = { priority: 1, enabled: true, match: {}, action };
  const rule = { tenant_code: TENANT, name: 'tell', kind: 'response', body };
  expectStatus(await site.api('POST', '/api/core/objects/rules', rule), 201);
  link.down('refused');
  const node = await registerNode(site, 'gate');
  const events = JSON.stringify({
    events: [
      { idempotency_key: 'helmet-1', type: 'person.no_helmet', severity: 'high', title: '未佩戴安全帽' },
    ],
  });
  expectStatus(
    await signedCall({
      url: site.url,
      key: node,
      method: 'POST',
      path: '/api/core/events',
      body: events,
      now: Date.now(),
    }),
    201,
  );
  const task = await until('a task with its clause', async () => {
    const made = await site.api('GET', '/api/core/objects/tasks/1');
    return made.status === 200 && jsonOf<{ body: { clause?: object } }>(made);
  });
  expect(task.body.clause).toMatchObject({
    title: '安全帽使用规定',
    path: '第1条',
    text: '进入施工现场的人员必须佩戴安全帽，系好帽带。',
  });
  const { items } = jsonOf<{ items: { message: string }[] }>(
    expectStatus(await site.api('GET', '/api/core/notifications?limit=5'), 200),
  );
  expect(items[0]?.message).toContain('《安全帽使用规定》第1条：进入施工现场');
  link.up();
});

test('the page of the site searches them, in both languages', async () => {
  const { site } = deployment;
  const context = await (await chromiumOfRun()).newContext({ locale: 'zh-CN' });
  scene.onClose(() => context.close());
  const page = await context.newPage();
  await page.goto(site.url);
  await page.locator('#key').fill(site.adminKey);
  await page.locator('#enter').click();
  await page.locator('#librarypart').waitFor();
  await page.locator('#librarytenant').selectOption(TENANT);
  await page.locator('#libraryquery').fill('进入现场要戴安全帽吗');
  await page.locator('#librarygo').click();
  const found = page.locator('#libraryfound');
  await found.getByText('《安全帽使用规定》 第1条').waitFor();
  expect(await found.textContent()).toContain('现行有效，未注明日期');
  await page.locator('#lang').click();
  await found.getByText('in force, no dates').first().waitFor();
  expect(await page.locator('#libraryhead').textContent()).toBe('Laws and rules in force');
});
