import { and, asc, eq, isNull } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import type { Deletion, DeletionPort, PolicyCounts } from '../port.ts';
import { lockCounter } from '../../store/engine/counters.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { takeNumbers } from './rows.ts';
import { audit } from '../../store/schema/tables.ts';
import { kbChanges, kbDeletions } from './schema.ts';

/** Names of the four tables and what they are counted as. */
const TABLES = {
  docs: 'kb_docs',
  chunks: 'kb_chunks',
  clearance: 'kb_clearance',
  qaLog: 'kb_qa_log',
} as const satisfies Record<keyof PolicyCounts, string>;
const NAMES = Object.keys(TABLES) as (keyof PolicyCounts)[];

export function createPolicyDeletion(database: Database): DeletionPort {
  return {
    count: (tenantCode) =>
      database.read(async (_db, pool) => {
        const columns = NAMES.map(
          (name) => `(select count(*) from ${TABLES[name]} where tenant_code = $1) as "${name}"`,
        );
        const {
          rows: [counts],
        } = await pool.query<PolicyCounts>(`select ${columns.join(', ')}`, [tenantCode]);
        return counts as PolicyCounts;
      }),
    stored: (tenantCode) =>
      database.read(
        async (_db, pool) =>
          (
            await pool.query<{ id: number; tenantCode: string; sha256: string }>(
              'select id, tenant_code as "tenantCode", sha256 from kb_docs where tenant_code = $1 and ' +
                'stored_at is not null and sha256 is not null',
              [tenantCode],
            )
          ).rows,
      ),
    deleteRows: (tenantCode, actor, stamp) =>
      database.transaction((tx) => deleteRows(tx, tenantCode, actor, stamp)),
    unfinished: (limit) =>
      database.read((db) =>
        db
          .select()
          .from(kbDeletions)
          .where(isNull(kbDeletions.finishedAt))
          .orderBy(asc(kbDeletions.requestedAt))
          .limit(limit),
      ),
    finish: (deletion, originals, stamp) =>
      database.transaction(async (tx) => {
        const { tenantCode, id } = deletion;
        const done = await tx.db
          .update(kbDeletions)
          .set({ finishedAt: stamp.now })
          .where(
            and(
              eq(kbDeletions.tenantCode, tenantCode),
              eq(kbDeletions.id, id),
              isNull(kbDeletions.finishedAt),
            ),
          )
          .returning({ id: kbDeletions.id });
        if (done.length > 0)
          await tx.db
            .insert(audit)
            .values(entryOf(stamp, deletion, 'kb.tenant.originals_deleted', { originals }));
      }),
  };
}

/**
 * The counter of files is locked first: what is registered afterwards has a greater number and is not
 * deleted.
 */
async function deleteRows(tx: Tx, tenantCode: string, actor: string, stamp: Stamp): Promise<Deletion> {
  await tx.client.query('set local statement_timeout = 0');
  const { value: uptoDocId } = await lockCounter(tx, 'kb_doc');
  await tx.client.query('select 1 from kb_docs where tenant_code = $1 order by id for update', [tenantCode]);
  const counts: PolicyCounts = { docs: 0, chunks: 0, clearance: 0, qaLog: 0 };
  for (const name of NAMES)
    counts[name] =
      (await tx.client.query(`delete from ${TABLES[name]} where tenant_code = $1`, [tenantCode])).rowCount ??
      0;
  await tx.db.insert(kbChanges).values({
    changeNo: await takeNumbers(tx, 'kb_change', 1, stamp.now),
    tenantCode,
    docId: null,
    at: stamp.now,
  });
  const deletion: Deletion = {
    id: stamp.newId(),
    tenantCode,
    uptoDocId,
    counts,
    requestedBy: actor,
    requestedAt: stamp.now,
  };
  await tx.db.insert(kbDeletions).values({ ...deletion, finishedAt: null });
  await tx.db.insert(audit).values(entryOf(stamp, deletion, 'kb.tenant.deleted', counts));
  return deletion;
}

const entryOf = (stamp: Stamp, { id, tenantCode, requestedBy }: Deletion, action: string, after: object) => ({
  id: stamp.newId(),
  at: stamp.now,
  actor: requestedBy,
  action,
  subject: `kb_deletion:${id}`,
  tenantCode: null,
  before: null,
  after: { tenantCode, ...after },
});
