// The words that mean the same to a tenant: who may change them, and what searches make of them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IndexKeeper } from '../../../hq/policy/index/keeper.ts';
import { seedLibrary } from '../../support/policy-library.ts';
import { openPolicyRig, type PolicyRig } from './search-rig.ts';

let rig: PolicyRig;
let index: IndexKeeper;

beforeAll(async () => {
  rig = await openPolicyRig();
  index = rig.index();
  await seedLibrary(rig.client, [
    {
      tenant: 'acme',
      chunks: [
        { text: '塔式起重机下方严禁人员停留。' },
        { text: '罐笼每日试运行一次。' },
        { text: '宿舍内严禁使用大功率电器。' },
      ],
    },
    { tenant: 'other', chunks: [{ text: '罐笼每日试运行一次。' }] },
  ]);
});
afterAll(() => rig.close());

const textsFor = async (query: string, tenantCode = 'acme'): Promise<string[]> =>
  (await rig.ask(index, { query }, { tenantCode })).items.map(({ text }) => text);
const set = (groups: string[][], over: { shipped?: boolean; expected?: number | null } = {}) =>
  rig.store.policy.synonyms.set(
    { tenantCode: 'acme', groups, shipped: true, expected: null, actor: 'test', ...over },
    { now: 1, newId: () => crypto.randomUUID() },
  );

test('the shipped words are understood, and count once', async () => {
  const found = await rig.ask(index, { query: '塔吊', explain: true });
  expect(found.items.map(({ text }) => text)).toEqual(['塔式起重机下方严禁人员停留。']);
  expect(found.terms).toMatchObject([{ term: '塔吊', synonyms: true }]);
});

test("a tenant's own words hold from its next search on, for it alone", async () => {
  expect(await textsFor('猴车试运行')).toEqual(['罐笼每日试运行一次。']);
  expect((await rig.ask(index, { query: '猴车' })).items).toEqual([]);
  expect(await set([['猴车', '罐笼']])).toMatchObject({ kind: 'set', table: { revision: 1 } });
  expect(await textsFor('猴车')).toEqual(['罐笼每日试运行一次。']);
  expect(await textsFor('猴车', 'other')).toEqual([]);
  expect(await textsFor('塔吊')).toHaveLength(1);
  await set([['猴车', '罐笼']], { shipped: false });
  // A character of it is all that is known then.
  const { terms = [] } = await rig.ask(index, { query: '塔吊', explain: true });
  expect(terms.filter(({ synonyms, weight }) => synonyms || weight > 0)).toMatchObject([{ term: '塔' }]);
});

test('of two changes on the same revision one is refused, and the table is audited', async () => {
  const { revision } = await rig.store.policy.synonyms.get('acme');
  const outcomes = await Promise.all([
    set([['一号词', '二号词']], { expected: revision }),
    set([['三号词', '四号词']], { expected: revision }),
  ]);
  expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['conflict', 'set']);
  const { rows } = await rig.client.query(`select count(*)::int as n from audit where action = $1`, [
    'kb.synonyms.set',
  ]);
  expect(rows).toEqual([{ n: revision + 1 }]);
});
