// Who sees what: the table of origins, clearance in every way to read, and no side door beside it.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../support/browser.ts';
import { campaign } from '../../support/campaign.ts';
import { type Answer, expectStatus, jsonOf } from '../../support/request.ts';
import {
  type DocumentView,
  errorOf,
  itemsOf,
  openPolicyRig,
  original,
  type PolicyRig,
  registration,
  TENANT,
} from './rig.ts';

const LEVELS = ['public', 'internal', 'confidential', 'secret'];
const RUNS = campaign('FAULT_PROPERTY_RUNS', 5, 15);

let rig: PolicyRig;
let chief: Browser;
let customer: Browser;
beforeAll(async () => {
  rig = await openPolicyRig();
  await rig.addUser('chief');
  await rig.addUser('li', { role: 'customer', tenant_code: TENANT });
  chief = await rig.browser('chief');
  customer = await rig.browser('li');
});
afterAll(() => rig.close());

const grant = async (tenant: string, subject: string, level: string): Promise<void> =>
  void expectStatus(
    await rig.admin('POST', '/api/core/kb/clearance', { tenant_code: tenant, subject, level }),
    200,
  );
const bare = (answer: Answer): string =>
  answer.text.replace(/"requestId":"[^"]*"/, '').replace(/(Policy file|Answer) \d+/g, '$1 N');

describe('the table of origins', () => {
  const manage = (tenant: string): [string, string, object?][] => [
    ['POST', '/api/core/kb/docs', registration({ tenant_code: tenant })],
    ['POST', '/api/core/kb/docs/1/chunks', { tenant_code: tenant, chunks: [{ text: 'x' }] }],
    ['POST', '/api/core/kb/docs/1/state', { tenant_code: tenant, state: 'superseded', by: 'me' }],
    ['POST', `/api/core/kb/docs/1/file?tenant_code=${tenant}`, {}],
    [
      'POST',
      '/api/core/kb/chunks/embed',
      {
        tenant_code: tenant,
        embed_model: 'm',
        items: [{ chunk_id: 1, sha256: '0'.repeat(64), embedding: [1] }],
      },
    ],
    ['POST', '/api/core/kb/clearance', { tenant_code: tenant, subject: 'li', level: 'secret' }],
    ['GET', `/api/core/kb/clearance?tenant_code=${tenant}`],
    ['POST', '/api/core/kb/qa_log', { tenant_code: tenant, subject: 'li', question: 'q', answer: 'a' }],
    ['GET', `/api/core/kb/docs/pending?tenant_code=${tenant}`],
    ['GET', `/api/core/retention/scopes?tenant_code=${tenant}`],
    ['POST', '/api/core/retention/scopes', { tenant_code: tenant, scope: 'qa_log', days: 9 }],
  ];
  const read = (tenant: string): [string, string, object?][] => [
    ['GET', `/api/core/kb/docs?tenant_code=${tenant}&all_levels=1`],
    ['GET', `/api/core/kb/docs/1?tenant_code=${tenant}&all_levels=1`],
    ['GET', `/api/core/kb/docs/1/file?tenant_code=${tenant}&all_levels=1`],
    ['GET', `/api/core/kb/qa_log?tenant_code=${tenant}&all_levels=1`],
    ['GET', `/api/core/kb/qa_log/1?tenant_code=${tenant}&all_levels=1`],
    ['POST', '/api/core/kb/qa_log/1/feedback', { tenant_code: tenant, subject: 'li', feedback: 'wrong' }],
  ];
  const call = (browser: Browser, [method, target, body]: [string, string, object?]) =>
    browser.call(method, target, body === undefined ? {} : { body });

  test('a console session acts on the operator tenant and the evaluation tenant only', async () => {
    for (const one of [...manage(TENANT), ...read(TENANT)])
      expect([one[1], ...errorOf(await call(chief, one))]).toEqual([one[1], 403, 'tenant_not_allowed']);
    for (const tenant of ['operator', 'evaluation']) {
      for (const one of [...manage(tenant), ...read(tenant)])
        expect([one[1], (await call(chief, one)).status !== 403]).toEqual([one[1], true]);
    }
    expect((await chief.call('GET', '/api/core/kb/docs?all_levels=1')).status).toBe(400);
  });

  test('each is told whose library it may use', async () => {
    const told = (answer: Answer): unknown => jsonOf<{ tenants: unknown }>(expectStatus(answer, 200)).tenants;
    expect(told(await chief.call('GET', '/api/core/kb/tenants'))).toEqual(['operator', 'evaluation']);
    expect(told(await customer.call('GET', '/api/core/kb/tenants'))).toEqual([TENANT]);
    expect(told(await rig.admin('GET', '/api/core/kb/tenants'))).toBeNull();
  });

  test('a portal session manages nothing, and reads its own tenant as itself', async () => {
    for (const tenant of [TENANT, 'operator'])
      for (const one of manage(tenant))
        expect([one[1], (await call(customer, one)).status]).toEqual([one[1], 403]);
    for (const one of read('operator'))
      expect([one[1], (await call(customer, one)).status]).toEqual([one[1], 403]);
    expect((await customer.call('GET', '/api/core/kb/docs?all_levels=1')).status).toBe(403);
    const as = (subject: string) =>
      customer.call('GET', '/api/core/kb/docs', {
        headers: { 'x-core-subject': subject, 'x-requested-with': 'fieldline' },
      });
    expect([(await as('li')).status, errorOf(await as('a-cleared-colleague'))]).toEqual([
      200,
      [403, 'subject_mismatch'],
    ]);
  });

  test('a caller says whose clearance applies, and all levels is audited each time', async () => {
    expect(errorOf(await rig.admin('GET', `/api/core/kb/docs?tenant_code=${TENANT}`))).toEqual([
      400,
      'subject_required',
    ]);
    expect((await rig.ask('GET', `/api/core/kb/docs?tenant_code=${TENANT}&all_levels=1`, 'li')).status).toBe(
      400,
    );
    const audited = async () =>
      itemsOf<object>(await rig.admin('GET', '/api/core/audit?action=kb.read_all_levels&limit=1000')).length;
    const before = await audited();
    for (const target of ['docs?', 'docs/999999?', 'qa_log?', 'docs/999999/file?'])
      await rig.admin('GET', `/api/core/kb/${target}tenant_code=${TENANT}&all_levels=1`);
    expect(await audited()).toBe(before + 4);
  });
});

describe('clearance', () => {
  test('is internal until it is granted, per tenant, and may be lowered', async () => {
    const files = await Promise.all(
      LEVELS.map((level) => rig.effective(['x'], { tenant_code: 'graded', security_level: level })),
    );
    const sees = async () =>
      itemsOf<DocumentView>(await rig.ask('GET', '/api/core/kb/docs?tenant_code=graded', '王 五'))
        .map(({ docId }) => files.findIndex((file) => file.docId === docId))
        .sort();
    expect(await sees()).toEqual([0, 1]);
    await grant('graded', '王 五', 'secret');
    expect(await sees()).toEqual([0, 1, 2, 3]);
    await grant('graded', '王 五', 'public');
    await grant(TENANT, '王 五', 'secret');
    expect(await sees()).toEqual([0]);
  });

  test('hides a file in every way to read it as one that does not exist', async () => {
    const tenant = 'hidden';
    const bytes = Buffer.from('x');
    const { docId } = await rig.register({
      tenant_code: tenant,
      security_level: 'secret',
      title: 'TOP',
      ...original(bytes),
    });
    expectStatus(await rig.upload(docId, bytes, tenant), 201);
    expectStatus(await rig.submit(docId, ['TOP'], tenant), 200);
    for (const rest of ['', '/file', '/file?presign=1']) {
      const target = (id: number) =>
        `/api/core/kb/docs/${id}${rest}${rest.includes('?') ? '&' : '?'}tenant_code=${tenant}`;
      const [theirs, nobodys] = [
        await rig.ask('GET', target(docId), 'li'),
        await rig.ask('GET', target(999_999), 'li'),
      ];
      expect([theirs.status, bare(theirs)]).toEqual([404, bare(nobodys)]);
      expect((await rig.ask('GET', target(docId).replace(tenant, 'another'), 'li')).status).toBe(404);
    }
    const list = await rig.ask('GET', `/api/core/kb/docs?tenant_code=${tenant}&limit=1`, 'li');
    expect(jsonOf(list)).toEqual({ items: [], nextCursor: null, hasMore: false });
  });

  test('hides the link to a version above it', async () => {
    const first = await rig.effective(['x'], { security_level: 'public' });
    const second = await rig.effective(['y'], { security_level: 'secret', supersedes: first.docId });
    const third = await rig.effective(['z'], { security_level: 'public', supersedes: second.docId });
    const seen = async (id: number) =>
      jsonOf<DocumentView>(
        expectStatus(await rig.ask('GET', `/api/core/kb/docs/${id}?tenant_code=${TENANT}`, 'nobody'), 200),
      );
    expect(await seen(first.docId)).toMatchObject({ status: 'superseded', supersededBy: null });
    expect(await seen(third.docId)).toMatchObject({ supersedes: null });
    expect(await rig.detail(third.docId)).toMatchObject({ supersedes: second.docId });
  });

  test(
    'holds for random files, levels, tenants and askers, page by page, in lists, details and the log',
    { timeout: 180_000 },
    async () => {
      let round = 0;
      const files = fc.array(fc.record({ tenant: fc.nat(1), level: fc.nat(3), effective: fc.boolean() }), {
        maxLength: 7,
      });
      const logged = fc.array(fc.record({ asker: fc.nat(1), cites: fc.array(fc.nat(6), { maxLength: 3 }) }), {
        maxLength: 4,
      });
      await fc.assert(
        fc.asyncProperty(
          files,
          logged,
          fc.constantFrom(null, 0, 1, 2, 3),
          fc.integer({ min: 1, max: 3 }),
          async (specs, answers, granted, limit) => {
            round += 1;
            const tenants = [`p${round}-a`, `p${round}-b`];
            const [tenant = ''] = tenants;
            const made: { docId: number; chunkId: number; tenant: number; level: number }[] = [];
            for (const { tenant: at, level, effective } of specs) {
              const more = {
                tenant_code: tenants[at],
                security_level: LEVELS[level],
                ...(effective ? {} : { src_system: 'manual' }),
              };
              const file = effective ? await rig.effective(['x'], more) : await rig.register(more);
              made.push({
                docId: file.docId,
                chunkId: effective ? (file.chunks[0]?.chunkId ?? 0) : 0,
                tenant: at,
                level,
              });
            }
            const entries: { qaId: number; asker: number; level: number }[] = [];
            for (const { asker, cites } of answers) {
              const cited = cites
                .flatMap((at) => made[at] ?? [])
                .filter((one) => one.tenant === 0 && one.chunkId > 0);
              const body = {
                tenant_code: tenant,
                subject: `asker-${asker}`,
                question: 'q',
                answer: 'a',
                citations: cited.map((one) => ({ chunk_id: one.chunkId })),
              };
              const { qaId } = jsonOf<{ qaId: number }>(
                expectStatus(await rig.admin('POST', '/api/core/kb/qa_log', body), 201),
              );
              entries.push({ qaId, asker, level: Math.max(0, ...cited.map((one) => one.level)) });
            }
            if (granted !== null) await grant(tenant, 'asker-0', LEVELS[granted] ?? '');
            const rank = granted ?? 1;
            const pages = async <T>(path: string): Promise<T[]> => {
              const found: T[] = [];
              for (let cursor = ''; ;) {
                const page = jsonOf<{ items: T[]; nextCursor: string | null; hasMore: boolean }>(
                  expectStatus(
                    await rig.ask('GET', `${path}?tenant_code=${tenant}&limit=${limit}${cursor}`, 'asker-0'),
                    200,
                  ),
                );
                found.push(...page.items);
                expect(page.hasMore).toBe(page.nextCursor !== null);
                if (page.nextCursor === null) return found;
                cursor = `&cursor=${page.nextCursor}`;
              }
            };
            const allowed = made.filter((one) => one.tenant === 0 && one.level <= rank);
            expect((await pages<DocumentView>('/api/core/kb/docs')).map(({ docId }) => docId)).toEqual(
              allowed.map(({ docId }) => docId).reverse(),
            );
            for (const { docId } of made) {
              const { status } = await rig.ask(
                'GET',
                `/api/core/kb/docs/${docId}?tenant_code=${tenant}`,
                'asker-0',
              );
              expect(status).toBe(allowed.some((one) => one.docId === docId) ? 200 : 404);
            }
            const mine = entries.filter((one) => one.asker === 0 && one.level <= rank);
            expect((await pages<{ qaId: number }>('/api/core/kb/qa_log')).map(({ qaId }) => qaId)).toEqual(
              mine.map(({ qaId }) => qaId).reverse(),
            );
            for (const { qaId } of entries) {
              const wanted = mine.some((one) => one.qaId === qaId) ? 200 : 404;
              expect(
                (await rig.ask('GET', `/api/core/kb/qa_log/${qaId}?tenant_code=${tenant}`, 'asker-0')).status,
              ).toBe(wanted);
              expect(
                (
                  await rig.admin('POST', `/api/core/kb/qa_log/${qaId}/feedback`, {
                    tenant_code: tenant,
                    subject: 'asker-0',
                    feedback: 'useful',
                  })
                ).status,
              ).toBe(wanted);
            }
          },
        ),
        { numRuns: RUNS, endOnFailure: true },
      );
    },
  );
});
