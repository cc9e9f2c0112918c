// Lines of the table: knowledge objects and the policy library, which only headquarters has.
import { hash } from 'node:crypto';
import { expectStatus, jsonOf } from '../../support/request.ts';
import { at, type Line, type Make, MISSING } from './line.ts';
import { type Ask, TENANT, type World } from './world.ts';

const hub = (line: Omit<Line, 'only'>): Line => ({ only: 'hub', ...line });
const made = async (w: World, path: string, body: object): Promise<Record<string, number>> =>
  jsonOf<Record<string, number>>(expectStatus(await w.call('POST', path, body), 200, 201));
const OWN = `tenant_code=${TENANT}`;

const object = (w: World, more: object = {}): object => ({
  tenant_code: TENANT,
  src_system: 'agent',
  src_pk: w.fresh('pk'),
  title: 'weekly',
  kind: 'weekly_report',
  source_ref: { event_id: 1, tags: ['a'] },
  security_level: 'public',
  valid_until: '2030-01-01T00:00:00Z',
  body: {
    sections: { summary: { title: 'Summary', text: 'fine', editable: 'human' }, data: { text: 'fixed' } },
    extra: 1,
  },
  machine_generated: true,
  by: 'agent',
  ...more,
});
const stored = async (w: World): Promise<number> =>
  (await made(w, '/api/core/objects/knowledge', object(w))).coreId ?? 0;
const revise =
  (body: object): Make =>
  async (w) =>
    at(`/api/core/objects/knowledge/${await stored(w)}/revise`, {
      tenant_code: TENANT,
      sections: { summary: 'better' },
      by: 'li',
      note: 'checked',
      ...body,
    });

export const KNOWLEDGE: Record<string, Line> = {
  'POST /api/core/objects/knowledge': hub({
    good: (w) => ({ body: object(w) }),
    more: {
      '200': async (w) => {
        const body = object(w);
        await made(w, '/api/core/objects/knowledge', body);
        return { body };
      },
    },
    unseen: { 404: 'only a session has a clearance, and this is asked with an admin key' },
  }),
  'GET /api/core/objects/knowledge': hub({
    good: async (w) => {
      await stored(w);
      return at(
        `/api/core/objects/knowledge?${OWN}&limit=1&fields=meta&ref_key=tags&ref_value=a&exclude_kind=checklist,monthly_report&since=2020-01-01T00:00:00%2B08:00`,
      );
    },
    more: {
      '200': () => at('/api/core/objects/knowledge?limit=2'),
      '400 validation_failed': () => at('/api/core/objects/knowledge?since=2026-01-01'),
    },
  }),
  'GET /api/core/objects/knowledge/{core_id}': hub({
    good: async (w) => at(`/api/core/objects/knowledge/${await stored(w)}?${OWN}`),
  }),
  'GET /api/core/objects/knowledge/{core_id}/history': hub({
    good: async (w) => at(`/api/core/objects/knowledge/${await stored(w)}/history?${OWN}`),
  }),
  'POST /api/core/objects/knowledge/{core_id}/revise': hub({
    good: revise({ expected_version: 1 }),
    more: {
      '200': revise({ sections: { summary: 'fine' } }),
      '400 section_not_editable': revise({ sections: { data: 'x', none: 'y' } }),
      '409 stale_version': revise({ expected_version: 7 }),
    },
  }),
};

const LOST = 'no call loses an original; what deletion says then is tried with the originals';
const ORIGINAL = Buffer.from('# 第一章\n第一条 总则');
const file = (w: World, more: object = {}): object => ({
  tenant_code: TENANT,
  src_system: 'manual',
  src_key: w.fresh('key'),
  title: 'Hot work',
  doc_no: 'HSE-1',
  version: '1',
  effective_date: '2026-01-01',
  expiry_date: '2030-01-01',
  security_level: 'internal',
  file_name: '规程.md',
  content_type: 'text/markdown',
  size: ORIGINAL.length,
  sha256: hash('sha256', ORIGINAL),
  ...more,
});
const plain = { file_name: undefined, size: undefined, sha256: undefined };
const registered = async (w: World, more: object = {}): Promise<number> =>
  (await made(w, '/api/core/kb/docs', file(w, more))).docId ?? 0;
const chunk = { clause_path: '第一条', page: 1, text: '总则', embedding: [0.5, 0.25], embed_model: 'm' };
const submitted = async (
  w: World,
  more: object = {},
): Promise<{ id: number; fingerprint: string; chunkId: number; sha256: string }> => {
  const id = await registered(w, { ...plain, ...more });
  await made(w, `/api/core/kb/docs/${id}/chunks`, { tenant_code: TENANT, parse_note: 'ok', chunks: [chunk] });
  const detail = jsonOf<{ chunksSha256: string; chunks: { chunkId: number; sha256: string }[] }>(
    expectStatus(await w.call('GET', `/api/core/kb/docs/${id}?${OWN}&all_levels=1`), 200),
  );
  const [first] = detail.chunks;
  return { id, fingerprint: detail.chunksSha256, chunkId: first?.chunkId ?? 0, sha256: first?.sha256 ?? '' };
};
/** A question that the library has no answer to, on the list of its keeper. */
const asked = async (w: World): Promise<string> => {
  const body = { tenant_code: TENANT, subject: 'li', query: w.fresh('qqzzxx') };
  expectStatus(await w.call('POST', '/api/core/kb/search', body), 200);
  const { items } = jsonOf<{ items: { questionId: string }[] }>(
    expectStatus(await w.call('GET', `/api/core/kb/questions?${OWN}&limit=1`), 200),
  );
  return items[0]?.questionId ?? '';
};
/** An answer that its reader marked wrong. */
const markedWrong = async (w: World): Promise<number> => {
  const body = { tenant_code: TENANT, subject: 'li', question: w.fresh('q'), answer: 'a' };
  const { qaId } = jsonOf<{ qaId: number }>(
    expectStatus(await w.call('POST', '/api/core/kb/qa_log', body), 201),
  );
  const mark = { tenant_code: TENANT, subject: 'li', feedback: 'wrong', note: 'no longer so' };
  expectStatus(await w.call('POST', `/api/core/kb/qa_log/${qaId}/feedback`, mark), 200);
  return qaId;
};
const effective = async (w: World, more: object = {}): Promise<number> => {
  const { id, fingerprint } = await submitted(w, more);
  await made(w, `/api/core/kb/docs/${id}/state`, {
    tenant_code: TENANT,
    state: 'effective',
    by: 'li',
    expect_chunks_sha256: fingerprint,
  });
  return id;
};
const upload = (id: number, bytes = ORIGINAL): Ask => ({
  target: `/api/core/kb/docs/${id}/file?${OWN}`,
  raw: { type: 'application/octet-stream', bytes },
});
const FORM_TYPE = 'multipart/form-data; boundary=b';
/** A form as curl sends it. */
const form = (w: World, more: Record<string, string> = {}, type = FORM_TYPE): Ask => {
  const texts = {
    tenant_code: TENANT,
    src_system: 'manual',
    src_key: w.fresh('form'),
    title: 'Hot work',
    version: '1',
    ...more,
  };
  const parts = Object.entries(texts).map(
    ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head =
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n' +
    'Content-Type: text/markdown\r\n\r\n';
  const bytes = Buffer.from(`${parts.join('')}${head}text\r\n--b--\r\n`);
  return { target: '/api/core/kb/docs/upload', raw: { type, bytes } };
};
const uploaded = async (w: World): Promise<number> => {
  const id = await registered(w);
  expectStatus(await w.send({ method: 'POST', path: '' }, { as: 'admin', ...upload(id) }), 201);
  return id;
};
const promote = async (w: World, { id, fingerprint }: { id: number; fingerprint: string }): Promise<Ask> =>
  Promise.resolve(
    at(`/api/core/kb/docs/${id}/state`, {
      tenant_code: TENANT,
      state: 'effective',
      by: w.side,
      expect_chunks_sha256: fingerprint,
    }),
  );
const answer = async (w: World): Promise<number> =>
  (
    await made(w, '/api/core/kb/qa_log', {
      tenant_code: TENANT,
      subject: 'li',
      question: 'q',
      answer: 'a',
      citations: [{ chunk_id: (await submitted(w)).chunkId }],
    })
  ).qaId ?? 0;
const notConsole =
  (target: string, body?: unknown): Make =>
  (w) => ({ ...at(target, body), browser: w.session });

export const POLICY: Record<string, Line> = {
  'POST /api/core/kb/docs': hub({
    good: (w) => ({ body: file(w) }),
    more: {
      '200': async (w) => {
        const body = file(w);
        await made(w, '/api/core/kb/docs', body);
        return { body };
      },
      '400 validation_failed': (w) => ({ body: file(w, { supersedes: MISSING }) }),
      '403 tenant_not_allowed': (w) => ({ body: file(w), browser: w.session }),
      '409 source_key_taken': async (w) => {
        const body = file(w);
        await made(w, '/api/core/kb/docs', body);
        return { body: { ...body, title: 'another' } };
      },
    },
  }),
  'GET /api/core/kb/docs': hub({
    good: async (w) => {
      await registered(w);
      return at(
        `/api/core/kb/docs?${OWN}&all_levels=1&status=uploaded&src_system=manual&src_key_prefix=key&limit=1`,
      );
    },
    more: {
      '400 subject_required': () => at(`/api/core/kb/docs?${OWN}`),
      '200': () => ({ ...at(`/api/core/kb/docs?${OWN}`), headers: { 'x-core-subject': '%E7%8E%8B' } }),
      '403 tenant_not_allowed': notConsole(`/api/core/kb/docs?${OWN}`),
    },
  }),
  'GET /api/core/kb/docs/pending': hub({
    good: async (w) => {
      await uploaded(w);
      return at(`/api/core/kb/docs/pending?${OWN}`);
    },
    more: { '200': () => at('/api/core/kb/docs/pending?peek=1') },
  }),
  'GET /api/core/kb/docs/{doc_id}': hub({
    good: async (w) => at(`/api/core/kb/docs/${(await submitted(w)).id}?${OWN}&all_levels=1`),
    more: {
      '200': async (w) => at(`/api/core/kb/docs/${await effective(w)}?${OWN}&all_levels=1&fields=meta`),
    },
  }),
  'POST /api/core/kb/docs/upload': hub({
    good: (w) => form(w),
    more: {
      '200': async (w) => {
        const ask = form(w);
        expectStatus(await w.send({ method: 'POST', path: '' }, { as: 'admin', ...ask }), 201);
        return ask;
      },
      '400 validation_failed': (w) => form(w, { supersedes: 'x' }),
      '400 malformed_form': (w) => form(w, {}, 'multipart/form-data; boundary=c'),
      '415 unsupported_media_type': (w) => form(w, {}, 'application/json'),
      '403 tenant_not_allowed': (w) => ({ ...form(w), browser: w.session }),
      '409 source_key_taken': async (w) => {
        const key = { src_key: w.fresh('form') };
        const ask = form(w, key);
        expectStatus(await w.send({ method: 'POST', path: '' }, { as: 'admin', ...ask }), 201);
        return form(w, { ...key, title: 'another' });
      },
    },
  }),
  'POST /api/core/kb/docs/{doc_id}/file': hub({
    good: async (w) => upload(await registered(w)),
    more: {
      '200': async (w) => upload(await uploaded(w)),
      '422 original_mismatch': async (w) => upload(await registered(w), Buffer.from('another')),
      '400 no_original': async (w) => upload(await registered(w, plain)),
    },
  }),
  'GET /api/core/kb/readings': hub({
    good: async (w) => at(`/api/core/kb/readings?${OWN}&doc_id=${await uploaded(w)}`),
  }),
  'POST /api/core/kb/docs/{doc_id}/read': hub({
    good: async (w) => ({
      target: `/api/core/kb/docs/${await uploaded(w)}/read`,
      body: { tenant_code: TENANT },
    }),
    more: {
      '409 chunks_closed': async (w) => ({
        target: `/api/core/kb/docs/${await effective(w)}/read`,
        body: { tenant_code: TENANT },
      }),
      '409 original_pending': async (w) => ({
        target: `/api/core/kb/docs/${await registered(w)}/read`,
        body: { tenant_code: TENANT },
      }),
    },
  }),
  'GET /api/core/kb/docs/{doc_id}/file': hub({
    good: async (w) => at(`/api/core/kb/docs/${await uploaded(w)}/file?${OWN}&all_levels=1`),
    more: {
      '404 original_missing': async (w) =>
        at(`/api/core/kb/docs/${await registered(w)}/file?${OWN}&all_levels=1`),
      '400 presign_unavailable': async (w) =>
        at(`/api/core/kb/docs/${await uploaded(w)}/file?${OWN}&all_levels=1&presign=1`),
    },
  }),
  'POST /api/core/kb/docs/{doc_id}/chunks': hub({
    good: async (w) =>
      at(`/api/core/kb/docs/${await registered(w, plain)}/chunks`, {
        tenant_code: TENANT,
        parse_note: 'x',
        chunks: [chunk, { text: 'two' }],
      }),
    more: {
      '409 original_pending': async (w) =>
        at(`/api/core/kb/docs/${await registered(w)}/chunks`, { tenant_code: TENANT, chunks: [chunk] }),
      '409 chunks_closed': async (w) =>
        at(`/api/core/kb/docs/${await effective(w)}/chunks`, { tenant_code: TENANT, chunks: [chunk] }),
      '400 bad_encoding': async (w) => ({
        ...at(`/api/core/kb/docs/${await registered(w, plain)}/chunks`, {
          tenant_code: TENANT,
          chunks: [chunk],
        }),
        headers: { 'content-encoding': 'gzip' },
      }),
      '415 unsupported_encoding': async (w) => ({
        ...at(`/api/core/kb/docs/${await registered(w, plain)}/chunks`, {
          tenant_code: TENANT,
          chunks: [chunk],
        }),
        headers: { 'content-encoding': 'br' },
      }),
    },
  }),
  'POST /api/core/kb/docs/{doc_id}/state': hub({
    good: async (w) => promote(w, await submitted(w)),
    more: {
      '200': async (w) =>
        at(`/api/core/kb/docs/${await effective(w)}/state`, {
          tenant_code: TENANT,
          state: 'withdrawn',
          by: 'li',
          reason: 'wrong',
        }),
      '409 state_refused': async (w) =>
        at(`/api/core/kb/docs/${await registered(w)}/state`, {
          tenant_code: TENANT,
          state: 'superseded',
          by: 'li',
        }),
      '409 stale_chunks': async (w) => promote(w, { ...(await submitted(w)), fingerprint: '0'.repeat(64) }),
      '409 numbers_missing': async (w) => {
        const id = await registered(w, plain);
        const chunks = ['4.1', '4.3'].map((label) => ({ clause_path: label, text: label }));
        await made(w, `/api/core/kb/docs/${id}/chunks`, { tenant_code: TENANT, chunks });
        const detail = jsonOf<{ chunksSha256: string }>(
          expectStatus(await w.call('GET', `/api/core/kb/docs/${id}?${OWN}&all_levels=1&fields=meta`), 200),
        );
        return promote(w, { id, fingerprint: detail.chunksSha256 });
      },
      '409 no_chunks': async (w) => {
        const id = await registered(w, plain);
        await made(w, `/api/core/kb/docs/${id}/chunks`, {
          tenant_code: TENANT,
          parse_note: 'a scan without text',
          chunks: [],
        });
        return promote(w, { id, fingerprint: hash('sha256', '') });
      },
      '409 another_version_effective': async (w) => {
        const first = await effective(w);
        const [second, third] = [
          await submitted(w, { supersedes: first }),
          await submitted(w, { supersedes: first }),
        ];
        expectStatus(await w.send({ method: 'POST', path: '' }, await promote(w, second)), 200);
        return promote(w, third);
      },
    },
  }),
  'POST /api/core/kb/chunks/embed': hub({
    good: async (w) => {
      const { chunkId, sha256 } = await submitted(w);
      return {
        body: {
          tenant_code: TENANT,
          embed_model: 'm2',
          items: [
            { chunk_id: chunkId, sha256, embedding: [1, 2, 3] },
            { chunk_id: MISSING, sha256, embedding: [1, 2, 3] },
          ],
        },
      };
    },
    more: {
      '400 bad_encoding': () => ({ body: {}, headers: { 'content-encoding': 'gzip' } }),
      '415 unsupported_encoding': () => ({ body: {}, headers: { 'content-encoding': 'br' } }),
    },
  }),
  'POST /api/core/kb/clearance': hub({
    good: (w) => ({ body: { tenant_code: TENANT, subject: w.fresh('who'), level: 'secret' } }),
  }),
  'GET /api/core/kb/synonyms': hub({ good: () => at(`/api/core/kb/synonyms?${OWN}`) }),
  'PUT /api/core/kb/synonyms': hub({
    good: () => ({ body: { tenant_code: TENANT, groups: [['猴车', '罐笼']] } }),
    more: {
      '409 synonyms_changed': () => ({
        body: { tenant_code: TENANT, groups: [], expected_revision: MISSING },
      }),
    },
  }),
  'GET /api/core/kb/questions': hub({
    good: async (w) => {
      await asked(w);
      return at(`/api/core/kb/questions?${OWN}&limit=1`);
    },
  }),
  'DELETE /api/core/kb/questions/{question_id}': hub({
    good: async (w) => at(`/api/core/kb/questions/${await asked(w)}?${OWN}`),
  }),
  'GET /api/core/kb/questions/wrong': hub({
    good: async (w) => {
      await markedWrong(w);
      return at(`/api/core/kb/questions/wrong?${OWN}&all_levels=1&limit=1`);
    },
  }),
  'DELETE /api/core/kb/questions/wrong/{qa_id}': hub({
    good: async (w) => at(`/api/core/kb/questions/wrong/${await markedWrong(w)}?${OWN}&all_levels=1`),
  }),
  'GET /api/core/kb/clearance': hub({ good: () => at(`/api/core/kb/clearance?${OWN}&limit=1`) }),
  'POST /api/core/kb/qa_log': hub({
    good: async (w) => ({
      body: {
        tenant_code: TENANT,
        subject: 'li',
        question: 'q',
        answer: 'a',
        citations: [{ chunk_id: (await submitted(w)).chunkId }],
        basis_version: 'b',
        index_version: 'kb1/lex',
        duration_ms: 3,
      },
    }),
    more: {
      '201': () => ({
        body: { tenant_code: TENANT, subject: 'li', question: 'q', refusal_reason: 'no basis' },
      }),
    },
  }),
  'GET /api/core/kb/qa_log': hub({
    good: async (w) => {
      await answer(w);
      return at(`/api/core/kb/qa_log?${OWN}&all_levels=1&asker=li&limit=1&since=2020-01-01T00:00:00Z`);
    },
    more: {
      '400 subject_required': () => at(`/api/core/kb/qa_log?${OWN}`),
      '400 validation_failed': () => at(`/api/core/kb/qa_log?${OWN}&all_levels=1&cursor=x`),
    },
  }),
  'GET /api/core/kb/qa_log/{qa_id}': hub({
    good: async (w) => at(`/api/core/kb/qa_log/${await answer(w)}?${OWN}&all_levels=1`),
  }),
  'POST /api/core/kb/qa_log/{qa_id}/feedback': hub({
    good: async (w) =>
      at(`/api/core/kb/qa_log/${await answer(w)}/feedback`, {
        tenant_code: TENANT,
        subject: 'li',
        feedback: 'useful',
        note: 'yes',
      }),
    more: {
      '404 not_found': async (w) =>
        at(`/api/core/kb/qa_log/${await answer(w)}/feedback`, {
          tenant_code: TENANT,
          subject: 'wang',
          feedback: 'wrong',
        }),
    },
  }),
  'POST /api/core/kb/tenant_deletion/preview': hub({
    good: () => ({ body: { tenant_code: TENANT } }),
    unseen: { 409: LOST },
  }),
  'POST /api/core/kb/tenant_deletion': hub({
    good: () => ({ body: { tenant_code: 'nobody-has-this', confirm: 'nobody-has-this' } }),
    more: { '400 validation_failed': () => ({ body: { tenant_code: TENANT, confirm: 'other' } }) },
    unseen: { 409: LOST },
  }),
  'GET /api/core/retention/scopes': hub({ good: () => at(`/api/core/retention/scopes?${OWN}`) }),
  'POST /api/core/retention/scopes': hub({
    good: () => ({ body: { tenant_code: TENANT, scope: 'qa_log', days: 30 } }),
  }),
  'DELETE /api/core/retention/scopes': hub({
    good: async (w) => {
      await made(w, '/api/core/retention/scopes', { tenant_code: TENANT, scope: 'qa_log', days: 30 });
      return at(`/api/core/retention/scopes?${OWN}&scope=qa_log`);
    },
    more: { '404 not_found': () => at('/api/core/retention/scopes?tenant_code=never-set&scope=qa_log') },
  }),
};
