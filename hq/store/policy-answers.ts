import { and, desc, eq, gte, lt, lte, type SQL } from 'drizzle-orm';
import type { Stamp } from '../../common/clock.ts';
import type { LogAnswer } from '../policy/command.ts';
import type { QaFilter, QaLogPort } from '../policy/port.ts';
import { decideLog, decideMark, type CitedChunk } from '../policy/qa-log-decide.ts';
import type { QaEntry } from '../policy/record.ts';
import type { Database, Tx } from './database.ts';
import { rankIn } from './policy-clearance.ts';
import { takeNumbers } from './policy-rows.ts';
import { audit, kbQaLog } from './schema.ts';

export function createPolicyAnswers(database: Database): QaLogPort {
  return {
    add: (command, stamp) => database.transaction((tx) => add(tx, command, stamp)),
    get: (id, filter) => database.read(async (db) => (await db.select().from(kbQaLog).where(and(...conditions(filter), eq(kbQaLog.id, id))))[0] ?? null),
    list: (filter, before, limit) => database.read((db) => db.select().from(kbQaLog)
      .where(and(...conditions(filter), before === null ? undefined : lt(kbQaLog.id, before))).orderBy(desc(kbQaLog.id)).limit(limit)),
    mark: (id, filter, mark, stamp) => database.transaction(async (tx) => {
      const [entry] = await tx.db.select().from(kbQaLog).where(and(...conditions(filter), eq(kbQaLog.id, id))).for('update');
      if (!entry) return null;
      const marked = decideMark(entry, mark, stamp);
      const { feedback, feedbackNote, feedbackAt } = marked.entry;
      await tx.db.update(kbQaLog).set({ feedback, feedbackNote, feedbackAt }).where(and(eq(kbQaLog.tenantCode, entry.tenantCode), eq(kbQaLog.id, id)));
      await tx.db.insert(audit).values(marked.audit);
      return marked.entry;
    }),
  };
}

async function add(tx: Tx, command: LogAnswer, stamp: Stamp): Promise<QaEntry> {
  const { rows } = await tx.client.query<CitedChunk>(
    `select c.id as "chunkId", c.doc_id as "docId", c.text_sha256 as sha256, c.clause_path as "clausePath", d.version as "docVersion", d.level
     from kb_chunks c join kb_docs d on d.tenant_code = c.tenant_code and d.id = c.doc_id where c.tenant_code = $1 and c.id = any($2::bigint[])`,
    [command.tenantCode, command.citations.map(({ chunkId }) => chunkId)]);
  const askerRank = await rankIn(tx.db, command.tenantCode, command.asker);
  const id = await takeNumbers(tx, 'kb_qa', 1, stamp.now);
  const { entry, audit: written } = decideLog({ id, cited: rows, askerRank }, command, stamp);
  await tx.db.insert(kbQaLog).values(entry);
  await tx.db.insert(audit).values(written);
  return entry;
}

function conditions(filter: QaFilter): (SQL | undefined)[] {
  return [
    eq(kbQaLog.tenantCode, filter.tenantCode), lte(kbQaLog.level, filter.maxRank), filter.asker === undefined ? undefined : eq(kbQaLog.asker, filter.asker),
    filter.feedback === undefined ? undefined : eq(kbQaLog.feedback, filter.feedback), filter.since === undefined ? undefined : gte(kbQaLog.createdAt, filter.since),
    filter.until === undefined ? undefined : lt(kbQaLog.createdAt, filter.until),
  ];
}
