// The datasets that headquarters serves of its own, over HTTP with a consumer's key.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WireRow } from '../../../common/dataset/schema.ts';
import type { SigningKey } from '../../../common/http/signing/signature.ts';
import { HOUR } from '../../support/clock.ts';
import { type Answer, expectStatus, jsonOf, signedCall } from '../../support/request.ts';
import { openSessionRig, type SessionRig } from '../session-rig.ts';

let rig: SessionRig;
let key: SigningKey;
beforeAll(async () => {
  rig = await openSessionRig();
  expectStatus(
    await rig.admin('POST', '/api/core/events/subscribe', {
      consumer: 'alpha-c',
      tenant_code: 'alpha',
      start_cursor: 0,
    }),
    201,
  );
  key = jsonOf<SigningKey>(
    expectStatus(await rig.admin('POST', '/api/core/consumers/alpha-c/keys', { tenant_code: 'alpha' }), 201),
  );
});
afterAll(() => rig.close());

const call = (path: string): Promise<Answer> =>
  signedCall({
    url: rig.hub.url,
    key,
    method: 'GET',
    path: `/api/subscribe/v1/datasets${path}`,
    now: rig.clock.now(),
  });
const rows = async (path: string): Promise<WireRow[]> =>
  jsonOf<{ items: WireRow[] }>(expectStatus(await call(path), 200)).items;
const counts = async (): Promise<Record<string, unknown>> =>
  Object.fromEntries(
    (await rows('/events_daily')).map((row) => [
      [row.day, row.site_ref, row.type, row.severity, row.verdict].join(' '),
      row.deleted ? 'deleted' : row.event_count,
    ]),
  );
async function settle(): Promise<void> {
  while ((await rig.hub.store.servedCounts.round(rig.clock.now())).again);
  rig.clock.advance(2 * 60_000);
}

describe('datasets of headquarters', () => {
  test('count events by site, day, type, severity and verdict, and follow verdicts and corrections', async () => {
    const event = (name: string, more: object = {}) => ({
      idempotency_key: name,
      type: 'ppe.no_helmet',
      severity: 'high',
      site_ref: 'dam',
      occurred_at: '2026-03-01T23:30:00+08:00',
      ...more,
    });
    const ids = await rig.post('alpha', [
      event('a'),
      event('b'),
      event('c', { occurred_at: '2026-03-02T00:30:00+08:00' }),
      event('d', { is_test: true }),
    ]);
    await rig.post('bravo', [event('z')]);
    await settle();
    expect(await counts()).toEqual({
      '2026-03-01 dam ppe.no_helmet high ': 2,
      '2026-03-02 dam ppe.no_helmet high ': 1,
    });
    expectStatus(
      await rig.admin('POST', `/api/core/events/${ids[0]}/verdict`, { verdict: 'confirmed', by: 'li' }),
      200,
    );
    expectStatus(
      await rig.admin('POST', `/api/core/events/${ids[2]}/verdict`, { verdict: 'confirmed', by: 'li' }),
      200,
    );
    await settle();
    expect(await counts()).toEqual({
      '2026-03-01 dam ppe.no_helmet high ': 1,
      '2026-03-01 dam ppe.no_helmet high confirmed': 1,
      '2026-03-02 dam ppe.no_helmet high confirmed': 1,
      '    ': 'deleted',
    });
    expectStatus(
      await rig.admin('POST', `/api/core/events/${ids[0]}/corrections`, {
        verdict: 'false_alarm',
        by: 'li',
        note: 'a cap',
      }),
      201,
      200,
    );
    await settle();
    expect(await counts()).toMatchObject({
      '2026-03-01 dam ppe.no_helmet high ': 1,
      '2026-03-01 dam ppe.no_helmet high false_alarm': 1,
    });
    await settle();
    expect(
      await rig.hub.store.pool.query('select * from served_event_verdicts').then((found) => found.rowCount),
    ).toBe(2);
  });

  test('hold rows back until nothing earlier can be committed, and mark what was deleted', async () => {
    expectStatus(
      await rig.admin('POST', '/api/core/objects/tasks', {
        tenant_code: 'alpha',
        type: 'disposal',
        title: 'look',
        severity: 'low',
      }),
      201,
    );
    expect(await rows('/tasks')).toEqual([]);
    rig.clock.advance(61_000);
    const [task] = await rows('/tasks');
    expect(task).toMatchObject({ title: 'look', state: 'open', deleted: false });
    expect(await rows(`/tasks?cursor=${encodeURIComponent(`${task?.updated_at}|${task?.pk}`)}`)).toEqual([]);
    await rig.hub.store.pool.query('delete from tasks');
    await rig.hub.store.pool.query('update served_deletions set updated_at = $1', [rig.clock.now()]);
    rig.clock.advance(HOUR);
    expect(
      await rows(`/tasks?cursor=${encodeURIComponent(`${task?.updated_at}|${task?.pk}`)}`),
    ).toMatchObject([{ pk: task?.pk, deleted: true }]);
  });

  test('say from when on they have data, of the tenant that asks', async () => {
    const earliest = async () => {
      const { datasets } = jsonOf<{ datasets: { key: string; earliest: string | null }[] }>(await call(''));
      return Object.fromEntries(datasets.map(({ key: dataset, earliest: from }) => [dataset, from]));
    };
    const before = await earliest();
    expect(before).toMatchObject({ events_daily: '2026-03-01', incident_groups: null });
    const task = (tenant: string) =>
      rig.admin('POST', '/api/core/objects/tasks', {
        tenant_code: tenant,
        type: 'disposal',
        title: 'first',
        severity: 'low',
      });
    expectStatus(await task('bravo'), 201);
    expect(await earliest()).toEqual({ ...before, tasks: null });
    const at = new Date(rig.clock.now()).toISOString();
    expectStatus(await task('alpha'), 201);
    rig.clock.advance(1_000);
    expectStatus(await task('alpha'), 201);
    expect(await earliest()).toMatchObject({ tasks: at });
  });

  test('are for the key of their tenant, and 60 calls a minute, at whichever process', async () => {
    expect((await call('/tasks?cursor=&limit=&tenant=')).status).toBe(200);
    expect((await call('/tasks?tenant=bravo')).status).toBe(403);
    rig.clock.advance(HOUR);
    const peer = await rig.peer();
    const at = (url: string) =>
      signedCall({ url, key, method: 'GET', path: '/api/subscribe/v1/datasets', now: rig.clock.now() });
    for (let count = 0; count < 30; count += 1)
      expect([(await at(rig.hub.url)).status, (await at(peer.url)).status]).toEqual([200, 200]);
    expect((await at(peer.url)).headers).toMatchObject({
      'retry-after': '60',
      ratelimit: '"calls";r=0;t=60',
      'ratelimit-policy': '"calls";q=60;w=60',
    });
  });
});
