// From registration to the end of a version: who may become effective, and what two people do to one policy
// at once.
import { hash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOUR } from '../../support/clock.ts';
import { expectStatus, jsonOf } from '../../support/request.ts';
import {
  type DocumentView,
  errorOf,
  fresh,
  itemsOf,
  openPolicyRig,
  original,
  type PolicyRig,
  registration,
  TENANT,
} from './rig.ts';

let rig: PolicyRig;
beforeAll(async () => {
  rig = await openPolicyRig();
});
afterAll(() => rig.close());

const MINUTE = 60_000;
const inReview = async (more: object = {}, texts = ['clause']): Promise<DocumentView> => {
  const { docId } = await rig.register(more);
  return jsonOf<DocumentView>(expectStatus(await rig.submit(docId, texts), 200));
};
const promote = ({ docId, chunksSha256 }: DocumentView) =>
  rig.state(docId, { state: 'effective', expect_chunks_sha256: chunksSha256 });

describe('registration', () => {
  test('is once per tenant and source key; the same again is the same file', async () => {
    const body = registration();
    const both = await Promise.all([1, 2, 3].map(() => rig.admin('POST', '/api/core/kb/docs', body)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    expect(new Set(both.map((answer) => jsonOf<DocumentView>(answer).docId)).size).toBe(1);
    expect(errorOf(await rig.admin('POST', '/api/core/kb/docs', { ...body, version: '2' }))).toEqual([
      409,
      'source_key_taken',
    ]);
    expect((await rig.admin('POST', '/api/core/kb/docs', { ...body, tenant_code: 'other' })).status).toBe(
      201,
    );
  });

  test.each([
    [{ effective_date: '2026-02-30' }, 'effective_date'],
    [{ effective_date: '2026-02-02', expiry_date: '2026-02-01' }, 'expiry_date'],
    [{ size: 5 }, 'sha256'],
    [{ size: 25 * 1024 * 1024 + 1, sha256: '0'.repeat(64) }, 'size'],
    [{ file_name: '../../etc/passwd' }, 'file_name'],
    [{ file_name: '..' }, 'file_name'],
    [{ file_name: 'a\\b' }, 'file_name'],
    [{ security_level: 'cosmic' }, 'security_level'],
    [{ supersedes: 999_999 }, 'supersedes'],
  ])('refuses %j', async (more, path) => {
    const answer = await rig.admin('POST', '/api/core/kb/docs', registration(more));
    expect(errorOf(answer)).toEqual([400, 'validation_failed']);
    expect(jsonOf<{ details: { path: string }[] }>(answer).details.map((one) => one.path)).toContain(path);
  });

  test('is found by text in title or number, in whatever case, and taken as it is', async () => {
    for (const more of [
      { title: 'Crane RULES 100%' },
      { title: 'other', doc_no: 'cranes-7' },
      { title: 'ladders' },
    ])
      await rig.register({ tenant_code: 'found', ...more });
    const titles = async (q: string): Promise<string[]> =>
      jsonOf<{ items: { title: string }[] }>(
        await rig.admin('GET', `/api/core/kb/docs?tenant_code=found&all_levels=1&q=${encodeURIComponent(q)}`),
      ).items.map(({ title }) => title);
    expect(await titles('CRANE')).toEqual(['other', 'Crane RULES 100%']);
    expect(await titles('0%')).toEqual(['Crane RULES 100%']);
    expect(await titles('_')).toEqual([]);
  });

  test('may not supersede a file of another tenant', async () => {
    const { docId } = await rig.register({ tenant_code: 'other' });
    expect((await rig.admin('POST', '/api/core/kb/docs', registration({ supersedes: docId }))).status).toBe(
      400,
    );
  });
});

test(
  'a version that does not say its level is no lower than the one before it, and sent again without one ' +
    'it keeps what it has',
  async () => {
    const levelOf = async (more: object): Promise<[number, string]> => {
      const { docId } = await rig.register(more);
      return [
        docId,
        jsonOf<{ securityLevel: string }>(
          await rig.admin('GET', `/api/core/kb/docs/${docId}?tenant_code=${TENANT}&all_levels=1`),
        ).securityLevel,
      ];
    };
    const [open] = await levelOf({ security_level: 'public' });
    expect((await levelOf({ supersedes: open }))[1]).toBe('internal');
    const secret = registration({ security_level: 'secret' });
    const [first, level] = await levelOf(secret);
    expect(level).toBe('secret');
    const second = registration({ supersedes: first });
    expect((await levelOf(second))[1]).toBe('secret');
    expect((await levelOf({ supersedes: first, security_level: 'internal' }))[1]).toBe('internal');
    const { security_level: _, ...silent } = secret as Record<string, unknown>;
    for (const again of [silent, second])
      expect(
        jsonOf<{ securityLevel: string }>(
          expectStatus(await rig.admin('POST', '/api/core/kb/docs', again), 200),
        ).securityLevel,
      ).toBe('secret');
    expect(
      errorOf(await rig.admin('POST', '/api/core/kb/docs', { ...silent, security_level: 'public' })),
    ).toEqual([409, 'source_key_taken']);
  },
);

describe('the work list', () => {
  test('hands a file to one caller, and again after 30 minutes without chunks', async () => {
    const bytes = Buffer.from('text');
    const { docId } = await rig.register({ tenant_code: 'work', ...original(bytes) });
    const pending = async (more = '') =>
      itemsOf<DocumentView>(await rig.admin('GET', `/api/core/kb/docs/pending?tenant_code=work${more}`)).map(
        (one) => one.docId,
      );
    expect(await pending()).toEqual([]);
    expectStatus(await rig.upload(docId, bytes, 'work'), 201);
    expect(await pending('&peek=1')).toEqual([docId]);
    expect((await Promise.all([pending(), pending(), pending()])).flat()).toEqual([docId]);
    expect((await rig.detail(docId, 'work')).status).toBe('parsing');
    rig.clock.advance(30 * MINUTE - 1);
    expect(await pending()).toEqual([]);
    rig.clock.advance(1);
    expect(await pending()).toEqual([docId]);
    expectStatus(await rig.submit(docId, ['x'], 'work'), 200);
    rig.clock.advance(HOUR);
    expect(await pending('&peek=1')).toEqual([]);
  });

  test('is only shown to a login session', async () => {
    const bytes = Buffer.from('text');
    const { docId } = await rig.register({ tenant_code: 'operator', ...original(bytes) });
    expectStatus(await rig.upload(docId, bytes, 'operator'), 201);
    await rig.addUser('console-reader');
    const browser = await rig.browser('console-reader');
    const shown = async () =>
      itemsOf<DocumentView>(await browser.call('GET', '/api/core/kb/docs/pending')).map((one) => one.docId);
    expect([await shown(), await shown()]).toEqual([[docId], [docId]]);
    expect((await rig.detail(docId, 'operator')).status).toBe('uploaded');
  });
});

describe('chunks', () => {
  test('replace the whole set, with a fingerprint of it', async () => {
    const { docId } = await rig.register();
    await rig.submit(docId, ['a', 'b', 'c']);
    const before = await rig.detail(docId);
    expect(before.chunksSha256).toBe(
      hash('sha256', ['a', 'b', 'c'].map((text) => hash('sha256', text)).join('')),
    );
    await rig.submit(docId, ['b', '第十二条']);
    const after = await rig.detail(docId);
    expect(after.chunks.map(({ seq, text, sha256 }) => [seq, text, sha256])).toEqual([
      [1, 'b', hash('sha256', 'b')],
      [2, '第十二条', hash('sha256', '第十二条')],
    ]);
    expect(after.chunks.every(({ chunkId }) => !before.chunks.some((one) => one.chunkId === chunkId))).toBe(
      true,
    );
  });

  test('are refused beyond the limits, and the note is cut', async () => {
    const { docId } = await rig.register();
    const submit = (body: object) =>
      rig.admin('POST', `/api/core/kb/docs/${docId}/chunks`, { tenant_code: TENANT, ...body });
    expect((await submit({ chunks: [] })).status).toBe(400);
    expect((await submit({ chunks: Array.from({ length: 5001 }, () => ({ text: 'x' })) })).status).toBe(400);
    expect((await submit({ chunks: [{ text: '字'.repeat(20_001) }] })).status).toBe(400);
    expect((await submit({ chunks: [{ text: 'x', embedding: [1e39], embed_model: 'm' }] })).status).toBe(400);
    expect((await submit({ chunks: [{ text: 'x', embedding: [1] }] })).status).toBe(400);
    expectStatus(
      await submit({
        chunks: [{ text: '😀'.repeat(20_000) }, ...Array.from({ length: 4_999 }, () => ({ text: 'x' }))],
        parse_note: '注'.repeat(1_200),
      }),
      200,
    );
    const { parseNote, chunks } = await rig.detail(docId);
    expect([parseNote, chunks.length]).toEqual(['注'.repeat(1_000), 5_000]);
  });

  test(
    'may be none, with a note that says why; such a file waits in review and does not become effective, ' +
      'whatever its source',
    async () => {
      for (const src_system of ['manual', 'hse_policy_sync']) {
        const first = await rig.effective(['x']);
        const { docId } = await rig.register({ src_system, supersedes: first.docId });
        const answer = await rig.admin('POST', `/api/core/kb/docs/${docId}/chunks`, {
          tenant_code: TENANT,
          parse_note: 'a scan without text',
          chunks: [],
        });
        expect(jsonOf(expectStatus(answer, 200))).toMatchObject({
          status: 'review',
          chunkCount: 0,
          parseNote: 'a scan without text',
        });
        expect(errorOf(await promote(jsonOf<DocumentView>(answer)))).toEqual([409, 'no_chunks']);
        expect((await rig.detail(first.docId)).status).toBe('effective');
      }
    },
  );

  test('get vectors for the text that they were made of only', async () => {
    const { docId } = await rig.register();
    await rig.submit(docId, ['a', 'b']);
    const [a, b] = (await rig.detail(docId)).chunks;
    const foreign = (await rig.effective(['z'], { tenant_code: 'other' })).chunks[0];
    const items = [
      [a, a],
      [b, a],
      [foreign, foreign],
    ].map(([chunk, text]) => ({ chunk_id: chunk?.chunkId, sha256: text?.sha256, embedding: [0.5, -1] }));
    const answer = await rig.admin('POST', '/api/core/kb/chunks/embed', {
      tenant_code: TENANT,
      embed_model: 'm',
      items,
    });
    expect(itemsOf<{ reason: string | null }>(answer).map(({ reason }) => reason)).toEqual([
      null,
      'hash_mismatch',
      'not_found',
    ]);
    const [change] = await rig.changes.changesAfter((await rig.hub.store.policy.contents.head()) - 1, 10);
    expect(change).toMatchObject({
      kind: 'chunk',
      id: a?.chunkId,
      dim: 2,
      model: 'm',
      embedding: Buffer.from(new Float32Array([0.5, -1]).buffer),
    });
  });
});

describe('a version', () => {
  test('goes to effective only with the chunks that were reviewed', async () => {
    const file = await inReview();
    expectStatus(await rig.submit(file.docId, ['another clause']), 200);
    const answer = await promote(file);
    expect(errorOf(answer)).toEqual([409, 'stale_chunks']);
    expect(jsonOf(answer)).toMatchObject({ retryable: false });
    expect((await rig.detail(file.docId)).status).toBe('review');
    expectStatus(await promote(await rig.detail(file.docId)), 200);
    expect(errorOf(await rig.submit(file.docId, ['later']))).toEqual([409, 'chunks_closed']);
  });

  test('resubmitted while it is reviewed is either what the reviewer saw, or still in review', async () => {
    for (let round = 0; round < 8; round += 1) {
      const file = await inReview();
      const [submitted, promoted] = await Promise.all([rig.submit(file.docId, ['changed']), promote(file)]);
      const after = await rig.detail(file.docId);
      if (promoted.status === 200)
        expect([submitted.status, after.status, after.chunksSha256]).toEqual([
          409,
          'effective',
          file.chunksSha256,
        ]);
      else
        expect([submitted.status, promoted.status, after.status, after.chunks[0]?.text]).toEqual([
          200,
          409,
          'review',
          'changed',
        ]);
    }
  });

  test('supersedes the one before in the same transaction; the later of two successors is refused', async () => {
    for (let round = 0; round < 8; round += 1) {
      const first = await rig.effective();
      const successors = [
        await inReview({ supersedes: first.docId }),
        await inReview({ supersedes: first.docId }),
      ];
      const answers = await Promise.all(successors.map(promote));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const refused = answers.find(({ status }) => status === 409);
      expect(refused && errorOf(refused)[1]).toBe('another_version_effective');
      const winner = successors[answers.findIndex(({ status }) => status === 200)];
      expect(await rig.detail(first.docId)).toMatchObject({
        status: 'superseded',
        supersededBy: winner?.docId,
      });
    }
  });

  test('is not made effective again behind a newer one, nor beside it', async () => {
    const first = await inReview();
    const second = await inReview({ supersedes: first.docId });
    const third = await inReview({ supersedes: second.docId });
    expectStatus(await promote(second), 200);
    expect(errorOf(await promote(first))).toEqual([409, 'another_version_effective']);
    expectStatus(await promote(third), 200);
    expectStatus(await rig.state(third.docId, { state: 'withdrawn', reason: 'wrong' }), 200);
    expect(errorOf(await promote(first))).toEqual([409, 'another_version_effective']);
    expect(errorOf(await rig.state(second.docId, { state: 'withdrawn', reason: 'again' }))).toEqual([
      409,
      'state_refused',
    ]);
  });

  test('is withdrawn with a reason only', async () => {
    const { docId } = await rig.effective();
    expect((await rig.state(docId, { state: 'withdrawn' })).status).toBe(400);
    expectStatus(await rig.state(docId, { state: 'withdrawn', reason: '第三条有误' }), 200);
    expect(await rig.detail(docId)).toMatchObject({ status: 'withdrawn', reason: '第三条有误' });
  });

  test.each(['hse_policy_sync', 'case_sync'])(
    'of %s is effective without review, by the same rules',
    async (source) => {
      const first = await rig.register({ src_system: source });
      expect(jsonOf<DocumentView>(expectStatus(await rig.submit(first.docId, ['x']), 200)).status).toBe(
        'effective',
      );
      const [second, third] = [
        await rig.register({ src_system: source, supersedes: first.docId }),
        await rig.register({ src_system: source, supersedes: first.docId }),
      ];
      expect(jsonOf<DocumentView>(expectStatus(await rig.submit(second.docId, ['y']), 200)).superseded).toBe(
        first.docId,
      );
      expect(errorOf(await rig.submit(third.docId, ['z']))).toEqual([409, 'another_version_effective']);
      expect(await rig.detail(third.docId)).toMatchObject({ status: 'uploaded', chunks: [] });
    },
  );

  test('leaves its tracks in the audit, under no tenant', async () => {
    const { docId } = await rig.effective([fresh('clause')]);
    const entries = itemsOf<{ action: string; tenantCode: null }>(
      await rig.admin('GET', `/api/core/audit?subject=kb_doc:${docId}`),
    );
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'kb.chunks.submitted',
      'kb.document.effective',
      'kb.document.registered',
      'kb.read_all_levels',
    ]);
    expect(new Set(entries.map(({ tenantCode }) => tenantCode))).toEqual(new Set([null]));
  });
});
