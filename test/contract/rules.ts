// The contract of RulePort.
import { describe, expect, test } from 'vitest';
import type { RegisterRule, RuleRecord } from '../../common/core/rule/record.ts';
import { TEST_START } from '../support/clock.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { range } from './samples.ts';

const rule = (name: string, more: Partial<RegisterRule> = {}): RegisterRule => ({
  tenantCode: 'acme',
  kind: 'response',
  name,
  body: { priority: 10, match: {}, action: { kind: 'review' } },
  by: 'li',
  ...more,
});
const named = (records: readonly RuleRecord[]) =>
  records.map(({ tenantCode, kind, name, version }) => `${tenantCode} ${kind} ${name} ${version}`);

export function ruleContract(make: MakeHarness): void {
  describe('rules', () => rules(make));
}

function rules(make: MakeHarness): void {
  const bench = useStores(make);
  const register = (one: RegisterRule) => bench.stores.rules.register(one, 'admin', bench.stamp());
  const all = { tenantCodes: null };

  test('each registration appends a version; older ones stay', async () => {
    expect(await register(rule('a'))).toEqual({
      ...rule('a'),
      ...{ version: 1, createdAt: TEST_START, deleted: false },
    });
    bench.clock.advance(5);
    await register(rule('a', { body: { priority: 20 } }));
    expect(await bench.stores.rules.current(all, null, 10)).toMatchObject([
      { version: 2, body: { priority: 20 }, createdAt: TEST_START + 5 },
    ]);
    const history = await bench.stores.rules.history('acme', 'response', 'a', null, 10);
    expect(history.map(({ version, body }) => [version, body])).toEqual([
      [2, { priority: 20 }],
      [1, rule('a').body],
    ]);
    expect(named(await bench.stores.rules.history('acme', 'response', 'a', 2, 10))).toEqual([
      'acme response a 1',
    ]);
    await bench.restart();
    expect(await bench.stores.rules.history('acme', 'response', 'a', null, 10)).toEqual(history);
  });

  test('a deleted rule is not in force, keeps its versions, is audited, and begins anew', async () => {
    const { rules: port } = bench.stores;
    const { tenantCode, kind, name } = rule('a');
    const remove = () => port.remove({ tenantCode, kind, name, by: 'wang' }, 'admin', bench.stamp());
    expect(await remove()).toBeNull();
    await register(rule('a'));
    await register(rule('b'));
    const before = await port.revision(all);
    expect(await remove()).toMatchObject({ version: 2, body: {}, by: 'wang', deleted: true });
    expect(await port.revision(all)).toBeGreaterThan(before);
    expect(named(await port.current(all, null, 10))).toEqual(['acme response b 1']);
    expect(await remove()).toBeNull();
    expect(
      (await port.history(tenantCode, kind, name, null, 10)).map(({ version, deleted }) => [
        version,
        deleted,
      ]),
    ).toEqual([
      [2, true],
      [1, false],
    ]);
    await register(rule('a', { body: { priority: 7 } }));
    expect(await port.current(all, null, 10)).toMatchObject([{ name: 'a', version: 3 }, { name: 'b' }]);
    const threshold = (body: object) => rule('threshold.agent', { kind: 'threshold', body });
    await register(threshold({ judge_min_conf: 0.7 }));
    await port.remove(
      { tenantCode, kind: 'threshold', name: 'threshold.agent', by: 'wang' },
      'admin',
      bench.stamp(),
    );
    expect((await register(threshold({ traj_link_gap_s: 60 }))).body).toEqual({ traj_link_gap_s: 60 });
  });

  test('a threshold keeps what a registration leaves out', async () => {
    const threshold = (body: object) => rule('threshold.agent', { kind: 'threshold', body });
    await register(threshold({ judge_min_conf: 0.7, traj_link_gap_s: 60 }));
    expect((await register(threshold({ judge_min_conf: 0.8 }))).body).toEqual({
      judge_min_conf: 0.8,
      traj_link_gap_s: 60,
    });
  });

  test('lists the newest of each by tenant, kind and name, in pages', async () => {
    for (const one of [
      rule('b'),
      rule('a10'),
      rule('a2'),
      rule('B'),
      rule('x', { tenantCode: 'other' }),
      rule('b', { kind: 'prompt', body: { text: 't' } }),
      rule('b'),
    ])
      await register(one);
    const whole = [
      'acme prompt b 1',
      'acme response B 1',
      'acme response a10 1',
      'acme response a2 1',
      'acme response b 2',
      'other response x 1',
    ];
    expect(named(await bench.stores.rules.current(all, null, 10))).toEqual(whole);
    const pages: RuleRecord[] = [];
    for (;;) {
      const page = await bench.stores.rules.current(all, pages.at(-1) ?? null, 2);
      pages.push(...page);
      if (page.length < 2) break;
    }
    expect(named(pages)).toEqual(whole);
    expect(named(await bench.stores.rules.current({ tenantCodes: ['other', 'none'] }, null, 10))).toEqual([
      'other response x 1',
    ]);
    expect(
      named(await bench.stores.rules.current({ tenantCodes: ['acme'], kind: 'prompt' }, null, 10)),
    ).toEqual(['acme prompt b 1']);
    expect(await bench.stores.rules.current({ tenantCodes: [] }, null, 10)).toEqual([]);
  });

  test('the revision grows with each registration that is covered, and with no other', async () => {
    const acme = { tenantCodes: ['acme'] };
    expect(await bench.stores.rules.revision(acme)).toBe(0);
    await register(rule('a'));
    await register(rule('a'));
    const revision = await bench.stores.rules.revision(acme);
    await register(rule('a', { tenantCode: 'other' }));
    expect(await bench.stores.rules.revision(acme)).toBe(revision);
    expect(await bench.stores.rules.revision({ ...acme, kind: 'prompt' })).toBe(0);
    await register(rule('b'));
    expect(await bench.stores.rules.revision(acme)).toBeGreaterThan(revision);
  });

  test('of twenty registrations of one rule at once each gets a number of its own', async () => {
    const made = await Promise.all(range(20, (i) => register(rule('a', { body: { priority: i } }))));
    expect(made.map(({ version }) => version).sort((a, b) => a - b)).toEqual(range(20, (i) => i + 1));
    const history = await bench.stores.rules.history('acme', 'response', 'a', null, 50);
    expect(history.map(({ version }) => version)).toEqual(range(20, (i) => 20 - i));
    expect(new Set(history.map(({ body }) => JSON.stringify(body))).size).toBe(20);
  });

  test('is audited with the version before and after', async () => {
    await register(rule('a'));
    await register(rule('a', { body: { priority: 20 } }));
    const [newest, first] = await bench.stores.audit.list(
      { tenantCode: 'acme', action: 'rule.registered' },
      null,
      10,
    );
    const entries = [newest, first].sort((x, y) => Number(x?.before !== null) - Number(y?.before !== null));
    expect(entries).toMatchObject([
      { actor: 'admin', subject: 'rule:response/a', before: null, after: { version: 1 } },
      {
        before: { version: 1, body: rule('a').body },
        after: { version: 2, body: { priority: 20 }, by: 'li' },
      },
    ]);
  });
}
