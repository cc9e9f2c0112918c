// Questions without a certain answer, as who keeps the library sees them.
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
    { tenant: 'acme', chunks: [{ text: '罐笼每日试运行一次。' }, { text: '宿舍内严禁使用大功率电器。' }] },
    { tenant: 'other', chunks: [{ text: '罐笼每日试运行一次。' }] },
  ]);
});
afterAll(() => rig.close());

const listed = (tenantCode: string, limit = 10) => rig.store.policy.questions.list(tenantCode, null, limit);
const stamp = () => ({ now: rig.clock.now(), newId: () => crypto.randomUUID() });

test('a question without an answer is listed once with its words, a sure one is not, and none of another tenant', async () => {
  await rig.ask(index, { query: '猴车 检修周期' });
  rig.clock.advance(1_000);
  await rig.ask(index, { query: '猴车  检修周期' });
  await rig.ask(index, { query: '罐笼试运行' });
  expect(await listed('acme')).toEqual([
    expect.objectContaining({
      question: '猴车 检修周期',
      note: 'nothing_found',
      unknown: ['猴车', '检修周期'],
      times: 2,
      lastAt: rig.clock.now(),
      firstAt: rig.clock.now() - 1_000,
    }),
  ]);
  expect(await listed('other')).toEqual([]);
});

test('synonyms from the list answer it at once, and it is settled with an entry of the audit', async () => {
  const [question] = await listed('acme');
  await rig.store.policy.synonyms.set(
    { tenantCode: 'acme', groups: [['猴车', '罐笼']], shipped: true, expected: null, actor: 'test' },
    stamp(),
  );
  expect(await rig.ask(index, { query: question?.question ?? '' })).toMatchObject({ certain: true });
  const of = { id: question?.id ?? '', actor: 'keeper' };
  expect(await rig.store.policy.questions.settle({ ...of, tenantCode: 'other' }, stamp())).toBe(false);
  expect(await rig.store.policy.questions.settle({ ...of, tenantCode: 'acme' }, stamp())).toBe(true);
  expect(await listed('acme')).toEqual([]);
  const { rows } = await rig.client.query(
    "select actor, tenant_code, before from audit where action = 'kb.question.settled'",
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ actor: 'keeper', tenant_code: null });
});

test('what asked a part of the library only is not noted', async () => {
  await rig.ask(index, { query: '糖醋排骨', src_systems: [] });
  await rig.ask(index, { query: '糖醋排骨', min_score: 0.9 });
  expect(await listed('acme')).toEqual([]);
});

test('answers marked wrong are on the list until they are dealt with, or marked once more', async () => {
  const { qaLog } = rig.store.policy;
  const logged = async (asker: string, tenantCode = 'acme'): Promise<number> => {
    const facts = { answer: '不得使用', refusalReason: null, citations: [], basisVersion: null };
    const entry = { tenantCode, asker, question: '猴车 检修周期', indexVersion: null, durationMs: null };
    const outcome = await qaLog.add({ ...entry, ...facts, actor: 'agent' }, stamp());
    if (outcome.kind !== 'logged') throw new Error(outcome.kind);
    const mark = { feedback: 'wrong' as const, note: '每周一次', actor: asker };
    await qaLog.mark(outcome.entry.id, { tenantCode, maxRank: 3 }, mark, stamp());
    return outcome.entry.id;
  };
  const [first, second] = [await logged('li'), await logged('wang')];
  await logged('li', 'other');
  const filter = { tenantCode: 'acme', maxRank: 0, feedback: 'wrong', unsettled: true } as const;
  const ids = async () => (await qaLog.list(filter, null, 10)).map(({ id }) => id);
  expect(await ids()).toEqual([second, first]);
  expect(await qaLog.settle(first, { ...filter, tenantCode: 'other' }, 'keeper', stamp())).toBe(false);
  expect(await qaLog.settle(first, filter, 'keeper', stamp())).toBe(true);
  expect(await qaLog.settle(first, filter, 'keeper', stamp())).toBe(false);
  expect(await ids()).toEqual([second]);
  const again = { tenantCode: 'acme', maxRank: 3 };
  await qaLog.mark(first, again, { feedback: 'wrong', note: null, actor: 'li' }, stamp());
  await qaLog.mark(second, again, { feedback: 'useful', note: null, actor: 'wang' }, stamp());
  expect(await ids()).toEqual([first]);
});

test('of many those go that were not asked for longest, and pages follow each other', async () => {
  const { questions } = rig.store.policy;
  for (let at = 0; at < 7; at += 1) {
    rig.clock.advance(1);
    const id = String(at % 6).padStart(32, '0');
    const question = { tenantCode: 'acme', id, question: `q${at % 6}`, unknown: [] };
    await questions.note({ ...question, note: 'nothing_found' }, 4, stamp());
  }
  // The first was asked once more after it had gone.
  const all = await listed('acme');
  expect(all.map(({ question, times }) => [question, times])).toEqual([
    ['q0', 1],
    ['q5', 1],
    ['q4', 1],
    ['q3', 1],
  ]);
  const [first, second] = all;
  expect(await questions.list('acme', first ?? null, 1)).toEqual([second]);
});

test('a store that cannot take a question does not keep its answer back', async () => {
  await rig.client.query('alter table kb_open_questions rename to kb_open_questions_away');
  expect(await rig.ask(index, { query: '糖醋排骨' })).toMatchObject({ items: [], certain: false });
  await rig.client.query('alter table kb_open_questions_away rename to kb_open_questions');
});
