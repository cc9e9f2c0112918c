// A row that background work of the agent fails on is left out, and stops nobody else's.
import { describe, expect, test } from 'vitest';
import { LeaderLease } from '../../common/agent/act/leader-lease.ts';
import { type AgentPort, LeaseLost } from '../../common/agent/act/port.ts';
import { Escalator } from '../../common/agent/escalation/escalator.ts';
import { IncidentWriter } from '../../common/agent/grouping/writer.ts';
import { fallbackThresholds } from '../../common/agent/rule-set/record.ts';
import { LeftOutAlarms } from '../../common/core/left-out/alarms.ts';
import { AppError } from '../../common/http/error.ts';
import { silentLogger } from '../../common/log.ts';
import { HOUR, SECOND, TEST_START } from '../support/clock.ts';
import { choice } from './agent.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { docOf, newEvent, stored } from './samples.ts';

const MINUTE = 60 * SECOND;
const none = new AbortController().signal;
const row = { work: 'escalation', tenantCode: 't-1', rowId: 7 } as const;

export function leftOutContract(make: MakeHarness): void {
  describe('rows left out', () => {
    const bench = useStores(make);
    const leftOut = () => bench.stores.leftOut.leftOut();
    const alarmsNow = async (): Promise<string[]> => {
      const { leftOut: rows, alarms } = bench.stores;
      const told = new LeftOutAlarms({
        rows,
        alarms,
        instance: 'i',
        clock: bench.clock,
        log: silentLogger(),
      });
      await told.look();
      const standing = await alarms.list({ tenantCode: null, includeCleared: false }, 10);
      return standing.map(({ key }) => key).sort();
    };
    /** The agent's port, of which one operation fails on one row. */
    const failing = <K extends keyof AgentPort>(
      name: K,
      fails: (command: unknown) => Error | null,
    ): AgentPort =>
      new Proxy(bench.stores.agent, {
        get: (target, member) => {
          const own = target[member as K] as (...args: unknown[]) => Promise<unknown>;
          return (...args: unknown[]) => {
            const error = member === name ? fails(args[0]) : null;
            return error ? Promise.reject(error) : own.apply(target, args);
          };
        },
      });

    test('are counted by work and tenant, with the first and why, until they are taken in', async () => {
      const port = bench.stores.leftOut;
      await port.leaveOut({ ...row, rowId: 9 }, 'nine', TEST_START);
      await port.leaveOut(row, 'seven\u0000', TEST_START);
      await port.leaveOut({ ...row, work: 'incident groups', tenantCode: 't-2' }, 'other', TEST_START);
      expect(await leftOut()).toEqual([
        { work: 'escalation', tenantCode: 't-1', rows: 2, rowId: 7, reason: 'seven' },
        { work: 'incident groups', tenantCode: 't-2', rows: 1, rowId: 7, reason: 'other' },
      ]);
      expect(await alarmsNow()).toEqual([
        'rows_left_out:escalation:t-1',
        'rows_left_out:incident_groups:t-2',
      ]);
      await port.takenIn(row);
      await port.takenIn({ ...row, work: 'incident groups', tenantCode: 't-2' });
      expect(await leftOut()).toMatchObject([{ rows: 1, rowId: 9 }]);
      expect(await alarmsNow()).toEqual(['rows_left_out:escalation:t-1']);
      // Nobody has tried it when its time came: it is there no more.
      bench.clock.advance(3 * HOUR);
      expect(await alarmsNow()).toEqual([]);
      expect(await leftOut()).toEqual([]);
    });

    /** Two overdue tasks of two tenants. */
    async function overdue(leader: LeaderLease): Promise<void> {
      for (const tenantCode of ['bad', 'good'])
        await decided(leader, tenantCode, [newEvent(`e-${tenantCode}`, { tenantCode })], 5);
      bench.clock.advance(10 * MINUTE);
    }

    async function decided(
      leader: LeaderLease,
      tenantCode: string,
      events: readonly ReturnType<typeof newEvent>[],
      dueMinutes?: number,
    ): Promise<void> {
      const lease = await leader.acquire();
      if (!lease) throw new Error('no lease');
      const links = { minLink: 0.5, linkGapMs: HOUR, sameCameraGapMs: HOUR };
      const how = { graceS: 0, links, summaries: false, handsUp: false, taskPages: null };
      for (const event of events) {
        const eventId = await stored(bench.stores, event, bench.clock.now());
        const chosen = choice(dueMinutes === undefined ? {} : { dueMinutes });
        await bench.stores.agent.handle([{ eventId, choice: chosen, ...how }], lease, bench.stamp());
      }
      expect(tenantCode).not.toBe('');
    }

    const escalatorOf = (agent: AgentPort, leader: LeaderLease): Escalator =>
      new Escalator({
        ...{ agent, leader, alarms: bench.stores.alarms, leftOut: bench.stores.leftOut, clock: bench.clock },
        ruleSet: { thresholds: () => fallbackThresholds },
        log: silentLogger(),
        self: 'i',
        handsUp: () => false,
        onNotifications: () => undefined,
        onEscalated: () => undefined,
      });

    test('a task that cannot be escalated stops no other, is told, and is tried again until it can', async () => {
      const leader = new LeaderLease(bench.stores.agent, bench.clock);
      await overdue(leader);
      let broken = true;
      let tries = 0;
      const agent = failing('escalate', (command) => {
        if (!broken || (command as { taskId: number }).taskId !== 1) return null;
        tries += 1;
        return new Error('poison');
      });
      const loop = escalatorOf(agent, leader);
      await loop.round(none);
      expect([loop.counts.escalated, tries]).toEqual([1, 1]);
      expect(await leftOut()).toEqual([
        { work: 'escalation', tenantCode: 'bad', rows: 1, rowId: 1, reason: 'poison' },
      ]);
      expect(await alarmsNow()).toContain('rows_left_out:escalation:bad');
      await loop.round(none);
      expect(tries).toBe(1);
      // It waits a minute, then as long as it has failed, and an hour at most, whatever the clock did.
      bench.clock.advance(61 * SECOND);
      await loop.round(none);
      expect(tries).toBe(2);
      bench.clock.step(-48 * HOUR);
      await loop.round(none);
      expect(tries).toBe(3);
      broken = false;
      bench.clock.advance(2 * HOUR);
      await loop.round(none);
      expect(loop.counts.escalated).toBe(2);
      expect(await leftOut()).toEqual([]);
    });

    test.each([new LeaseLost(), new AppError(503, 'store_unavailable', 'away')])(
      'what concerns no single row leaves none out: %s',
      async (error) => {
        const leader = new LeaderLease(bench.stores.agent, bench.clock);
        await overdue(leader);
        const loop = escalatorOf(
          failing('escalate', () => error),
          leader,
        );
        await expect(loop.round(none)).rejects.toThrow(error);
        expect(await leftOut()).toEqual([]);
      },
    );

    test('a run of events that cannot be written stops no other', async () => {
      const leader = new LeaderLease(bench.stores.agent, bench.clock);
      for (const tenantCode of ['bad', 'good'])
        await decided(
          leader,
          tenantCode,
          [0, 1].map((at) =>
            newEvent(`${tenantCode}-${at}`, {
              ...{ tenantCode, type: 'a.b', source: 'video', occurredAt: bench.clock.now() + at * SECOND },
              doc: docOf({ siteRef: 's', pointRef: 'p', cameraRef: 'c' }),
            }),
          ),
        );
      const written: string[] = [];
      let broken = true;
      const groups = new IncidentWriter({
        agent: bench.stores.agent,
        leader,
        incidents: {
          upsert: ({ tenant_code: tenantCode }) => {
            if (broken && tenantCode === 'bad') return Promise.reject(new TypeError('poison'));
            written.push(tenantCode);
            return Promise.resolve({ skipped: [] } as never);
          },
        },
        events: bench.stores.events,
        leftOut: bench.stores.leftOut,
        clock: bench.clock,
        log: silentLogger(),
      });
      await groups.round(none);
      expect(new Set(written)).toEqual(new Set(['good']));
      const [noted] = await leftOut();
      expect(noted).toMatchObject({ work: 'incident groups', tenantCode: 'bad', rowId: 1, reason: 'poison' });
      const still = await bench.stores.agent.unwrittenChains(bench.clock.now(), 50);
      expect(still).toEqual([]);
      broken = false;
      bench.clock.advance(2 * MINUTE);
      await groups.round(none);
      expect(new Set(written)).toEqual(new Set(['good', 'bad']));
      expect(await leftOut()).toEqual([]);
    });
  });
}
