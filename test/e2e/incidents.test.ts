// Incident groups over HTTP on both programs. Tests bear the names of the rows of spec 2 that they hold.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { type Call, startHubHere, startSiteHere } from '../support/in-process.ts';
import { Scene } from '../support/process.ts';
import { type Answer, expectStatus, jsonOf, signedCall } from '../support/request.ts';

const INCIDENTS = '/api/core/incidents';

interface Incident {
  id: number;
  state: string;
  memberCount: number;
  isTest: boolean;
  lastAt: string;
  mergedInto: number | null;
  firstAppearance: { eventId: number; at: string } | null;
  firstAppearanceLocked: boolean;
}
interface Upserted {
  id: number;
  created: boolean;
  added: number;
  skipped: { eventId: number; incidentId: number }[];
  differences: object[];
  redirectedFrom: number | null;
}

describe.each(['site', 'headquarters'])('%s', (program) => {
  let scene: Scene;
  let call: Call;
  let key: SigningKey;
  let url: string;
  let keys = 0;

  beforeAll(async () => {
    scene = new Scene();
    if (program === 'site') {
      const site = await startSiteHere(scene);
      ({
        call,
        site: { url },
      } = site);
    } else {
      const hub = await startHubHere(scene);
      ({
        call,
        hub: { url },
      } = hub);
    }
    key = jsonOf<SigningKey>(
      expectStatus(await call('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'cam' }), 201),
    );
  });
  afterAll(() => scene.close());

  /** Events one minute after another, all after those of earlier tests. @returns their ids */
  async function events(count: number, over: object = {}): Promise<number[]> {
    const made = Array.from({ length: count }, () => {
      keys += 1;
      return {
        idempotency_key: `k${keys}`,
        type: 'vehicle.intrusion',
        severity: 'high',
        occurred_at: new Date(Date.UTC(2026, 2, 1) + keys * 60_000).toISOString(),
        title: `event ${keys}`,
        ...over,
      };
    });
    const answer = await signedCall({
      url,
      key,
      method: 'POST',
      path: '/api/core/events',
      body: JSON.stringify({ events: made }),
    });
    return jsonOf<{ items: { id: number }[] }>(expectStatus(answer, 201)).items.map(({ id }) => id);
  }
  const body = (event_ids: number[], over: object = {}) => ({
    tenant_code: 'acme',
    source_key: `g${event_ids[0]}`,
    layer: 'L1',
    site_ref: 'tunnel',
    event_ids,
    ...over,
  });
  const upsert = async (event_ids: number[], over: object = {}): Promise<Upserted> =>
    jsonOf<Upserted>(
      expectStatus(await call('POST', `${INCIDENTS}/upsert`, body(event_ids, over)), 200, 201),
    );
  const decide = (id: number, what: string, more: object = {}): Promise<Answer> =>
    call('POST', `${INCIDENTS}/${id}/${what}`, { by: 'wu', ...more });
  const get = async (
    id: number,
  ): Promise<
    Incident & { members: { eventId: number; event: object }[]; wentTo: number | null; otherLayers: object[] }
  > => jsonOf(expectStatus(await call('GET', `${INCIDENTS}/${id}`), 200));
  const list = async (query = ''): Promise<number[]> =>
    jsonOf<{ items: Incident[] }>(
      expectStatus(await call('GET', `${INCIDENTS}?limit=1000${query}`), 200),
    ).items.map(({ id }) => id);
  /** A group that was merged into another. */
  const closed = async (): Promise<{ away: number; into: number; events: number[] }> => {
    const [a = 0, b = 0, c = 0] = await events(3);
    const into = (await upsert([a])).id;
    const away = (await upsert([b, c])).id;
    expectStatus(await decide(into, 'merge', { incident_ids: [away] }), 200);
    return { away, into, events: [b, c] };
  };
  const refused = (answer: Answer, status: number, error: string): void => {
    expect([answer.status, jsonOf<{ error: string }>(answer).error], answer.text).toEqual([status, error]);
    if (status === 409) expect(jsonOf(answer)).toMatchObject({ retryable: false });
  };

  describe('POST /api/core/incidents/upsert', () => {
    test('agent writes back one group; idempotent by source key; members only added', async () => {
      const ids = await events(3);
      const first = await call('POST', `${INCIDENTS}/upsert`, body(ids.slice(0, 2), { title: 'gate' }));
      expect(first.status).toBe(201);
      const { id } = jsonOf<Upserted>(first);
      expect(jsonOf(first)).toEqual({
        id,
        created: true,
        added: 2,
        skipped: [],
        differences: [],
        redirectedFrom: null,
      });
      const again = await call('POST', `${INCIDENTS}/upsert`, body(ids, { source_key: `g${ids[0]}` }));
      expect([again.status, jsonOf<Upserted>(again)]).toEqual([
        200,
        { id, created: false, added: 1, skipped: [], differences: [], redirectedFrom: null },
      ]);
      expect((await get(id)).members.map(({ eventId }) => eventId)).toEqual(ids);
    });

    test('values reported by the agent are only compared and differences are listed in the reply', async () => {
      const ids = await events(2);
      const { differences, id } = await upsert(ids, {
        facts: { severity: 'low', member_count: 2, event_types: ['vehicle.intrusion', 'fire'] },
      });
      expect(differences).toEqual([
        { field: 'event_types', reported: ['vehicle.intrusion', 'fire'], computed: ['vehicle.intrusion'] },
        { field: 'severity', reported: 'low', computed: 'high' },
      ]);
      expect(await get(id)).toMatchObject({ severity: 'high', eventTypes: ['vehicle.intrusion'] });
    });

    test('an event belongs to one group only per layer; the reply names that group', async () => {
      const [a = 0, b = 0] = await events(2);
      const { id } = await upsert([a]);
      expect(await upsert([b, a])).toMatchObject({
        created: true,
        added: 1,
        skipped: [{ eventId: a, incidentId: id }],
      });
      const other = await upsert([a, b], { layer: 'L3', source_key: `l3-${a}` });
      expect(other).toMatchObject({ added: 2, skipped: [] });
      expect((await get(other.id)).firstAppearance).toBeNull();
      expect((await get(id)).otherLayers).toEqual([
        { id: other.id, layer: 'L3', state: 'auto', title: null, sharedCount: 1 },
      ]);
      const none = await call('POST', `${INCIDENTS}/upsert`, body([a], { source_key: 'unseen' }));
      expect([none.status, jsonOf<Upserted>(none)]).toMatchObject([
        200,
        { id: null, created: false, added: 0, skipped: [{ eventId: a, incidentId: id }] },
      ]);
    });

    test('unknown events are refused by name, each at its place', async () => {
      const [a = 0] = await events(1);
      const answer = await call('POST', `${INCIDENTS}/upsert`, body([a, 999_991, 999_992]));
      refused(answer, 400, 'validation_failed');
      expect(jsonOf<{ details: object[] }>(answer).details).toMatchObject([
        { path: 'event_ids[1]', message: 'event 999991 does not exist or is not of this tenant' },
        { path: 'event_ids[2]', message: 'event 999992 does not exist or is not of this tenant' },
      ]);
      refused(
        await call('POST', `${INCIDENTS}/upsert`, body([a], { tenant_code: 'other' })),
        400,
        'validation_failed',
      );
    });

    test('later agent additions to B go to A', async () => {
      const { away, into, events: ids } = await closed();
      const [later = 0] = await events(1);
      expect(await upsert([...ids, later], { source_key: `g${ids[0]}` })).toMatchObject({
        id: into,
        created: false,
        added: 1,
        skipped: [],
        redirectedFrom: away,
      });
      expect((await get(into)).memberCount).toBe(4);
    });

    test.each<[string, object]>([
      ['an unknown field', { site: 'x' }],
      ['an unknown layer', { layer: 'L4' }],
      ['no events', { event_ids: [] }],
      ['an event that is no number', { event_ids: ['1'] }],
      ['no source key', { source_key: '' }],
      ['an unknown fact', { facts: { members: 1 } }],
      ['a fact that is no time', { facts: { first_at: 'yesterday' } }],
      ['too many events', { event_ids: Array.from({ length: 1001 }, (_, i) => i + 1) }],
    ])('400: %s', async (_, over) =>
      refused(await call('POST', `${INCIDENTS}/upsert`, body([1], over)), 400, 'validation_failed'),
    );

    test('400: the source key is of another layer', async () => {
      const [a = 0] = await events(1);
      await upsert([a]);
      refused(
        await call('POST', `${INCIDENTS}/upsert`, body([a], { layer: 'L2' })),
        400,
        'validation_failed',
      );
    });
  });

  describe('decisions', () => {
    test('auto, confirm → confirmed; first-appearance value locked', async () => {
      const [early = 0, ...ids] = await events(3);
      const { id } = await upsert(ids);
      const answer = await decide(id, 'confirm', { note: 'seen on the spot' });
      expect(jsonOf(expectStatus(answer, 200))).toMatchObject({
        changed: true,
        incident: { state: 'confirmed', confirmedBy: 'wu', firstAppearanceLocked: true },
      });
      await upsert([early], { source_key: `g${ids[0]}` });
      expect(await get(id)).toMatchObject({ memberCount: 3, firstAppearance: { eventId: ids[0] } });
      expect(jsonOf(expectStatus(await decide(id, 'confirm'), 200))).toMatchObject({ changed: false });
      const audit = jsonOf<{ items: { action: string; actor: string; after: object }[] }>(
        await call('GET', `/api/core/audit?subject=incident:${id}&action=incident.confirmed`),
      );
      expect(audit.items).toMatchObject([
        {
          actor: expect.stringMatching(/^admin from /) as string,
          after: { by: 'wu', note: 'seen on the spot' },
        },
      ]);
    });

    test('non-closed group, split → a new group in state split; not pulled back by later agent replays', async () => {
      const ids = await events(3);
      const { id } = await upsert(ids);
      const answer = await decide(id, 'split', { event_ids: [ids[1]] });
      const { splitOff } = jsonOf<{ splitOff: Incident }>(expectStatus(answer, 201));
      expect(jsonOf(answer)).toMatchObject({
        incident: { id, state: 'auto', memberCount: 2 },
        splitOff: { state: 'split', splitFrom: id, memberCount: 1, sourceKey: null },
      });
      expect(await upsert(ids)).toMatchObject({
        id,
        added: 0,
        skipped: [{ eventId: ids[1], incidentId: splitOff.id }],
      });
    });

    test('splitting off every member, or none of the members, is 400', async () => {
      const ids = await events(2);
      const { id } = await upsert(ids);
      refused(await decide(id, 'split', { event_ids: ids }), 400, 'validation_failed');
      refused(await decide(id, 'split', { event_ids: [ids[0], 999_999] }), 400, 'validation_failed');
      refused(await decide(id, 'split', { event_ids: [] }), 400, 'validation_failed');
    });

    test(
      'group B, merge into group A → B becomes closed and points to A; members move to A; unmerge undoes ' +
        'it',
      async () => {
        const { away, into, events: ids } = await closed();
        expect(await get(away)).toMatchObject({
          state: 'closed',
          mergedInto: into,
          wentTo: into,
          members: ids.map((eventId) => ({ eventId })),
        });
        expect(await get(into)).toMatchObject({ state: 'auto', memberCount: 3 });
        expect(jsonOf(expectStatus(await decide(away, 'unmerge'), 200))).toMatchObject({
          incident: { id: away, state: 'auto', memberCount: 2 },
          from: { id: into, memberCount: 1 },
        });
        refused(await decide(away, 'unmerge'), 409, 'not_merged');
      },
    );

    test('unmerge after a former member was split off is 409 and names it', async () => {
      const { away, into, events: ids } = await closed();
      expectStatus(await decide(into, 'split', { event_ids: [ids[0]] }), 201);
      const answer = await decide(away, 'unmerge');
      refused(answer, 409, 'members_gone');
      expect(jsonOf<{ details: object[] }>(answer).details).toMatchObject([{ eventId: ids[0] }]);
    });

    test.each<[string, (ids: { away: number; into: number; events: number[] }) => Promise<Answer>]>([
      ['confirm', ({ away }) => decide(away, 'confirm')],
      ['split', ({ away, events: ids }) => decide(away, 'split', { event_ids: [ids[0]] })],
      ['merge', ({ away, into }) => decide(away, 'merge', { incident_ids: [into] })],
      ['merge of it', ({ away, into }) => decide(into, 'merge', { incident_ids: [away] })],
    ])('%s on a closed group → 409, unchanged, retryable false', async (_, run) => {
      const group = await closed();
      const before = await get(group.away);
      const answer = await run(group);
      refused(answer, 409, 'incident_closed');
      expect(jsonOf<{ details: object[] }>(answer).details).toEqual([
        { incidentId: group.away, mergedInto: group.into },
      ]);
      expect(await get(group.away)).toEqual(before);
    });

    test('merge: all of them or none; what does not go together is named', async () => {
      const [a = 0, b = 0, c = 0] = await events(3);
      const [into, good, l2] = [
        (await upsert([a])).id,
        (await upsert([b])).id,
        (await upsert([c], { layer: 'L2' })).id,
      ];
      const answer = await decide(into, 'merge', { incident_ids: [good, l2, into] });
      refused(answer, 400, 'validation_failed');
      expect(jsonOf<{ details: object[] }>(answer).details).toMatchObject([
        { path: 'incident_ids[1]', message: `incident ${l2} is of another layer` },
        { path: 'incident_ids[2]', message: `incident ${into} is the group to merge into` },
      ]);
      refused(await decide(into, 'merge', { incident_ids: [good, 999_999] }), 404, 'not_found');
      expect((await get(good)).state).toBe('auto');
    });

    test.each(['confirm', 'split', 'merge', 'unmerge'])(
      '%s: an unknown group is 404, and by is required',
      async (what) => {
        const more = {
          ...(what === 'split' ? { event_ids: [1] } : {}),
          ...(what === 'merge' ? { incident_ids: [1] } : {}),
        };
        refused(await decide(999_999, what, more), 404, 'not_found');
        refused(await call('POST', `${INCIDENTS}/1/${what}`, more), 400, 'validation_failed');
        refused(await decide(1, what, { ...more, by: 'wu', note: ' ' }), 400, 'validation_failed');
      },
    );
  });

  describe('GET', () => {
    test('list ordered by time of last member descending; default returns only live real groups', async () => {
      const { away, into } = await closed();
      const [real = 0] = await events(1);
      const [tested = 0] = await events(1, { is_test: true });
      const [realGroup, testGroup] = [(await upsert([real])).id, (await upsert([tested])).id];
      const all = await list();
      expect(all.slice(0, 2)).toEqual([realGroup, into]);
      expect(all).not.toContain(away);
      expect((await list('&include_test=true')).slice(0, 3)).toEqual([testGroup, realGroup, into]);
      expect((await list('&state=closed'))[0]).toBe(away);
      expect(await list('&tenant_code=other')).toEqual([]);
      expect(await list('&site_ref=nowhere')).toEqual([]);
      expect((await list('&layer=L1&site_ref=tunnel&tenant_code=acme&state=auto')).slice(0, 2)).toEqual([
        realGroup,
        into,
      ]);
      const page = jsonOf<{ items: Incident[]; nextCursor: string; hasMore: boolean }>(
        await call('GET', `${INCIDENTS}?limit=1`),
      );
      expect([page.items[0]?.id, page.hasMore]).toEqual([realGroup, true]);
      expect(
        jsonOf<{ items: Incident[] }>(await call('GET', `${INCIDENTS}?limit=1&cursor=${page.nextCursor}`))
          .items[0]?.id,
      ).toBe(into);
    });

    test('test members are counted separately', async () => {
      const [real = 0] = await events(1);
      const { id } = await upsert([real]);
      const { differences } = await upsert(await events(2, { is_test: true }), {
        source_key: `g${real}`,
        facts: { member_count: 1, test_member_count: 2 },
      });
      expect(differences).toEqual([]);
      expect(await get(id)).toMatchObject({ memberCount: 1, testMemberCount: 2, isTest: false });
    });

    test('detail: group, members with event summaries, a page at a time', async () => {
      const ids = await events(3);
      const { id } = await upsert(ids);
      const page = jsonOf<{ members: { eventId: number; event: { title: string } }[]; nextCursor: string }>(
        await call('GET', `${INCIDENTS}/${id}?limit=2`),
      );
      expect(page.members).toMatchObject(
        ids
          .slice(0, 2)
          .map((eventId) => ({ eventId, event: { id: eventId, type: 'vehicle.intrusion', verdict: null } })),
      );
      const rest = jsonOf<{ members: object[]; hasMore: boolean; nextCursor: null }>(
        await call('GET', `${INCIDENTS}/${id}?limit=2&cursor=${page.nextCursor}`),
      );
      expect(rest).toMatchObject({ members: [{ eventId: ids[2] }], hasMore: false, nextCursor: null });
    });

    test.each<[string, string, number]>([
      ['an unknown group', '/999999', 404],
      ['a group named for another tenant', '/1?tenant_code=other', 404],
      ['no id', '/x', 400],
      ['an unknown state', '?state=gone', 400],
      ['an unknown parameter', '?site=x', 400],
      ['a cursor of another list', `?cursor=${Buffer.from('[1,"events",4]').toString('base64url')}`, 400],
      [
        'the cursor of another group',
        `/1?cursor=${Buffer.from('[1,"incident-2",4,4]').toString('base64url')}`,
        400,
      ],
    ])('%s', async (_, rest, status) =>
      expect((await call('GET', `${INCIDENTS}${rest}`)).status).toBe(status),
    );
  });
});
