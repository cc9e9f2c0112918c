// The contract of FeedbackPort; rows are made by verdicts and corrections.
import { describe, expect, test } from 'vitest';
import type { FeedbackRecord } from '../../common/core/feedback/record.ts';
import { HOUR, SECOND, TEST_START } from '../support/clock.ts';
import { type Bench, type MakeHarness, useStores } from './harness.ts';
import { correctionOn, docOf, messagesOn, newEvent, range, siteEvent, stored, verdictOn } from './samples.ts';

const URL = 'http://10.0.0.9:8000/alerts?x=1';
const WITH_URL = docOf({ feedbackUrl: URL, localAlertNo: 'A-7' });
/** Longer than the request that writes a verdict keeps the first try to itself. */
const LATER = TEST_START + 60 * SECOND;
const WHILE = 300 * SECOND;

export function feedbackContract(make: MakeHarness): void {
  describe('feedback: rows', () => rows(make));
  describe('feedback: claims', () => claims(make));
  describe('feedback: outcomes', () => outcomes(make));
}

/** Judges a new event that has a camera to tell, and gives its feedback row. */
export async function pendingOn(bench: Bench, key: string): Promise<FeedbackRecord> {
  const id = await stored(bench.stores, newEvent(key, { doc: WITH_URL }));
  await bench.stores.verdicts.write(verdictOn(id), bench.stamp());
  const [row] = await messagesOn(bench.stores, id);
  if (!row) throw new Error('the verdict made no feedback row');
  return row;
}

function rows(make: MakeHarness): void {
  const bench = useStores(make);

  test('a verdict on an event with an address makes one row; the outcome names it', async () => {
    const id = await stored(bench.stores, newEvent('k', { doc: WITH_URL }));
    const outcome = await bench.stores.verdicts.write(
      verdictOn(id, { verdict: 'false_alarm', note: 'rain' }),
      bench.stamp(),
    );
    const [row, ...none] = await messagesOn(bench.stores, id);
    expect(none).toEqual([]);
    expect(outcome).toMatchObject({ kind: 'written', feedbackId: row?.id });
    expect(row).toMatchObject({
      eventId: id,
      tenantCode: 'acme',
      kind: 'verdict',
      url: URL,
      nodeKey: 'cam-1',
      state: 'pending',
      attempts: 0,
      lastError: null,
      createdAt: TEST_START,
      deliveredAt: null,
    });
    expect(row?.nextAt).toBeGreaterThanOrEqual(TEST_START);
    expect(JSON.parse(row?.body ?? '')).toEqual({
      localAlertNo: 'A-7',
      eventId: id,
      verdict: 'false_alarm',
      by: 'li',
      reason: 'rain',
    });
    expect(await bench.stores.feedback.get(row?.id ?? '')).toEqual(row);
  });

  test('without an address, or for an event of a site, there is none', async () => {
    const here = await stored(bench.stores, newEvent('k'));
    const site = await stored(bench.stores, siteEvent('s', { doc: WITH_URL }));
    for (const id of [here, site]) {
      expect(await bench.stores.verdicts.write(verdictOn(id), bench.stamp())).toMatchObject({
        feedbackId: null,
      });
      expect(await messagesOn(bench.stores, id)).toEqual([]);
    }
    expect(await bench.stores.feedback.counts()).toEqual({ pending: 0, expired: 0, oldestPendingAt: null });
  });

  test('a verdict that changes nothing makes none; a correction makes its own', async () => {
    const { eventId } = await pendingOn(bench, 'k');
    await bench.stores.verdicts.write(verdictOn(eventId), bench.stamp());
    expect(await messagesOn(bench.stores, eventId)).toHaveLength(1);
    const outcome = await bench.stores.verdicts.correct(correctionOn(eventId, 'c-1'), bench.stamp());
    await bench.stores.verdicts.correct(correctionOn(eventId, 'c-1'), bench.stamp());
    const all = await messagesOn(bench.stores, eventId);
    expect(all.map((row) => row.kind).sort()).toEqual(['correction', 'verdict']);
    expect(outcome).toMatchObject({ feedbackId: all.find((row) => row.kind === 'correction')?.id });
  });

  test('an id that is not there is null, an event without rows has none', async () => {
    expect(await bench.stores.feedback.get('missing')).toBeNull();
    expect(await messagesOn(bench.stores, 4711)).toEqual([]);
  });
}

function claims(make: MakeHarness): void {
  const bench = useStores(make);
  const fill = async (count: number) => {
    const all: FeedbackRecord[] = [];
    for (const index of range(count, (i) => i)) {
      all.push(await pendingOn(bench, `k${index}`));
      bench.clock.advance(10);
    }
    return all;
  };

  test('a new row is left to the request that made it, then it is due', async () => {
    const row = await pendingOn(bench, 'k');
    expect(await bench.stores.feedback.claimDue(row.nextAt - 1, 30 * SECOND, 10)).toEqual([]);
    expect((await bench.stores.feedback.claimDue(row.nextAt, 30 * SECOND, 10)).map((one) => one.id)).toEqual([
      row.id,
    ]);
  });

  test('a claim holds for its lease and no longer', async () => {
    const row = await pendingOn(bench, 'k');
    const [claimed] = await bench.stores.feedback.claimDue(LATER, 30 * SECOND, 10);
    expect(claimed).toMatchObject({ id: row.id, attempts: 0, state: 'pending', nextAt: LATER + 30 * SECOND });
    expect(await bench.stores.feedback.get(row.id)).toEqual(claimed);
    expect(await bench.stores.feedback.claimDue(LATER + 30 * SECOND - 1, 30 * SECOND, 10)).toEqual([]);
    expect(await bench.stores.feedback.claimDue(LATER + 30 * SECOND, 30 * SECOND, 10)).toHaveLength(1);
  });

  test('claims the oldest first and keeps to the limit', async () => {
    const all = (await fill(5)).map((row) => row.id);
    const claim = async (limit: number) =>
      (await bench.stores.feedback.claimDue(LATER, WHILE, limit)).map((row) => row.id);
    expect(await claim(2)).toEqual(all.slice(0, 2));
    expect(await claim(2)).toEqual(all.slice(2, 4));
    expect(await claim(2)).toEqual(all.slice(4));
    expect(await claim(2)).toEqual([]);
  });

  test('a next try set before the clock stepped back an hour is due', async () => {
    const row = await pendingOn(bench, 'k');
    expect(await bench.stores.feedback.claimDue(row.nextAt - 1_200 * SECOND, WHILE, 10)).toEqual([]);
    expect((await bench.stores.feedback.claimDue(row.nextAt - HOUR, WHILE, 10)).map(({ id }) => id)).toEqual([
      row.id,
    ]);
  });

  test('no row goes to two claimers', async () => {
    const all = (await fill(10)).map((row) => row.id);
    const claimed = (await Promise.all(range(20, () => bench.stores.feedback.claimDue(LATER, WHILE, 3))))
      .flat()
      .map((row) => row.id);
    expect(new Set(claimed).size).toBe(claimed.length);
    const rest = (await bench.stores.feedback.claimDue(LATER, WHILE, 100)).map((row) => row.id);
    expect([...claimed, ...rest].sort()).toEqual([...all].sort());
  });

  test('delivered and expired rows are not claimed', async () => {
    const [done, gone, open] = await fill(3);
    await bench.stores.feedback.delivered(done?.id ?? '', LATER);
    await bench.stores.feedback.failed(gone?.id ?? '', 'too old', null, LATER);
    expect((await bench.stores.feedback.claimDue(LATER + HOUR, WHILE, 10)).map((row) => row.id)).toEqual([
      open?.id,
    ]);
  });
}

function outcomes(make: MakeHarness): void {
  const bench = useStores(make);

  test('delivered says when', async () => {
    const row = await pendingOn(bench, 'k');
    await bench.stores.feedback.delivered(row.id, LATER);
    expect(await bench.stores.feedback.get(row.id)).toMatchObject({ state: 'delivered', deliveredAt: LATER });
    expect(await bench.stores.feedback.counts()).toEqual({ pending: 0, expired: 0, oldestPendingAt: null });
  });

  test('a failed try is counted and waits for its next time', async () => {
    const row = await pendingOn(bench, 'k');
    await bench.stores.feedback.failed(row.id, 'no route', LATER, LATER);
    await bench.stores.feedback.failed(row.id, 'refused', LATER + 5, LATER);
    expect(await bench.stores.feedback.get(row.id)).toEqual({
      ...row,
      attempts: 2,
      lastError: 'refused',
      nextAt: LATER + 5,
    });
    expect(await bench.stores.feedback.claimDue(LATER + 4, HOUR, 10)).toEqual([]);
    expect(await bench.stores.feedback.claimDue(LATER + 5, HOUR, 10)).toHaveLength(1);
  });

  test('given up, it stays in sight as expired', async () => {
    const row = await pendingOn(bench, 'k');
    await bench.stores.feedback.failed(row.id, 'too old', null, LATER);
    expect(await bench.stores.feedback.get(row.id)).toMatchObject({
      state: 'expired',
      attempts: 1,
      lastError: 'too old',
      deliveredAt: null,
    });
    expect(await bench.stores.feedback.counts()).toEqual({ pending: 0, expired: 1, oldestPendingAt: null });
  });

  test('counts what waits and since when', async () => {
    const first = await pendingOn(bench, 'a');
    bench.clock.advance(SECOND);
    const second = await pendingOn(bench, 'b');
    expect(await bench.stores.feedback.counts()).toEqual({
      pending: 2,
      expired: 0,
      oldestPendingAt: TEST_START,
    });
    await bench.stores.feedback.failed(first.id, 'x', LATER + HOUR, LATER);
    expect(await bench.stores.feedback.counts()).toEqual({
      pending: 2,
      expired: 0,
      oldestPendingAt: TEST_START,
    });
    await bench.stores.feedback.delivered(first.id, LATER);
    expect(await bench.stores.feedback.counts()).toEqual({
      pending: 1,
      expired: 0,
      oldestPendingAt: TEST_START + SECOND,
    });
    await bench.stores.feedback.failed(second.id, 'x', null, LATER);
    expect(await bench.stores.feedback.counts()).toEqual({ pending: 0, expired: 1, oldestPendingAt: null });
  });

  test('a late failure does not undo a delivery', async () => {
    const row = await pendingOn(bench, 'k');
    await bench.stores.feedback.delivered(row.id, LATER);
    await bench.stores.feedback.failed(row.id, 'timed out', LATER + HOUR, LATER);
    expect(await bench.stores.feedback.get(row.id)).toMatchObject({ state: 'delivered', deliveredAt: LATER });
    expect(await bench.stores.feedback.claimDue(LATER + 2 * HOUR, HOUR, 10)).toEqual([]);
  });

  test('outlives a restart', async () => {
    const row = await pendingOn(bench, 'k');
    await bench.stores.feedback.failed(row.id, 'no route', LATER, LATER);
    const before = await bench.stores.feedback.get(row.id);
    await bench.restart();
    expect(await bench.stores.feedback.get(row.id)).toEqual(before);
    expect(await bench.stores.feedback.claimDue(LATER, WHILE, 10)).toHaveLength(1);
  });
}
