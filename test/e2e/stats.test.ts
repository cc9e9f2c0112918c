// Statistics and the timeline over HTTP on both programs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { openSessionRig, type SessionRig } from '../hq/session-rig.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { expectStatus, jsonOf, signedCall } from '../support/request.ts';

const STATS = '/api/core/stats/window';
const SINCE = '2026-02-01T00:00:00Z';
const UNTIL = '2026-04-01T00:00:00%2B08:00';
const WINDOW = `tenant_code=acme&since=${SINCE}&until=${UNTIL}`;

interface Fault {
  details: { path: string; message: string }[];
  error: string;
}
interface Step {
  at: string;
  kind: string;
  by: string | null;
  text: string;
  textZh: string;
  basis?: string;
  reason?: string;
  source: { table: string; key: string };
}
interface View {
  steps: Step[];
  moments: Record<string, string | null>;
  durations: Record<string, number | null>;
  tasks: object[];
  truncated: boolean;
  asOf: string;
  sla: object | null;
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
    const made = events.map((over) => ({
      idempotency_key: crypto.randomUUID(),
      type: 'vehicle.intrusion',
      occurred_at: '2026-03-01T00:00:00Z',
      ...over,
    }));
    const answer = await signedCall({
      url,
      key,
      method: 'POST',
      path: '/api/core/events',
      body: JSON.stringify({ events: made }),
    });
    return jsonOf<{ items: { id: number }[] }>(expectStatus(answer, 201)).items.map(({ id }) => id);
  }

  test.each([
    ['all three parameters are required', '', ['tenant_code', 'since', 'until']],
    ['a time needs a zone', `tenant_code=acme&since=2026-03-01T00:00:00&until=${UNTIL}`, ['since']],
    ['until lies after since', `tenant_code=acme&since=${SINCE}&until=${SINCE}`, ['until']],
    ['93 days at most', `tenant_code=acme&since=${SINCE}&until=2026-05-05T00:00:00.001Z`, ['until']],
  ])('stats: %s', async (_, query, paths) => {
    const refused = jsonOf<Fault>(expectStatus(await call('GET', `${STATS}?${query}`), 400));
    expect(refused.details.map(({ path }) => path)).toEqual(paths);
  });

  test('stats: counts what was posted, judged and created', async () => {
    const [first] = await post({}, {}, { is_test: true });
    expectStatus(
      await call('POST', `/api/core/events/${first}/verdict`, { verdict: 'confirmed', by: 'li' }),
      200,
    );
    expectStatus(
      await call('POST', '/api/core/objects/tasks', {
        tenant_code: 'acme',
        type: 'disposal',
        event_id: first,
        title: 't',
        severity: 'high',
      }),
      201,
    );
    const now = new Date();
    const wide = `tenant_code=acme&since=${new Date(now.getTime() - 3_600_000).toISOString()}&until=${new Date(now.getTime() + 3_600_000).toISOString()}`;
    const events = jsonOf<{
      events: { count: number; verdict: string | null; test: boolean }[];
      knowledge: [];
      asOf: string;
    }>(expectStatus(await call('GET', `${STATS}?${WINDOW}`), 200));
    expect(events.events.map(({ verdict, test: isTest, count }) => [verdict, isTest, count])).toEqual([
      ['confirmed', false, 1],
      [null, false, 1],
      [null, true, 1],
    ]);
    expect(events.knowledge).toEqual([]);
    expect(Math.abs(Date.parse(events.asOf) - now.getTime())).toBeLessThan(60_000);
    const tasks = jsonOf<{ tasks: object[] }>(expectStatus(await call('GET', `${STATS}?${wide}`), 200));
    expect(tasks.tasks).toEqual([
      {
        type: 'disposal',
        state: 'open',
        eventTest: false,
        eventSource: 'video',
        overdue: false,
        escalated: false,
        instance: null,
        count: 1,
      },
    ]);
  });

  test('stats and events/list narrow down by severity and by corrected verdicts, and undated events count', async () => {
    const type = 'weighed.test';
    const [a = 0, b = 0] = await post(
      { type, severity: 'critical' },
      { type, severity: 'low' },
      { type, severity: 'low', occurred_at: undefined },
    );
    for (const id of [a, b])
      expectStatus(
        await call('POST', `/api/core/events/${id}/verdict`, { verdict: 'confirmed', by: 'li' }),
        200,
      );
    const correction = { verdict: 'false_alarm', by: 'li', note: 'a shadow' };
    expectStatus(await call('POST', `/api/core/events/${a}/corrections`, correction), 201);
    const seen = async (filter: string) => {
      const answer = expectStatus(await call('GET', `${STATS}?${WINDOW}&${filter}`), 200);
      const counts =
        jsonOf<Record<'events' | 'undated', { type: string; correctedTo: string | null }[]>>(answer);
      const of = (groups: { type: string; correctedTo: string | null }[]) =>
        groups.filter((group) => group.type === type).map(({ correctedTo }) => correctedTo);
      const list = expectStatus(await call('GET', `/api/core/events/list?type=${type}&${filter}`), 200);
      const ids = jsonOf<{ items: { id: number }[] }>(list).items.map(({ id }) => id);
      return { events: of(counts.events), undated: of(counts.undated), ids };
    };
    expect(await seen('severity=critical')).toEqual({ events: ['false_alarm'], undated: [], ids: [a] });
    expect(await seen('severity=low,medium')).toEqual({ events: [null], undated: [null], ids: [b + 1, b] });
    expect(await seen('corrected_to=false_alarm')).toEqual({
      events: ['false_alarm'],
      undated: [],
      ids: [a],
    });
    expect(await seen('standing=confirmed')).toEqual({ events: [null], undated: [], ids: [b] });
    expect(await seen('standing=none')).toEqual({ events: [], undated: [null], ids: [b + 1] });
    expectStatus(await call('GET', `${STATS}?${WINDOW}&severity=grave`), 400);
    expectStatus(await call('GET', `${STATS}?${WINDOW}&standing=perhaps`), 400);
  });

  test('events/list: the filters by source, kind, place and time', async () => {
    const [, hit] = await post(
      { type: 'place.test' },
      {
        type: 'place.test',
        source: 'quick_photo',
        kind: 'observation',
        site_ref: 's 1',
        camera_ref: 'c1',
        occurred_at: '2026-03-05T08:00:00+08:00',
      },
    );
    const list = async (query: string) =>
      jsonOf<{ items: { id: number }[] }>(
        expectStatus(await call('GET', `/api/core/events/list?type=place.test&${query}`), 200),
      ).items.map(({ id }) => id);
    for (const query of [
      'source=quick_photo',
      'kind=observation',
      'site_ref=s%201',
      'camera_ref=c1',
      'since=2026-03-05T00:00:00Z',
      'since=2026-03-05T00:00:00Z&until=2026-03-05T00:00:00.001Z&camera_ref=c1',
    ]) {
      expect(await list(query), query).toEqual([hit]);
    }
    expect(await list('since=2026-03-05T00:00:00.001Z')).toEqual([]);
    expectStatus(await call('GET', '/api/core/events/list?since=2026-03-05T00:00:00'), 400);
  });

  test('timeline: one event from its occurrence to the closure of its task', async () => {
    const [id = 0] = await post({ judged: { type: 'vehicle', by: 'edge' }, title: 'a car' });
    expectStatus(
      await call('POST', `/api/core/events/${id}/verdict`, {
        verdict: 'confirmed',
        by: 'agent',
        by_kind: 'machine',
        note: 'seen',
        disposition: { type: 'patrol' },
      }),
      200,
    );
    expectStatus(
      await call('POST', `/api/core/events/${id}/corrections`, {
        verdict: 'false_alarm',
        by: 'li',
        note: 'a shadow',
      }),
      201,
    );
    const task = jsonOf<{ id: number }>(
      expectStatus(
        await call('POST', '/api/core/objects/tasks', {
          tenant_code: 'acme',
          type: 'rectification',
          event_id: id,
          title: 'Fence it',
          severity: 'high',
          due_at: '2030-01-01T00:00:00Z',
        }),
        201,
      ),
    ).id;
    const step = { tenant_code: 'acme', by: 'wu' };
    const move = async (to: string) =>
      void expectStatus(
        await call('POST', `/api/core/objects/tasks/${task}/transition`, { ...step, to }),
        200,
      );
    await move('taken_over');
    expectStatus(
      await call('POST', `/api/core/objects/tasks/${task}/steps`, {
        ...step,
        kind: 'arrive',
        text: 'on site',
      }),
      201,
      200,
    );
    await move('completed');
    await move('closed');
    const view = jsonOf<View>(
      expectStatus(await call('GET', `/api/core/events/${id}/timeline?tenant_code=acme`), 200),
    );
    expect(view.steps.map(({ kind }) => kind)).toEqual([
      'occurred',
      'received',
      'verdict',
      'step',
      'verdict',
      'rectification_dispatched',
      'taken_over',
      'step',
      'pending_acceptance',
      'closed',
    ]);
    expect(view.steps.find(({ kind }) => kind === 'verdict')).toMatchObject({
      basis: 'machine',
      reason: 'seen',
      by: 'agent',
      source: { table: 'verdicts', key: String(id) },
    });
    expect(
      Object.entries(view.moments)
        .filter(([, at]) => at === null)
        .map(([name]) => name),
    ).toEqual(['judgedAt']);
    expect(
      Object.values(view.durations).every((seconds) => typeof seconds === 'number' && seconds >= 0),
    ).toBe(true);
    expect(view).toMatchObject({
      undated: [{ kind: 'judged', basis: 'machine' }],
      truncated: false,
      sla: { taskId: task, exceeded: false },
      tasks: [{ id: task, state: 'closed', records: 1 }],
    });
  });

  test.each([
    ['without tenant_code', '', 400],
    ['of another tenant', '?tenant_code=other', 404],
    ['leaving knowledge out', '?tenant_code=acme&exclude_kind=postmortem_report,checklist', 200],
    ['with a kind that there is not', '?tenant_code=acme&exclude_kind=postmortems', 400],
  ])('timeline: %s', async (_, query, status) => {
    const [id] = await post({});
    expectStatus(await call('GET', `/api/core/events/${id}/timeline${query}`), status);
    expectStatus(
      await call('GET', `/api/core/events/999999/timeline${query}`),
      status === 200 ? 404 : status,
    );
  });
});

describe('a session bound to one tenant', () => {
  let rig: SessionRig;
  beforeAll(async () => void (rig = await openSessionRig()));
  afterAll(() => rig.close());

  test('sees statistics and timelines of its own tenant only', async () => {
    await rig.addUser('customer', { role: 'customer', tenant_code: 'acme' });
    const browser = await rig.browser('customer');
    const [own] = await rig.post('acme', [{ idempotency_key: 'a', type: 'a.b' }]);
    const [foreign] = await rig.post('other', [{ idempotency_key: 'a', type: 'a.b' }]);
    const get = (target: string) => browser.call('GET', target);
    expectStatus(await get(`${STATS}?${WINDOW}`), 200);
    expectStatus(await get(`${STATS}?${WINDOW.replace('acme', 'other')}`), 403);
    expectStatus(await get(`/api/core/events/${own}/timeline?tenant_code=acme`), 200);
    expectStatus(await get(`/api/core/events/${own}/timeline?tenant_code=other`), 404);
    for (const tenant of ['acme', 'other'])
      expectStatus(await get(`/api/core/events/${foreign}/timeline?tenant_code=${tenant}`), 404);
  });
});
