// The question-and-answer log: what was said, on which basis, what became of that, and for how long it is
// kept.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLogger } from '../../../common/log.ts';
import { QaLogRetention } from '../../../hq/policy/qa-log/retention.ts';
import { HOUR } from '../../support/clock.ts';
import { expectStatus, jsonOf } from '../../support/request.ts';
import { type DocumentView, errorOf, itemsOf, openPolicyRig, type PolicyRig, TENANT } from './rig.ts';

const DAY = 24 * HOUR;
let rig: PolicyRig;
beforeAll(async () => {
  rig = await openPolicyRig();
});
afterAll(() => rig.close());

interface Reopened {
  citations: { reason: string; supersededBy: number | null; sha256: string }[];
  stillValid: boolean;
}
const log = async (body: object, tenant = TENANT): Promise<number> =>
  jsonOf<{ qaId: number }>(
    expectStatus(
      await rig.admin('POST', '/api/core/kb/qa_log', {
        tenant_code: tenant,
        subject: 'li',
        question: '动火要几级审批？',
        answer: '三级',
        ...body,
      }),
      201,
    ),
  ).qaId;
const reopen = async (qaId: number, subject = 'li'): Promise<Reopened> =>
  jsonOf<Reopened>(
    expectStatus(await rig.ask('GET', `/api/core/kb/qa_log/${qaId}?tenant_code=${TENANT}`, subject), 200),
  );
const cite = (file: DocumentView): object => ({
  citations: file.chunks.map(({ chunkId }) => ({ chunk_id: chunkId })),
});

describe('an entry', () => {
  test('is an answer or a refusal, never both or neither', async () => {
    const post = (body: object) =>
      rig.admin('POST', '/api/core/kb/qa_log', {
        tenant_code: TENANT,
        subject: 'li',
        question: 'q',
        ...body,
      });
    expect((await post({})).status).toBe(400);
    expect((await post({ answer: 'a', refusal_reason: 'r' })).status).toBe(400);
    expect(
      jsonOf(
        expectStatus(
          await post({ refusal_reason: 'no basis', duration_ms: 5, index_version: 'kb1/lex' }),
          201,
        ),
      ),
    ).toMatchObject({ answer: null, refusalReason: 'no basis', durationMs: 5 });
  });

  test('is marked by who asked alone; anybody else finds nothing', async () => {
    const qaId = await log({});
    const mark = (subject: string, feedback = 'useful') =>
      rig.admin('POST', `/api/core/kb/qa_log/${qaId}/feedback`, { tenant_code: TENANT, subject, feedback });
    expect(errorOf(await mark('wang'))).toEqual([404, 'not_found']);
    expect(jsonOf(expectStatus(await mark('li'), 200))).toMatchObject({ feedback: 'useful' });
    expect(jsonOf(expectStatus(await mark('li', 'wrong'), 200))).toMatchObject({ feedback: 'wrong' });
    await rig.addUser('portal-asker', { role: 'customer', tenant_code: TENANT });
    const browser = await rig.browser('portal-asker');
    expect(
      (await browser.call('POST', `/api/core/kb/qa_log/${qaId}/feedback`, { body: { feedback: 'useful' } }))
        .status,
    ).toBe(404);
    const own = await log({ subject: 'portal-asker' });
    expect(
      (await browser.call('POST', `/api/core/kb/qa_log/${own}/feedback`, { body: { feedback: 'useful' } }))
        .status,
    ).toBe(200);
    expect(
      (
        await browser.call('POST', `/api/core/kb/qa_log/${own}/feedback`, {
          body: { feedback: 'useful', subject: 'li' },
        })
      ).status,
    ).toBe(403);
    expect(
      itemsOf<{ qaId: number }>(await browser.call('GET', '/api/core/kb/qa_log')).map((one) => one.qaId),
    ).toEqual([own]);
  });
});

describe('what an answer cites', () => {
  const post = (citations: object[]) =>
    rig.admin('POST', '/api/core/kb/qa_log', {
      tenant_code: TENANT,
      subject: 'li',
      question: 'q',
      answer: 'a',
      citations,
    });
  const entries = async (): Promise<number> =>
    itemsOf<object>(await rig.admin('GET', `/api/core/kb/qa_log?tenant_code=${TENANT}&all_levels=1`)).length;

  test(
    "must be of the tenant: another tenant's chunk is refused like one that never was, and nothing is " +
      'logged',
    async () => {
      const own = await rig.effective(['own']);
      const foreign = await rig.effective(['foreign'], { tenant_code: 'other' });
      const before = await entries();
      const [mine, theirs] = [own.chunks[0]?.chunkId, foreign.chunks[0]?.chunkId];
      const sha256 = foreign.chunks[0]?.sha256;
      const refused = expectStatus(
        await post([
          { chunk_id: mine },
          { chunk_id: theirs },
          { chunk_id: theirs, sha256 },
          { chunk_id: 999_999 },
        ]),
        400,
      );
      expect(jsonOf<{ details: object[] }>(refused).details).toMatchObject(
        [1, 2, 3].map((at) => ({
          path: `citations.${at}.chunk_id`,
          message: 'must be a chunk of this tenant',
        })),
      );
      expect(await entries()).toBe(before);
      const logged = jsonOf<{ qaId: number }>(expectStatus(await post([{ chunk_id: mine }]), 201));
      const next = jsonOf<{ qaId: number }>(expectStatus(await post([{ chunk_id: mine }]), 201));
      expect(next.qaId).toBe(logged.qaId + 1);
    },
  );

  test('may have been replaced since it was shown, with the fingerprint of then', async () => {
    const { docId } = await rig.register();
    await rig.submit(docId, ['first', 'second', 'third']);
    const shown = (await rig.detail(docId)).chunks[1];
    await rig.submit(docId, ['another']);
    await rig.submit(docId, ['and another']);
    const refused = expectStatus(await post([{ chunk_id: shown?.chunkId }]), 400);
    expect(jsonOf<{ details: object[] }>(refused).details).toMatchObject([{ path: 'citations.0.sha256' }]);
    const logged = jsonOf(
      expectStatus(await post([{ chunk_id: shown?.chunkId, sha256: shown?.sha256 }]), 201),
    );
    expect(logged).toMatchObject({
      citations: [{ chunkId: shown?.chunkId, docId, sha256: shown?.sha256, clausePath: null }],
    });
  });
});

describe('an old answer', () => {
  test('says what became of each thing that it cites', async () => {
    const standing = await rig.effective(['stands']);
    const replaced = await rig.effective(['old']);
    const withdrawn = await rig.effective(['void']);
    const { docId } = await rig.register();
    await rig.submit(docId, ['draft']);
    const draft = await rig.detail(docId);
    const qaId = await log({
      citations: [standing, replaced, withdrawn, draft].flatMap((file) =>
        file.chunks.map(({ chunkId }) => ({ chunk_id: chunkId })),
      ),
    });
    expect((await reopen(qaId)).citations.map(({ reason }) => reason)).toEqual(['', '', '', 'not_effective']);
    const next = await rig.effective(['new'], { supersedes: replaced.docId });
    expectStatus(await rig.state(withdrawn.docId, { state: 'withdrawn', reason: 'wrong' }), 200);
    await rig.submit(docId, ['draft, changed']);
    const after = await reopen(qaId);
    expect(after.citations.map(({ reason, supersededBy }) => [reason, supersededBy])).toEqual([
      ['', null],
      ['superseded', next.docId],
      ['withdrawn', null],
      ['not_found', null],
    ]);
    expect(after.stillValid).toBe(false);
    expect(after.citations[1]?.sha256).toBe(replaced.chunks[0]?.sha256);
  });

  test('does not name a successor above the clearance, and is gone when the clearance is lowered', async () => {
    const file = await rig.effective(['x'], { security_level: 'internal' });
    await rig.effective(['y'], { security_level: 'secret', supersedes: file.docId });
    const qaId = await log({ ...cite(file), subject: 'zhao' });
    expect((await reopen(qaId, 'zhao')).citations).toMatchObject([
      { reason: 'superseded', supersededBy: null },
    ]);
    expectStatus(
      await rig.admin('POST', '/api/core/kb/clearance', {
        tenant_code: TENANT,
        subject: 'zhao',
        level: 'public',
      }),
      200,
    );
    expect((await rig.ask('GET', `/api/core/kb/qa_log/${qaId}?tenant_code=${TENANT}`, 'zhao')).status).toBe(
      404,
    );
  });

  test('follows the dates of Beijing, to the millisecond', async () => {
    const file = await rig.effective(['x'], { effective_date: '2026-03-10', expiry_date: '2026-03-11' });
    const qaId = await log(cite(file));
    const at = async (time: string): Promise<string | undefined> => {
      rig.clock.step(Date.parse(time) - rig.clock.now());
      return (await reopen(qaId)).citations[0]?.reason;
    };
    const before = rig.clock.now();
    expect(await at('2026-03-09T23:59:59.999+08:00')).toBe('not_yet_effective');
    expect(await at('2026-03-10T00:00:00.000+08:00')).toBe('');
    expect(await at('2026-03-11T23:59:59.999+08:00')).toBe('');
    expect(await at('2026-03-12T00:00:00.000+08:00')).toBe('expired');
    rig.clock.step(before - rig.clock.now());
  });
});

test('nothing is deleted until a tenant says for how many days, and then only what is older', async () => {
  const tenants = ['kept', 'cleaned'];
  const count = async (tenant: string): Promise<number> =>
    itemsOf<object>(await rig.admin('GET', `/api/core/kb/qa_log?tenant_code=${tenant}&all_levels=1`)).length;
  const clean = () =>
    new QaLogRetention(rig.hub.store.policy.retentionScopes, rig.clock, silentLogger()).round(
      new AbortController().signal,
    );
  for (const tenant of tenants) await log({}, tenant);
  rig.clock.advance(3 * DAY);
  for (const tenant of tenants) await log({}, tenant);
  rig.clock.advance(400 * DAY);
  await clean();
  expect([await count('kept'), await count('cleaned')]).toEqual([2, 2]);
  expect(
    (await rig.admin('POST', '/api/core/retention/scopes', { tenant_code: 'cleaned', scope: 'qa_log' }))
      .status,
  ).toBe(400);
  expectStatus(
    await rig.admin('POST', '/api/core/retention/scopes', {
      tenant_code: 'cleaned',
      scope: 'qa_log',
      days: 401,
    }),
    200,
  );
  await Promise.all([clean(), clean()]);
  expect([await count('kept'), await count('cleaned')]).toEqual([2, 1]);
  expect(
    itemsOf<object>(await rig.admin('GET', '/api/core/retention/scopes?tenant_code=cleaned')),
  ).toMatchObject([{ days: 401, deletedTotal: 1 }]);
  expect(
    itemsOf<object>(
      await rig.admin('GET', '/api/core/audit?subject=retention:qa_log&action=retention.deleted'),
    ),
  ).toMatchObject([{ actor: 'system', after: { tenantCode: 'cleaned', entries: 1 } }]);
  expectStatus(await rig.admin('DELETE', '/api/core/retention/scopes?tenant_code=cleaned&scope=qa_log'), 200);
  rig.clock.advance(1000 * DAY);
  await clean();
  expect(await count('cleaned')).toBe(1);
});
