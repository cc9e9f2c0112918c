// The contract of AuditPort.
import { describe, expect, test } from 'vitest';
import type { AuditEntry, AuditFilter } from '../../common/core/audit/port.ts';
import { TEST_START } from '../support/clock.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { auditEntry, range } from './samples.ts';

export function auditContract(make: MakeHarness): void {
  describe('audit', () => {
    const bench = useStores(make);
    const add = async (entries: AuditEntry[]) => {
      for (const entry of entries) await bench.stores.audit.add(entry);
    };
    const ids = async (filter: Partial<AuditFilter> = {}, limit = 100) =>
      (await bench.stores.audit.list({ tenantCode: null, ...filter }, null, limit)).map((entry) => entry.id);

    test('keeps every member, states of any JSON among them', async () => {
      const states: unknown[] = [{ a: [1, null, 'é'], b: { c: false } }, [], 'text', 0, false, null];
      const entries = states.map((state, index) =>
        auditEntry(`id-${index}`, {
          at: TEST_START - index,
          tenantCode: null,
          before: state,
          after: { state },
        }),
      );
      await add(entries);
      expect(await bench.stores.audit.list({ tenantCode: null }, null, 100)).toEqual(entries);
    });

    test('is newest first, and equal times are in one fixed order', async () => {
      await add(['b', 'd', 'a', 'c'].map((id) => auditEntry(id)));
      await add([auditEntry('old', { at: TEST_START - 1 }), auditEntry('new', { at: TEST_START + 1 })]);
      const all = await ids();
      expect([all[0], all[5]]).toEqual(['new', 'old']);
      expect(all).toEqual(['new', 'd', 'c', 'b', 'a', 'old']);
    });

    test('pages without gaps or doubles, also within one millisecond', async () => {
      await add(range(10, (i) => auditEntry(`id-${i}`, { at: TEST_START + Math.floor(i / 4) })));
      const seen: string[] = [];
      for (let before: { at: number; id: string } | null = null; ;) {
        const page: AuditEntry[] = await bench.stores.audit.list({ tenantCode: null }, before, 3);
        seen.push(...page.map((entry) => entry.id));
        const last = page.at(-1);
        if (!last || page.length < 3) break;
        before = { at: last.at, id: last.id };
      }
      expect(seen).toEqual(await ids());
      expect(seen).toHaveLength(10);
    });

    test('actions are left out, and the rest is whole', async () => {
      const actions = ['evidence.stored', 'user.added', 'evidence.requested', 'user.removed'];
      await add(actions.map((action, index) => auditEntry(`id-${index}`, { action })));
      expect(await ids({ without: ['evidence.stored', 'evidence.requested'] })).toEqual(['id-3', 'id-1']);
      expect(await ids({ without: ['user.added'], action: 'user.removed' })).toEqual(['id-3']);
    });

    test('before is exclusive, and need not name an entry that is there', async () => {
      await add([auditEntry('a'), auditEntry('b'), auditEntry('c', { at: TEST_START + 1 })]);
      const before = async (at: number, id: string) =>
        (await bench.stores.audit.list({ tenantCode: null }, { at, id }, 10)).map((entry) => entry.id);
      expect(await before(TEST_START + 1, 'c')).toEqual(['b', 'a']);
      expect(await before(TEST_START, 'b')).toEqual(['a']);
      expect(await before(TEST_START, 'aa')).toEqual(['a']);
      expect(await before(TEST_START, 'a')).toEqual([]);
    });

    test('keeps to its limit', async () => {
      await add(range(5, (i) => auditEntry(`id-${i}`)));
      expect(await ids({}, 2)).toEqual(['id-4', 'id-3']);
    });

    test('filters by tenant, action and subject, alone and together', async () => {
      await add([
        auditEntry('1'),
        auditEntry('2', { tenantCode: 'other' }),
        auditEntry('3', { tenantCode: null }),
        auditEntry('4', { action: 'key.removed' }),
        auditEntry('5', { subject: 'key:cam-2' }),
        auditEntry('6', { tenantCode: 'other', action: 'key.removed', subject: 'key:cam-2' }),
      ]);
      expect(await ids()).toEqual(['6', '5', '4', '3', '2', '1']);
      expect(await ids({ tenantCode: 'acme' })).toEqual(['5', '4', '1']);
      expect(await ids({ tenantCode: 'other' })).toEqual(['6', '2']);
      expect(await ids({ action: 'key.removed' })).toEqual(['6', '4']);
      expect(await ids({ subject: 'key:cam-2' })).toEqual(['6', '5']);
      expect(await ids({ tenantCode: 'acme', action: 'key.removed', subject: 'key:cam-1' })).toEqual(['4']);
      expect(await ids({ tenantCode: 'acme', subject: 'key:cam' })).toEqual([]);
    });

    test('filters by who it was, with or without the address, and by time, half open', async () => {
      await add([
        auditEntry('1', { actor: 'user:li from 10.0.0.7' }),
        auditEntry('2', { actor: 'user:li from 10.0.0.8', at: TEST_START + 1 }),
        auditEntry('3', { actor: 'user:lin from 10.0.0.7', at: TEST_START + 2 }),
        auditEntry('4', { actor: 'user:li', at: TEST_START + 3 }),
        auditEntry('5', { actor: 'user:%', at: TEST_START + 4 }),
      ]);
      expect(await ids({ actor: 'user:li' })).toEqual(['4', '2', '1']);
      expect(await ids({ actor: 'user:li from 10.0.0.8' })).toEqual(['2']);
      expect(await ids({ actor: 'user:' })).toEqual([]);
      expect(await ids({ actor: 'user:%' })).toEqual(['5']);
      expect(await ids({ since: TEST_START + 1, until: TEST_START + 3 })).toEqual(['3', '2']);
      expect(await ids({ until: TEST_START })).toEqual([]);
      expect(await ids({ since: TEST_START + 5 })).toEqual([]);
      expect(await ids({ actor: 'user:li', since: TEST_START + 1, tenantCode: 'acme' }, 1)).toEqual(['4']);
      const before = { at: TEST_START + 9, id: 'z' };
      expect(
        (await bench.stores.audit.list({ tenantCode: null, until: TEST_START + 1 }, before, 9)).map(
          ({ id }) => id,
        ),
      ).toEqual(['1']);
    });

    test('finds what is rare far back, and pages through it', async () => {
      const rare = [3, 700, 1_400];
      await Promise.all(
        range(1_501, (i) =>
          bench.stores.audit.add(
            auditEntry(`id-${String(i).padStart(4, '0')}`, {
              at: TEST_START + Math.floor(i / 7),
              ...(rare.includes(i) ? { action: 'key.removed', actor: 'user:wu from 10.0.0.9' } : {}),
            }),
          ),
        ),
      );
      for (const filter of [{ action: 'key.removed' }, { actor: 'user:wu' }])
        expect(await ids(filter)).toEqual(['id-1400', 'id-0700', 'id-0003']);
      expect(await ids({ action: 'key.removed' }, 2)).toEqual(['id-1400', 'id-0700']);
      const before = { at: TEST_START + 100, id: 'id-0700' };
      expect(
        (await bench.stores.audit.list({ tenantCode: null, action: 'key.removed' }, before, 9)).map(
          ({ id }) => id,
        ),
      ).toEqual(['id-0003']);
      expect(await ids({}, 2_000)).toHaveLength(1_501);
    });

    test('outlives a restart', async () => {
      const entry = auditEntry('a', { before: { x: 1 }, after: [2] });
      await add([entry]);
      await bench.restart();
      expect(await bench.stores.audit.list({ tenantCode: null }, null, 10)).toEqual([entry]);
    });
  });
}
