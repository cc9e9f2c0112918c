// Many verdicts of headquarters that wait for one site: they go down at the pace of the site, in order, and a
// call costs no more for them than for ten. `INBOX_ITEMS=50000` tries as many.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import { eventKey } from '../../../common/core/event/port.ts';
import { MAX_INBOX_ITEMS } from '../../../common/uplink/inbox.ts';
import { range, verdictOn } from '../../contract/samples.ts';
import { openPair, type Pair } from '../../site/uplink/pair.ts';
import { campaign } from '../../support/campaign.ts';

const MANY = campaign('INBOX_ITEMS', 2_000, 20_000);
const AT_ONCE = 1_000;

let pair: Pair;
beforeEach(async () => {
  pair = await openPair();
});
afterEach(() => pair.close());

/** Judges every event at headquarters, in the order of their ids. */
async function judgeAll(): Promise<void> {
  for (let id = 1; id <= MANY; id += AT_ONCE)
    await Promise.all(
      range(AT_ONCE, (index) =>
        pair.hub.store.verdicts.write(verdictOn(id + index, { by: 'duty' }), stampOf(pair.clock)),
      ),
    );
}

/** Blocks that Postgres read for one page of the inbox, after `after`. */
async function blocks(after: number): Promise<number> {
  const { rows } = await pair.hub.store.pool.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    `explain (analyze, buffers, format json) select no, kind, tenant_code, id from inbox
     where instance in ('site-1') and no > ${after} order by no limit ${MAX_INBOX_ITEMS}`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}

test('go down at the pace of the site, each once and in order', { timeout: 600_000 }, async () => {
  const { rig, hub } = pair;
  await rig.events(MANY);
  for (let tries = 0; rig.cursor('events') < MANY && tries < 1_000; tries += 1) await pair.drain();
  await judgeAll();
  await hub.store.pool.query('analyze inbox; analyze decisions');
  const signal = new AbortController().signal;

  // Nothing is carried out or answered meanwhile: every call brings the next ones.
  let calls = 0;
  while (rig.store.inbox.place().through < MANY) {
    await rig.sender.poll.round(signal);
    calls += 1;
  }
  expect(calls).toBe(MANY / MAX_INBOX_ITEMS);
  const [first, last] = [await blocks(0), await blocks(MANY - MAX_INBOX_ITEMS)];
  expect(last).toBeLessThanOrEqual(first * 2);
  expect(first).toBeLessThan(100);

  const order: string[] = [];
  for (;;) {
    const due = rig.store.inbox.due(rig.clock.now(), 500);
    if (due.length === 0) break;
    order.push(...due.map(({ subject }) => subject));
    await rig.sender.inbox.round(signal);
  }
  expect(order).toEqual(range(MANY, (index) => `decision ${eventKey('acme', `e${index}`)}`));
  expect(rig.sender.inbox.counts.decision).toEqual({ carriedOut: MANY, refused: 0, failed: 0 });
  for (let tries = 0; rig.cursor('verdicts') < MANY && tries < 1_000; tries += 1) await pair.drain();
  const { rows } = await hub.store.pool.query<{ state: string; count: number }>(
    'select state, count(*) from decisions group by state',
  );
  expect(rows).toEqual([{ state: 'applied', count: MANY }]);
  const left = await hub.store.pool.query<{ count: number }>('select count(*) from inbox');
  expect(left.rows).toEqual([{ count: 0 }]);
});
