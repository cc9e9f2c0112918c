// Knowledge objects: stored once, found by every filter, revised by people only where it is meant for them.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { knowledgeKinds } from '../../common/core/timeline/record.ts';
import { campaign } from '../support/campaign.ts';
import { HOUR } from '../support/clock.ts';
import { type Answer, expectStatus, jsonOf, signedCall } from '../support/request.ts';
import { openSessionRig, type SessionRig } from './session-rig.ts';

const PATH = '/api/core/objects/knowledge';
const RUNS = campaign('FAULT_PROPERTY_RUNS', 8, 25);

let rig: SessionRig;
beforeAll(async () => {
  rig = await openSessionRig();
});
afterAll(() => rig.close());

interface View {
  coreId: number;
  version: number;
  created: boolean;
  same: boolean;
  createdAt: string;
  body: { sections: Record<string, { text: string; revisedBy?: string; revisedAt?: string }> };
}
let made = 0;
const object = (more: object = {}): object => ({
  tenant_code: 'acme',
  src_system: 'agent',
  src_pk: `pk-${(made += 1)}`,
  title: 'Shift',
  kind: 'shift_handover',
  source_ref: {},
  body: {
    sections: {
      summary: { text: 'quiet', editable: 'human' },
      remarks: { text: 'none', editable: 'human' },
      figures: { text: '12' },
    },
  },
  ...more,
});
const store = async (more: object = {}): Promise<View> =>
  jsonOf<View>(expectStatus(await rig.admin('POST', PATH, object(more)), 200, 201));
const get = async (id: number): Promise<View> =>
  jsonOf<View>(expectStatus(await rig.admin('GET', `${PATH}/${id}?tenant_code=acme`), 200));
const revise = (id: number, sections: Record<string, string>, more: object = {}): Promise<Answer> =>
  rig.admin('POST', `${PATH}/${id}/revise`, { tenant_code: 'acme', sections, by: 'li', ...more });
const items = <T>(answer: Answer): T[] => jsonOf<{ items: T[] }>(expectStatus(answer, 200)).items;

describe('storing', () => {
  test('the same key is one object, also by many at once, in each tenant', async () => {
    const body = object();
    const answers = await Promise.all(Array.from({ length: 8 }, () => rig.admin('POST', PATH, body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map((answer) => jsonOf<View>(answer).coreId)).size).toBe(1);
    expect((await rig.admin('POST', PATH, { ...body, tenant_code: 'other' })).status).toBe(201);
  });

  test('again never writes over what people have revised since', async () => {
    const body = object() as { src_pk: string };
    const { coreId } = await store(body);
    expectStatus(await revise(coreId, { summary: 'a person knows better' }), 200);
    expect(await store(body)).toMatchObject({ coreId, version: 2, created: false, same: true });
    expect(
      await store({
        ...body,
        body: { sections: { summary: { text: 'the agent again', editable: 'human' } } },
      }),
    ).toMatchObject({ coreId, version: 2, created: false, same: false });
    expect((await get(coreId)).body.sections.summary?.text).toBe('a person knows better');
  });

  test.each([
    [{ kind: 'diary' }],
    [{ source_ref: 'text' }],
    [{ source_ref: [1] }],
    [{ body: { sections: { a: { text: 'x', editable: 'all' } } } }],
    [{ valid_until: '2026-01-01' }],
    [{ security_level: 'x' }],
    [{ body: { sections: {}, big: 'x'.repeat(600_000) } }],
    [{ source_ref: { big: 'x'.repeat(20_000) } }],
  ])('refuses %j', async (more) => {
    expect((await rig.admin('POST', PATH, object(more))).status).toBe(400);
  });
});

describe('fetching', () => {
  test("needs the tenant; another's is not there", async () => {
    const { coreId } = await store();
    await rig.addUser('cust', { role: 'customer', tenant_code: 'acme' });
    const customer = await rig.browser('cust');
    expect((await rig.admin('GET', `${PATH}/${coreId}`)).status).toBe(400);
    expect((await rig.admin('GET', `${PATH}/${coreId}?tenant_code=other`)).status).toBe(404);
    expect((await customer.call('GET', `${PATH}/${coreId}?tenant_code=acme`)).status).toBe(200);
    expect((await customer.call('GET', `${PATH}/${coreId}?tenant_code=other`)).status).toBe(403);
    expect((await customer.call('GET', `${PATH}?tenant_code=other`)).status).toBe(403);
  });
});

describe('revising', () => {
  test('changes what differs, marks it, keeps every version and audits the whole row', async () => {
    const { coreId } = await store();
    rig.clock.advance(HOUR);
    expect(
      jsonOf(
        expectStatus(
          await revise(coreId, { summary: 'busy', remarks: 'none' }, { expected_version: 1, note: 'seen' }),
          200,
        ),
      ),
    ).toMatchObject({ changed: true, changedSections: ['summary'] });
    const now = await get(coreId);
    expect(now.body.sections).toMatchObject({
      summary: { text: 'busy', revisedBy: 'li', revisedAt: new Date(rig.clock.now()).toISOString() },
      remarks: { text: 'none' },
    });
    expect(now.body.sections.remarks).not.toHaveProperty('revisedBy');
    const history = items<{ version: number; body: View['body']; by: string; note: string | null }>(
      await rig.admin('GET', `${PATH}/${coreId}/history?tenant_code=acme`),
    );
    expect(
      history.map(({ version, by, note, body }) => [version, by, note, body.sections.summary?.text]),
    ).toEqual([
      [2, 'li', 'seen', 'busy'],
      [1, 'admin', null, 'quiet'],
    ]);
    const [audit] = items<{ before: View; after: View }>(
      await rig.admin('GET', `/api/core/audit?subject=knowledge:${coreId}&action=knowledge.revised`),
    );
    expect([
      audit?.before.version,
      audit?.before.body.sections.summary?.text,
      audit?.after.version,
      audit?.after.body,
    ]).toEqual([1, 'quiet', 2, now.body]);
  });

  test('is all or nothing, and limits a section to 8000 characters', async () => {
    const { coreId } = await store();
    const refused = await revise(coreId, { summary: 'x', figures: '13', nowhere: 'y' });
    expect([refused.status, jsonOf<{ error: string; details: { path: string }[] }>(refused).error]).toEqual([
      400,
      'section_not_editable',
    ]);
    expect(jsonOf<{ details: { path: string }[] }>(refused).details.map(({ path }) => path)).toEqual([
      'sections.figures',
      'sections.nowhere',
    ]);
    expect((await revise(coreId, { summary: '字'.repeat(8_001) })).status).toBe(400);
    expect((await revise(coreId, {})).status).toBe(400);
    expect((await get(coreId)).version).toBe(1);
    expectStatus(await revise(coreId, { summary: '😀'.repeat(8_000) }), 200);
    expect(jsonOf(expectStatus(await revise(coreId, { summary: '😀'.repeat(8_000) }), 200))).toMatchObject({
      changed: false,
    });
    expect((await get(coreId)).version).toBe(2);
  });

  test('of an older version is refused with what stands there now; of ten at once one wins', async () => {
    const { coreId } = await store();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        revise(coreId, { summary: `writer ${index}` }, { expected_version: 1 }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const lost = answers.filter(({ status }) => status === 409);
    expect(lost).toHaveLength(9);
    const now = await get(coreId);
    for (const answer of lost)
      expect(jsonOf(answer)).toMatchObject({
        error: 'stale_version',
        retryable: false,
        version: 2,
        current: { version: 2, body: now.body },
      });
    expect(items<object>(await rig.admin('GET', `${PATH}/${coreId}/history?tenant_code=acme`))).toHaveLength(
      2,
    );
  });
});

describe('lists', () => {
  const refuses = (query: string) => rig.admin('GET', `${PATH}?${query}`).then(({ status }) => status);

  test('refuse times without a zone, half a reference, other fields and what is beyond the limits', async () => {
    for (const query of [
      'since=2026-01-01',
      'until=2026-01-01T00:00:00',
      'ref_key=a',
      'ref_value=a',
      'fields=all',
      'limit=1001',
      'limit=0',
      'offset=10001',
      'offset=-1',
      'kind=diary',
      'exclude_kind=diary',
    ])
      expect([query, await refuses(query)]).toEqual([query, 400]);
    for (const query of [
      'since=2026-01-01T00:00:00%2B08:00',
      'limit=1000&offset=10000',
      'exclude_kind=checklist,%20monthly_report',
    ])
      expect([query, await refuses(query)]).toEqual([query, 200]);
  });

  test(
    'find by every filter what a plain search finds, in order, page by page, while others are stored',
    { timeout: 120_000 },
    async () => {
      const rows: {
        view: View;
        tenant: string;
        kind: string;
        system: string;
        ref: Record<string, unknown>;
        at: number;
      }[] = [];
      for (let one = 0; one < 60; one += 1) {
        if (one % 3 === 0) rig.clock.advance(1000);
        const [tenant, kind, system] = [`list-${one % 2}`, knowledgeKinds[one % 5] ?? '', `sys-${one % 4}`];
        const ref = { site: `s${one % 3}`, n: one % 7, tags: [`t${one % 2}`, 'all'], nested: { deep: 1 } };
        rows.push({
          view: await store({ tenant_code: tenant, kind, src_system: system, source_ref: ref }),
          tenant,
          kind,
          system,
          ref,
          at: rig.clock.now(),
        });
      }
      const time = fc.option(fc.nat(rows.length - 1));
      const query = fc.record({
        tenant: fc.constantFrom('list-0', 'list-1'),
        kind: fc.option(fc.constantFrom(...knowledgeKinds)),
        exclude: fc.subarray([...knowledgeKinds]),
        system: fc.option(fc.constantFrom('sys-0', 'sys-1', 'sys')),
        ref: fc.option(
          fc.constantFrom(
            ['site', 's1'],
            ['n', '3'],
            ['tags', 'all'],
            ['tags', 't1'],
            ['nested', '1'],
            ['site=', 's1'],
            ['sit', 'e=s1'],
          ),
        ),
        since: time,
        until: time,
        limit: fc.integer({ min: 1, max: 20 }),
      });
      await fc.assert(
        fc.asyncProperty(query, async ({ tenant, kind, exclude, system, ref, since, until, limit }) => {
          const at = (index: number | null) => (index === null ? null : (rows[index]?.at ?? null));
          // Up to the last of the rows: what earlier runs stored beside them came later.
          const [from, to] = [at(since), (at(until) ?? rows.at(-1)?.at ?? 0) + (until === null ? 1 : 0)];
          const wanted = rows.filter(
            (row) =>
              row.tenant === tenant &&
              (kind === null || row.kind === kind) &&
              !exclude.includes(row.kind as never) &&
              (system === null || row.system === system) &&
              (from === null || row.at >= from) &&
              row.at < to &&
              (ref === null ||
                [row.ref[ref[0] ?? '']]
                  .flat()
                  .some(
                    (value) => typeof value !== 'object' && value !== undefined && String(value) === ref[1],
                  )),
          );
          const text = new URLSearchParams({
            tenant_code: tenant,
            fields: 'meta',
            limit: String(limit),
            until: new Date(to).toISOString(),
            ...(kind === null ? {} : { kind }),
            ...(exclude.length === 0 ? {} : { exclude_kind: exclude.join(',') }),
            ...(system === null ? {} : { src_system: system }),
            ...(ref === null ? {} : { ref_key: ref[0] ?? '', ref_value: ref[1] ?? '' }),
            ...(from === null ? {} : { since: new Date(from).toISOString() }),
          });
          const found: number[] = [];
          for (let offset: number | null = 0; offset !== null;) {
            const page: { items: View[]; nextOffset: number | null } = jsonOf(
              expectStatus(await rig.admin('GET', `${PATH}?${text.toString()}&offset=${offset}`), 200),
            );
            for (const item of page.items) expect(item).not.toHaveProperty('body');
            found.push(...page.items.map(({ coreId }) => coreId));
            offset = page.nextOffset;
            rig.clock.advance(1);
            await store({ tenant_code: tenant });
          }
          expect(found).toEqual(wanted.map(({ view }) => view.coreId).reverse());
        }),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
  );

  test("at the operator's side show every tenant unless one is named", async () => {
    const seen = new Set(
      items<{ tenantCode: string }>(await rig.admin('GET', `${PATH}?limit=1000&fields=meta`)).map(
        ({ tenantCode }) => tenantCode,
      ),
    );
    expect([...seen]).toEqual(expect.arrayContaining(['acme', 'other', 'list-0', 'list-1']));
  });
});

test('a false-alarm case stands in the timeline of its event, and objects are counted in the window', async () => {
  const [event] = await rig.post('timeline', [{ idempotency_key: 'e1', type: 'fire.smoke' }]);
  const [foreign] = await rig.post('elsewhere', [{ idempotency_key: 'e1', type: 'fire.smoke' }]);
  await store({
    tenant_code: 'timeline',
    kind: 'false_alarm_case',
    title: 'Welding light',
    source_ref: { event_id: event },
    machine_generated: true,
    by: 'analyst',
  });
  await store({ tenant_code: 'timeline', kind: 'checklist', source_ref: { event_id: String(event) } });
  await store({ tenant_code: 'timeline', kind: 'checklist', source_ref: { event_id: foreign } });
  const steps = async (more = '') =>
    jsonOf<{ steps: { kind: string; by: string; text: string; machineGenerated?: boolean }[] }>(
      expectStatus(
        await rig.admin('GET', `/api/core/events/${event}/timeline?tenant_code=timeline${more}`),
        200,
      ),
    ).steps.filter(({ kind }) => (knowledgeKinds as readonly string[]).includes(kind));
  expect(await steps()).toMatchObject([
    { kind: 'false_alarm_case', by: 'analyst', machineGenerated: true },
    { kind: 'checklist' },
  ]);
  expect((await steps())[0]?.text).toContain('Welding light');
  expect((await steps('&exclude_kind=checklist')).map(({ kind }) => kind)).toEqual(['false_alarm_case']);
  const window = `since=${new Date(rig.clock.now() - HOUR).toISOString()}&until=${new Date(rig.clock.now() + HOUR).toISOString()}`;
  const { knowledge } = jsonOf<{ knowledge: object[] }>(
    expectStatus(await rig.admin('GET', `/api/core/stats/window?tenant_code=timeline&${window}`), 200),
  );
  expect(knowledge).toEqual([
    { kind: 'checklist', count: 2 },
    { kind: 'false_alarm_case', count: 1 },
  ]);
});

describe('clearance', () => {
  const LEVELS = ['public', 'internal', 'confidential', 'secret'] as const;
  let ids: Record<(typeof LEVELS)[number], number>;
  let event: number;
  let srcPks: string[];
  const grant = async (subject: string, level: string) =>
    expectStatus(
      await rig.admin('POST', '/api/core/kb/clearance', { tenant_code: 'cleared', subject, level }),
      200,
    );
  const knowledgeIn = (answer: Answer): string[] =>
    jsonOf<{ steps: { source: { table: string; key: string } }[] }>(expectStatus(answer, 200)).steps.flatMap(
      ({ source }) => (source.table === 'knowledge' ? [source.key] : []),
    );

  beforeAll(async () => {
    const at = new Date(rig.clock.now()).toISOString();
    [event = 0] = await rig.post('cleared', [
      { idempotency_key: 'k', type: 'a.b', kind: 'alert', occurred_at: at },
    ]);
    const made: View[] = [];
    for (const level of LEVELS)
      made.push(
        await store({
          tenant_code: 'cleared',
          src_pk: `cleared-${level}`,
          title: level,
          security_level: level,
          source_ref: { event_id: event },
        }),
      );
    ids = Object.fromEntries(LEVELS.map((level, index) => [level, made[index]?.coreId])) as typeof ids;
    srcPks = LEVELS.map((level) => `cleared-${level}`);
    for (const name of ['low', 'ops', 'high']) await rig.addUser(name);
    const permissions = ['knowledge.view', 'events.view', 'stats.view', 'audit.view'];
    await rig.addUser('mei', { role: 'customer', tenant_code: 'cleared', permissions });
    await grant('low', 'public');
    await grant('high', 'secret');
  });

  test.each<[string, number]>([
    ['low', 1],
    ['mei', 2],
    ['ops', 2],
    ['high', 4],
  ])('of %s lets %i of four objects be seen, by every way', async (name, count) => {
    const browser = await rig.browser(name);
    const seen = LEVELS.slice(0, count);
    const call = (method: string, path: string, body?: object) =>
      browser.call(method, path, body === undefined ? {} : { body });
    for (const more of ['', '&fields=meta', `&ref_key=event_id&ref_value=${event}`, '&kind=shift_handover']) {
      const listed = await call('GET', `${PATH}?tenant_code=cleared&limit=10${more}`);
      expect(items<{ title: string }>(listed).map(({ title }) => title)).toEqual([...seen].reverse());
    }
    for (const [at, level] of LEVELS.entries()) {
      const is = `${PATH}/${ids[level]}`;
      // A revision of a stale version shows the object as it is now.
      const revision = { tenant_code: 'cleared', sections: { summary: 'x' }, by: 'li', expected_version: 9 };
      const statuses = [
        await call('GET', `${is}?tenant_code=cleared`),
        await call('GET', `${is}/history?tenant_code=cleared`),
        await call('POST', `${is}/revise`, revision),
        await call('POST', PATH, object({ tenant_code: 'cleared', src_pk: srcPks[at], title: level })),
      ].map(({ status }) => status);
      const [got, changed] = at < count ? [200, [409, 200]] : [404, [404, 404]];
      // Customers change none.
      expect(statuses).toEqual([got, got, ...(name === 'mei' ? [403, 403] : changed)]);
    }
    const timeline = await call('GET', `/api/core/events/${event}/timeline?tenant_code=cleared`);
    expect(knowledgeIn(timeline)).toEqual(seen.map((level) => String(ids[level])));
    const [since = '', until = ''] = [-HOUR, HOUR].map((ms) => new Date(rig.clock.now() + ms).toISOString());
    const stats = await call(
      'GET',
      `/api/core/stats/window?${String(new URLSearchParams({ tenant_code: 'cleared', since, until }))}`,
    );
    expect(jsonOf<{ knowledge: object[] }>(expectStatus(stats, 200)).knowledge).toEqual([
      expect.objectContaining({ count }),
    ]);
    const audit = items<{ action: string; before: unknown; after: unknown }>(
      await call('GET', '/api/core/audit?limit=1000'),
    ).filter(({ action }) => action.startsWith('knowledge.'));
    expect(audit.filter(({ before, after }) => before !== null || after !== null)).toEqual([]);
    expect(audit.length > 0).toBe(name !== 'mei');
  });

  test("of a consumer's key is granted to it, and an admin key needs none", async () => {
    const path = `/api/core/events/${event}/timeline?tenant_code=cleared`;
    expectStatus(await rig.admin('POST', '/api/core/events/subscribe', { consumer: 'reader' }), 200, 201);
    const wanted = { tenant_code: 'cleared', scopes: ['timeline.read'] };
    const key = jsonOf<{ keyId: string; secret: string }>(
      expectStatus(await rig.admin('POST', '/api/core/consumers/reader/keys', wanted), 201),
    );
    const asked = () =>
      signedCall({ url: rig.hub.url, key, method: 'GET', path, body: '', now: rig.clock.now() });
    expect(knowledgeIn(await asked())).toHaveLength(2);
    await grant('consumer:reader', 'confidential');
    expect(knowledgeIn(await asked())).toHaveLength(3);
    expect(knowledgeIn(await rig.admin('GET', path))).toHaveLength(4);
    expect(items(await rig.admin('GET', `${PATH}?tenant_code=cleared`))).toHaveLength(4);
  });
});
