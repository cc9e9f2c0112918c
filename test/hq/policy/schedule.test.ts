// A version whose day is to come waits, and takes the place of the one before it on that day.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { untilRun } from '../../support/in-process.ts';
import { expectStatus, jsonOf } from '../../support/request.ts';
import { type DocumentView, errorOf, itemsOf, openPolicyRig, type PolicyRig, TENANT } from './rig.ts';

const DAY_MS = 86_400_000;
let rig: PolicyRig;
beforeAll(async () => {
  rig = await openPolicyRig();
});
afterAll(() => rig.close());

const dayIn = (days: number): string =>
  new Date(rig.clock.now() + days * DAY_MS + 8 * 3_600_000).toISOString().slice(0, 10);
const found = async (query: string): Promise<string[]> => {
  const body = { tenant_code: TENANT, subject: 'li', query };
  const answer = await rig.admin('POST', '/api/core/kb/search', body);
  return itemsOf<{ version: string }>(answer).map(({ version }) => version);
};
async function next(first: DocumentView, text: string, more: object): Promise<DocumentView> {
  const { docId } = await rig.register({ supersedes: first.docId, version: '2', ...more });
  const { chunksSha256 } = jsonOf<DocumentView>(expectStatus(await rig.submit(docId, [text]), 200));
  const answer = await rig.state(docId, { state: 'effective', expect_chunks_sha256: chunksSha256 });
  return jsonOf<DocumentView>(expectStatus(answer, 200));
}

test('there is no day without a version: the old one stands until the new one takes its place', async () => {
  const first = await rig.effective(['灯塔的规定'], { effective_date: dayIn(-9) });
  const second = await next(first, '灯塔的新规定', { effective_date: dayIn(5) });
  expect(second).toMatchObject({ status: 'effective', scheduled: true, superseded: null });
  const listed = async (query: string): Promise<number[]> =>
    itemsOf<DocumentView>(
      await rig.admin('GET', `/api/core/kb/docs?tenant_code=${TENANT}&all_levels=1&${query}`),
    ).map(({ docId }) => docId);
  expect([await listed('status=effective'), await listed('scheduled=true')]).toEqual([
    [second.docId, first.docId],
    [second.docId],
  ]);
  expect(await listed('status=effective&scheduled=false')).toEqual([first.docId]);
  expect(await found('灯塔')).toEqual(['1']);
  const { chunks } = await rig.detail(second.docId);
  const verified = await rig.admin('POST', '/api/core/kb/chunks/verify', {
    ...{ tenant_code: TENANT, subject: 'li' },
    chunk_ids: [chunks[0]?.chunkId],
  });
  expect(itemsOf(verified)).toMatchObject([{ reason: 'not_yet_effective' }]);
  const rival = await rig.register({ supersedes: first.docId, version: '2b' });
  const { chunksSha256 } = jsonOf<DocumentView>(await rig.submit(rival.docId, ['灯塔']));
  const refused = await rig.state(rival.docId, { state: 'effective', expect_chunks_sha256: chunksSha256 });
  expect(errorOf(refused)).toEqual([409, 'another_version_effective']);

  rig.clock.advance(5 * DAY_MS);
  await untilRun('the new version', async () => !(await rig.detail(second.docId)).scheduled, 30_000);
  expect(await rig.detail(first.docId)).toMatchObject({
    status: 'superseded',
    supersededBy: second.docId,
  });
  expect(await found('灯塔')).toEqual(['2']);
}, 60_000);

test('a scheduled version may be withdrawn; the one before it stays', async () => {
  const first = await rig.effective(['风车的规定']);
  const second = await next(first, '风车的新规定', { effective_date: dayIn(5) });
  expectStatus(await rig.state(second.docId, { state: 'withdrawn', reason: 'wrong' }), 200);
  expect(await found('风车')).toEqual(['1']);
});

test('a policy that ends within 30 days raises an alarm, until its next version is scheduled', async () => {
  const ending = async (): Promise<{ details: { policies: { id: number }[] } } | undefined> =>
    itemsOf<{ key: string; details: { policies: { id: number }[] } }>(
      await rig.admin('GET', '/api/core/alarms'),
    ).find(({ key }) => key === 'policies_ending');
  const first = await rig.effective(['水闸的规定'], { expiry_date: dayIn(20) });
  await rig.effective(['水坝的规定'], { expiry_date: dayIn(40) });
  const alarm = await untilRun('the alarm', ending, 30_000);
  expect(alarm.details.policies).toMatchObject([{ id: first.docId }]);
  await next(first, '水闸的新规定', { effective_date: dayIn(15) });
  await untilRun('its end', async () => (await ending()) === undefined, 30_000);
}, 90_000);
