// Which clauses a question shows: a share of the best one, by what the library knows of the question.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IndexKeeper } from '../../../hq/policy/index/keeper.ts';
import { seedLibrary } from '../../support/policy-library.ts';
import { openPolicyRig, type PolicyRig } from './search-rig.ts';

let rig: PolicyRig;
let index: IndexKeeper;

const LIFTING = '安装起重机械前应当编制专项方案，并办理告知手续。';
const POWER = '用电设备在五台以上的，应当编制用电组织设计。';
const CONFINED = '进入有限空间作业前应当先通风。';
const WINDS = '五级以上大风停止起重机作业。';

beforeAll(async () => {
  rig = await openPolicyRig();
  index = rig.index();
  await seedLibrary(rig.client, [
    {
      tenant: 'acme',
      chunks: [
        { text: LIFTING },
        { text: POWER },
        { text: CONFINED },
        { text: WINDS },
        { text: '宿舍内严禁使用大功率电器。' },
        { text: '临边应当设置防护栏杆。' },
      ],
    },
    {
      tenant: 'levels',
      chunks: [
        { text: '第四条 建设单位负责。' },
        { text: '第二条 适用范围。' },
        { text: '4.2 一般规定' },
        { text: '4.20 附则' },
        { text: '4.2.6 栏杆高度。' },
      ],
    },
  ]);
});
afterAll(() => rig.close());

const ask = (query: string, over: object = {}, tenantCode = 'acme') =>
  rig.ask(index, { query, ...over }, { tenantCode });

test.each([
  ['请问我们项目部准备下周在三号楼旁边安装一台新的起重机需要提前准备什么专项方案和哪些手续', LIFTING],
  ['电工说配电箱旁边又接了六台机器问一下是不是要重新做用电组织设计还是可以先这样用着', POWER],
  ['昨天有人下井的时候没有开风机被熏倒了有限空间通风到底是怎么要求的', CONFINED],
])('a long question is answered, however much of it the library does not know: %s', async (query, clause) => {
  const found = await ask(query);
  expect(found.items[0]?.text).toBe(clause);
});

test('what scores far less than the best is left out and counted, and shown on request', async () => {
  const query = '安装起重机械前应当编制专项方案并办理告知手续';
  const found = await ask(query);
  expect(found.items.map(({ text }) => text)).toEqual([LIFTING, WINDS]);
  expect(found.left_out).toBeGreaterThan(0);
  expect(found.min_score).toBeCloseTo(Math.max(0.15, 0.2 * (found.items[0]?.score ?? 0)), 6);
  const all = await ask(query, { min_score: 0 });
  expect(all.items.length).toBe(found.items.length + found.left_out);
  expect(all.items.map(({ text }) => text)).toContain(POWER);
  expect(all).toMatchObject({ left_out: 0, min_score: 0 });
});

test('what the library knows nothing of has no answer, and nothing is left out', async () => {
  expect(await ask('糖醋排骨')).toMatchObject({ items: [], left_out: 0 });
});

test.each([
  ['第4.2条', '4.2 一般规定'],
  ['第四点二条', '4.2 一般规定'],
  ['第4.20条', '4.20 附则'],
  ['第4.2.6条', '4.2.6 栏杆高度。'],
  ['第4条', '第四条 建设单位负责。'],
])('%s is that clause alone', async (query, clause) => {
  expect((await ask(query, {}, 'levels')).items.map(({ text }) => text)).toEqual([clause]);
});

test('what is only the nearest is said to be that, and a sure answer is not', async () => {
  expect(await ask('进入有限空间作业前要通风吗')).toMatchObject({ certain: true, certain_note: '' });
  expect(await ask('糖醋排骨')).toMatchObject({ certain: false, certain_note: 'nothing_found' });
  const others = Array.from({ length: 200 }, (_, at) => ({
    text: Array.from({ length: 12 }, (_one, place) => String.fromCodePoint(0x5000 + at * 12 + place)).join(
      '',
    ),
  }));
  const phones = ['保管', '存放', '交接', '登记', '停用'].map((what) => ({ text: `手机由专人${what}。` }));
  await seedLibrary(rig.client, [{ tenant: 'large', chunks: [...others, ...phones] }]);
  const nearest = await ask('手机屏幕摔碎了送到街上哪家店修理比较好', {}, 'large');
  expect(nearest).toMatchObject({ certain: false, certain_note: 'little_in_common' });
  expect(nearest.items.length).toBeGreaterThan(0);
  expect(await ask('手机由专人登记吗', {}, 'large')).toMatchObject({ certain: true });
});

test('local rules that repeat a law stand with it and take no place of their own', async () => {
  const law = '施工单位应当在施工现场建立消防安全责任制度，确定消防安全责任人。';
  const [first, second] = await seedLibrary(rig.client, [
    { tenant: 'twins', chunks: [{ text: law }] },
    { tenant: 'twins', chunks: [{ text: `本市${law}` }, { text: '消防安全责任人应当每日巡查施工现场。' }] },
  ]);
  const found = await ask('施工现场消防安全责任制度', { top_k: 2 }, 'twins');
  expect(found.items.map(({ chunkId, twins }) => [chunkId, twins.map((twin) => twin.chunkId)])).toEqual([
    [first?.id, [second?.id]],
    [expect.any(Number), []],
  ]);
});
