// What was written back on events, as consumers read it: of one event, and as it comes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { expectStatus, jsonOf, signedCall } from '../support/request.ts';
import { openSessionRig, type SessionRig } from './session-rig.ts';

interface Feed {
  items: { changeNo: number; eventId: number; tenantCode: string; kind: string; note: string | null }[];
  nextCursor: number;
  hasMore: boolean;
  epoch: string;
}

let rig: SessionRig;
let key: SigningKey;
const ids: Record<'alpha' | 'bravo', number[]> = { alpha: [], bravo: [] };
beforeAll(async () => {
  rig = await openSessionRig();
  for (const tenant of ['alpha', 'bravo'] as const)
    ids[tenant] = await rig.post(
      tenant,
      ['a', 'b', 'c'].map((name) => ({ idempotency_key: name, type: 'ppe.no_helmet' })),
    );
  expectStatus(
    await rig.admin('POST', '/api/core/events/subscribe', { consumer: 'reader', tenant_code: 'alpha' }),
    201,
  );
  key = jsonOf<SigningKey>(expectStatus(await rig.admin('POST', '/api/core/consumers/reader/keys', {}), 201));
});
afterAll(() => rig.close());

const judge = async (id: number | undefined, body: object, what = 'verdict'): Promise<void> =>
  void expectStatus(
    await rig.admin('POST', `/api/core/events/${id}/${what}`, { by: 'li', ...body }),
    200,
    201,
  );
const since = async (query: string): Promise<Feed> => {
  const path = `/api/core/verdicts/since?${query}`;
  return jsonOf<Feed>(
    expectStatus(await signedCall({ url: rig.hub.url, key, method: 'GET', path, now: rig.clock.now() }), 200),
  );
};

const FALSE_ALARM = {
  verdict: 'false_alarm',
  note: 'a shadow',
  judged_type: 'shadow',
  judged_confidence: 0.9,
  disposition: { type: 'none', message: 'clean the lens', summary: 'nothing was there', task_no: 'T-1' },
};

test('come once each in their order, past other tenants, and can be read back whole', async () => {
  const [first, second] = ids.alpha;
  expect(await since('cursor=0')).toMatchObject({ items: [], nextCursor: 0, hasMore: false });
  await judge(ids.bravo[0], { verdict: 'confirmed' });
  await judge(first, FALSE_ALARM);
  await judge(second, { verdict: 'merged', merged_into: first });
  await judge(first, { verdict: 'confirmed', note: 'it was a man' }, 'corrections');
  await judge(ids.bravo[1], { verdict: 'confirmed' });
  const page = await since('cursor=0&limit=2');
  expect(page).toMatchObject({
    hasMore: true,
    items: [
      {
        eventId: first,
        idempotencyKey: 'a',
        kind: 'verdict',
        verdict: 'false_alarm',
        by: 'li',
        byKind: 'human',
        note: 'a shadow',
        judged: { type: 'shadow', confidence: 0.9 },
        disposition: { type: 'none', message: 'clean the lens', summary: 'nothing was there', taskNo: 'T-1' },
      },
      { eventId: second, verdict: 'merged', mergedIntoKey: 'a', disposition: null },
    ],
  });
  const rest = await since(`cursor=${page.nextCursor}&epoch=${page.epoch}`);
  expect(rest).toMatchObject({
    hasMore: false,
    items: [{ eventId: first, kind: 'correction', verdict: 'confirmed', note: 'it was a man' }],
  });
  expect((await since(`cursor=${rest.nextCursor}`)).items).toEqual([]);
  const whole = await rig.admin('GET', `/api/core/events/${first}/verdict`);
  expect(jsonOf(expectStatus(whole, 200))).toMatchObject({
    eventId: first,
    first: {
      verdict: 'false_alarm',
      note: 'a shadow',
      judged: { type: 'shadow' },
      disposition: { message: 'clean the lens' },
    },
    corrections: [{ verdict: 'confirmed', note: 'it was a man', mergedInto: null }],
  });
  const merged = await rig.admin('GET', `/api/core/events/${second}/verdict`);
  expect(jsonOf(merged)).toMatchObject({ first: { mergedInto: first }, corrections: [] });
  const unjudged = await rig.admin('GET', `/api/core/events/${ids.alpha[2]}/verdict`);
  expect(jsonOf(unjudged)).toEqual({ eventId: ids.alpha[2], first: null, corrections: [], feedback: [] });
});
