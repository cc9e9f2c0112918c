// The change feed that search indexes follow: whoever holds the last number misses nothing, whatever commits
// when.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IndexChange } from '../../../common/policy/index/change.ts';
import { seededRandom } from '../../support/random.ts';
import { expectStatus, jsonOf, until } from '../../support/request.ts';
import { type DocumentView, openPolicyRig, type PolicyRig } from './rig.ts';

let rig: PolicyRig;
beforeAll(async () => {
  rig = await openPolicyRig();
});
afterAll(() => rig.close());

/** What an index would hold. */
class Follower {
  position = 0;
  readonly documents = new Map<number, { tenant: string; effective: boolean }>();
  readonly chunks = new Map<number, { tenant: string; docId: number; text: string; model: string | null }>();

  apply(change: IndexChange): void {
    expect(change.changeNo).toBeGreaterThan(this.position);
    this.position = change.changeNo;
    if (change.kind === 'document')
      this.documents.set(change.id, { tenant: change.tenant, effective: change.effective });
    else if (change.kind === 'chunk')
      this.chunks.set(change.id, {
        tenant: change.tenant,
        docId: change.doc,
        text: change.text,
        model: change.model,
      });
    else {
      const gone = ({ tenant, docId }: { tenant: string; docId?: number }): boolean =>
        change.kind === 'tenant_gone' ? tenant === change.tenant : docId === change.doc;
      for (const [id, chunk] of this.chunks) if (gone(chunk)) this.chunks.delete(id);
      for (const [id, document] of this.documents) if (gone(document)) this.documents.delete(id);
    }
  }

  /** @returns whether it was all */
  async pull(limit: number): Promise<boolean> {
    const changes = await rig.changes.changesAfter(this.position, limit);
    for (const change of changes) this.apply(change);
    return changes.length < limit;
  }
}

const sorted = (map: Map<number, object>): [number, object][] => [...map].sort(([a], [b]) => a - b);

test(
  'readers that pull while others write end with what is there, and see numbers rise only',
  { timeout: 120_000 },
  async () => {
    const peer = await rig.peer();
    const followers = [new Follower(), new Follower()];
    let writing = true;
    const read = async (follower: Follower, limit: number): Promise<void> => {
      while (writing) {
        await follower.pull(limit);
        await pause(1);
      }
      while (!(await follower.pull(limit)));
    };
    const write = async (tenant: string, hub: string, seed: number): Promise<void> => {
      // Draws of its own, so that what is written does not hang on who comes first.
      const draw = seededRandom(seed);
      const call = (method: string, target: string, body: object) =>
        fetch(`${hub}${target}`, {
          method,
          headers: { 'x-admin-key': rig.adminKey, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
      for (let one = 0; one < 6; one += 1) {
        const { docId } = (await (
          await call('POST', '/api/core/kb/docs', {
            tenant_code: tenant,
            src_system: 'case_sync',
            src_key: `${tenant}-${one}`,
            title: 't',
            version: '1',
          })
        ).json()) as DocumentView;
        const texts = Array.from({ length: draw.whole(1, 5) }, (_, index) => ({
          text: `${tenant} ${one} ${index}`,
        }));
        await call('POST', `/api/core/kb/docs/${docId}/chunks`, { tenant_code: tenant, chunks: texts });
        const { chunks } = await rig.detail(docId, tenant);
        const items = chunks.map(({ chunkId, sha256 }) => ({ chunk_id: chunkId, sha256, embedding: [1, 2] }));
        if (draw.chance(0.6))
          await call('POST', '/api/core/kb/chunks/embed', { tenant_code: tenant, embed_model: 'm', items });
        if (draw.chance(0.3))
          await call('POST', `/api/core/kb/docs/${docId}/state`, {
            tenant_code: tenant,
            state: 'withdrawn',
            reason: 'x',
            by: 'me',
          });
        if (draw.chance(0.2))
          await call('POST', '/api/core/kb/tenant_deletion', { tenant_code: tenant, confirm: tenant });
      }
    };
    const readers = followers.map((follower, index) => read(follower, index === 0 ? 1 : 7));
    await Promise.all(
      ['a', 'b', 'c', 'd'].map((tenant, index) =>
        write(tenant, index % 2 === 0 ? rig.hub.url : peer.url, index + 1),
      ),
    );
    writing = false;
    await Promise.all(readers);

    const { rows: documents } = await rig.hub.store.pool.query<{
      id: number;
      tenant: string;
      effective: boolean;
    }>(`select id, tenant_code as tenant, status = 'effective' as effective from kb_docs order by id`);
    const { rows: chunks } = await rig.hub.store.pool.query<{
      id: number;
      tenant: string;
      docId: number;
      text: string;
      model: string | null;
    }>(
      'select id, tenant_code as tenant, doc_id as "docId", text, embed_model as model from kb_chunks ' +
        'order by id',
    );
    expect(chunks.length).toBeGreaterThan(10);
    for (const follower of followers) {
      expect(sorted(follower.documents)).toEqual(documents.map(({ id, ...rest }) => [id, rest]));
      expect(sorted(follower.chunks)).toEqual(chunks.map(({ id, ...rest }) => [id, rest]));
      expect(follower.position).toBe(await rig.hub.store.policy.contents.head());
    }
  },
);

test('a number never shows after a larger one, though the transaction that has it is slow to commit', async () => {
  const {
    pool,
    policy: { contents },
  } = rig.hub.store;
  const before = await contents.head();
  const slow = await pool.connect();
  await slow.query('begin');
  await slow.query(`select value from counters where name = 'kb_change' for update`);
  const registering = rig.register({ tenant_code: 'slow' });
  // The registration waits for the number; nothing can be seen of it, nor of anything later.
  await until('the registration waits', async () => {
    const { rows } = await pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  });
  expect(await rig.changes.changesAfter(before, 10)).toEqual([]);
  await slow.query(`update counters set value = value + 1 where name = 'kb_change'`);
  await slow.query(`insert into kb_changes (change_no, tenant_code, doc_id, at) values ($1, 'slow', 77, 0)`, [
    before + 1,
  ]);
  await slow.query('commit');
  slow.release();
  await registering;
  expect((await rig.changes.changesAfter(before, 10)).map(({ changeNo, kind }) => [changeNo, kind])).toEqual([
    [before + 1, 'chunks_gone'],
    [before + 2, 'document'],
  ]);
});

test('chunks are read with their files as they are now, and those without a vector of a model are found', async () => {
  const file = await rig.effective(['one', 'two'], { tenant_code: 'now' });
  const ids = file.chunks.map(({ chunkId }) => chunkId);
  const { contents } = rig.hub.store.policy;
  expect(
    (await contents.chunksWithDocuments([...ids, 999_999]))
      .map(({ chunk, document }) => [chunk.id, document.id, document.status])
      .sort(),
  ).toEqual(ids.map((id) => [id, file.docId, 'effective']));
  const [first] = file.chunks;
  expectStatus(
    await rig.admin('POST', '/api/core/kb/chunks/embed', {
      tenant_code: 'now',
      embed_model: 'm',
      items: [{ chunk_id: first?.chunkId, sha256: first?.sha256, embedding: [1] }],
    }),
    200,
  );
  const missing = async (model: string) =>
    (await contents.unembedded(model, 0, 1000))
      .filter(({ tenantCode }) => tenantCode === 'now')
      .map(({ id }) => id)
      .sort((a, b) => a - b);
  expect([await missing('m'), await missing('m2')]).toEqual([ids.slice(1), ids]);
  expectStatus(await rig.state(file.docId, { state: 'withdrawn', reason: 'x' }, 'now'), 200);
  expect(await missing('m2')).toEqual([]);
  expect(jsonOf<object>(await rig.admin('GET', '/api/core/version'))).toHaveProperty('kbQueryEmbed');
});
