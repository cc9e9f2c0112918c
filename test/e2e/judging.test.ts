// What waits to be judged, and what to judge it by: what its camera and its place brought before; on both
// programs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { expectStatus, jsonOf, signedCall } from '../support/request.ts';

interface Past {
  events: number;
  judged: number;
  falseAlarms: number;
  ofType: { events: number; judged: number; falseAlarms: number };
  more: boolean;
  items: { id: number; verdictBy: string | null }[];
}
interface Earlier {
  days: number;
  camera: Past | null;
  place: Past | null;
}

describe.each(['site', 'headquarters'])('%s', (program) => {
  let scene: Scene;
  let call: Call;
  let key: SigningKey;
  let url: string;

  beforeAll(async () => {
    scene = new Scene();
    const here = program === 'site' ? await startSiteHere(scene) : await startHubHere(scene);
    call = here.call;
    url = 'site' in here ? here.site.url : here.hub.url;
    key = jsonOf<SigningKey>(
      expectStatus(await call('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'cam' }), 201),
    );
  });
  afterAll(() => scene.close());

  async function post(...events: object[]): Promise<number[]> {
    const body = {
      events: events.map((over) => ({
        idempotency_key: crypto.randomUUID(),
        type: 'smoke',
        occurred_at: '2026-03-20T00:00:00Z',
        ...over,
      })),
    };
    const answer = await signedCall({
      url,
      key,
      method: 'POST',
      path: '/api/core/events',
      body: JSON.stringify(body),
    });
    return jsonOf<{ items: { id: number }[] }>(expectStatus(answer, 201)).items.map(({ id }) => id);
  }

  const earlier = async (id: number | undefined): Promise<Earlier> =>
    jsonOf<Earlier>(expectStatus(await call('GET', `/api/core/events/${id}/earlier`), 200));

  const judge = async (id: number | undefined, what: string, verdict: string): Promise<unknown> =>
    expectStatus(
      await call('POST', `/api/core/events/${id}/${what}`, { verdict, by: 'li', note: 'seen' }),
      200,
      201,
    );

  test('counts what came before by camera and place, as the verdicts stand', async () => {
    const gate = { camera_ref: 'gate', site_ref: 'north' };
    const [a, b, c, other, , , newest] = await post(
      gate,
      gate,
      { ...gate, type: 'fire' },
      { camera_ref: 'roof', site_ref: 'north' },
      // Not the same: too long ago, and a test.
      { ...gate, occurred_at: '2026-02-17T23:59:59Z' },
      { ...gate, is_test: true },
      gate,
      // Afterwards.
      gate,
    );
    await judge(a, 'verdict', 'false_alarm');
    await judge(b, 'verdict', 'confirmed');
    await judge(b, 'corrections', 'false_alarm');
    await judge(c, 'verdict', 'confirmed');
    const { days, camera, place } = await earlier(newest);
    expect(days).toBe(30);
    expect(camera).toMatchObject({
      events: 3,
      judged: 3,
      falseAlarms: 2,
      ofType: { events: 2, judged: 2, falseAlarms: 2 },
      more: false,
    });
    expect(camera?.items.map(({ id, verdictBy }) => [id, verdictBy])).toEqual([
      [c, 'li'],
      [b, 'li'],
      [a, 'li'],
    ]);
    expect(place).toMatchObject({ events: 4, judged: 3, falseAlarms: 2 });
    expect(place?.items.map(({ id }) => id)).toContain(other);
  });

  test('rows of what waits to be judged are of one camera and type, the gravest first', async () => {
    const [old] = await post({ camera_ref: 'k-1', type: 'helmet', severity: 'low' });
    const [first, second] = await post(
      { camera_ref: 'k-1', type: 'fire', severity: 'high', camera_name: 'Kiln' },
      { camera_ref: 'k-1', type: 'fire', severity: 'critical' },
      { camera_ref: 'k-2', type: 'helmet' },
      { camera_ref: 'k-1', type: 'fire', kind: 'observation' },
      { camera_ref: 'k-1', type: 'fire', is_test: true },
    );
    const rowsNow = async (query = ''): Promise<{ rows: object[]; events: number }> => {
      const answer = jsonOf<{ items: { cameraRef: string | null }[]; events: number; more: boolean }>(
        expectStatus(await call('GET', `/api/core/events/unjudged?tenant_code=acme${query}`), 200),
      );
      expect(answer.more).toBe(false);
      const rows = answer.items.filter(({ cameraRef }) => cameraRef?.startsWith('k-'));
      return { rows, events: answer.events };
    };
    const { rows, events } = await rowsNow();
    expect(rows).toMatchObject([
      { cameraRef: 'k-1', type: 'fire', severity: 'critical', count: 2, ids: [second, first] },
      { cameraRef: 'k-2', type: 'helmet', severity: 'medium', count: 1 },
      { cameraRef: 'k-1', type: 'helmet', severity: 'low', count: 1, ids: [old] },
    ]);
    await judge(second, 'verdict', 'confirmed');
    expect((await rowsNow()).events).toBe(events - 1);
    expect((await rowsNow('&severity=high')).rows).toMatchObject([{ count: 1, ids: [first] }]);
    await judge(first, 'verdict', 'false_alarm');
    expect((await rowsNow('&type=fire')).rows).toEqual([]);
  });

  test('says that there are more than it looked at, and shows the newest', async () => {
    const crowd = Array.from({ length: 400 }, () => ({ camera_ref: 'crowd' }));
    for (let round = 0; round < 3; round += 1) await post(...crowd);
    const [id] = await post({ camera_ref: 'crowd' });
    const { camera, place } = await earlier(id);
    expect(camera).toMatchObject({ events: 1000, more: true });
    expect(camera?.items).toHaveLength(6);
    expect(place).toBeNull();
  });

  test('an event without a camera has no past of one, and another is not there', async () => {
    const [id] = await post({});
    expect(await earlier(id)).toEqual({ days: 30, camera: null, place: null });
    expectStatus(await call('GET', '/api/core/events/999999/earlier'), 404);
    expectStatus(await call('GET', `/api/core/events/${id}/earlier?tenant_code=beta`), 404);
  });
});
