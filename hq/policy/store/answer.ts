import { and, desc, eq, gte, lt, lte, type SQL } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import type { LogAnswer, LogOutcome } from '../command.ts';
import type { QaFilter, QaLogPort } from '../port.ts';
import { decideLog, decideMark, type CitedChunk } from '../qa-log/decide.ts';
import { advanceCounter, lockCounter } from '../../store/engine/counters.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { audit } from '../../store/schema/tables.ts';
import { kbQaLog } from './schema.ts';

export function createPolicyAnswers(database: Database): QaLogPort {
  return {
    add: (command, stamp) => database.transaction((tx) => add(tx, command, stamp)),
    get: (id, filter) =>
      database.read(
        async (db) =>
          (
            await db
              .select()
              .from(kbQaLog)
              .where(and(...conditions(filter), eq(kbQaLog.id, id)))
          )[0] ?? null,
      ),
    list: (filter, before, limit) =>
      database.read((db) =>
        db
          .select()
          .from(kbQaLog)
          .where(and(...conditions(filter), before === null ? undefined : lt(kbQaLog.id, before)))
          .orderBy(desc(kbQaLog.id))
          .limit(limit),
      ),
    mark: (id, filter, mark, stamp) =>
      database.transaction(async (tx) => {
        const [entry] = await tx.db
          .select()
          .from(kbQaLog)
          .where(and(...conditions(filter), eq(kbQaLog.id, id)))
          .for('update');
        if (!entry) return null;
        const marked = decideMark(entry, mark, stamp);
        const { feedback, feedbackNote, feedbackAt } = marked.entry;
        await tx.db
          .update(kbQaLog)
          .set({ feedback, feedbackNote, feedbackAt })
          .where(and(eq(kbQaLog.tenantCode, entry.tenantCode), eq(kbQaLog.id, id)));
        await tx.db.insert(audit).values(marked.audit);
        return marked.entry;
      }),
  };
}

/**
 * Those chunks that are there, and those of sets that were replaced: in one statement, so that none falls
 * between the two. Row by row through the indexes, whatever the planner believes of the tables.
 */
const CITED = `
  select asked.id as "chunkId", d.id as "docId", found.sha256, found.path as "clausePath", d.version as
    "docVersion", d.level
  from unnest($2::bigint[]) as asked (id)
    cross join lateral (
      (select doc_id, text_sha256 as sha256, clause_path as path from kb_chunks where tenant_code = $1
        and id = asked.id limit 1)
      union all
      (select doc_id, null, null from (select doc_id, last_chunk from kb_changes
        where tenant_code = $1 and first_chunk <= asked.id order by first_chunk desc limit 1) gone
          where last_chunk >= asked.id)
    ) found
    cross join lateral (select id, version, level from kb_docs where tenant_code = $1 and id = found.doc_id
      limit 1) d`;

async function add(tx: Tx, command: LogAnswer, stamp: Stamp): Promise<LogOutcome> {
  const { rows } = await tx.client.query<CitedChunk>(CITED, [
    command.tenantCode,
    [...new Set(command.citations.map(({ chunkId }) => chunkId))],
  ]);
  const id = (await lockCounter(tx, 'kb_qa')).value + 1;
  const { outcome, audit: written } = decideLog({ id, cited: rows }, command, stamp);
  if (outcome.kind !== 'logged' || !written) return outcome;
  await advanceCounter(tx, 'kb_qa', { value: id, at: stamp.now });
  await tx.db.insert(kbQaLog).values(outcome.entry);
  await tx.db.insert(audit).values(written);
  return outcome;
}

function conditions(filter: QaFilter): (SQL | undefined)[] {
  return [
    eq(kbQaLog.tenantCode, filter.tenantCode),
    lte(kbQaLog.level, filter.maxRank),
    filter.asker === undefined ? undefined : eq(kbQaLog.asker, filter.asker),
    filter.feedback === undefined ? undefined : eq(kbQaLog.feedback, filter.feedback),
    filter.since === undefined ? undefined : gte(kbQaLog.createdAt, filter.since),
    filter.until === undefined ? undefined : lt(kbQaLog.createdAt, filter.until),
  ];
}
