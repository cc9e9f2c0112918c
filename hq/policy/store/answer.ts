import { and, desc, eq, gte, isNull, lt, lte, type SQL } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import { advanceCounter, lockCounter } from '../../store/engine/counters.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import type { LogAnswer, LogOutcome } from '../command.ts';
import type { QaFilter, QaLogPort } from '../port.ts';
import { decideLog, decideMark, settledAudit } from '../qa-log/decide.ts';
import type { QaEntry, QaFeedback } from '../record.ts';
import { citedChunks } from './cited-chunk.ts';
import { kbQaLog } from './schema.ts';

export class HubQaLog implements QaLogPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(command: LogAnswer, stamp: Stamp): Promise<LogOutcome> {
    return this.#database.transaction((tx) => add(tx, command, stamp));
  }

  get(id: number, filter: QaFilter): Promise<QaEntry | null> {
    return this.#database.read(
      async (db) =>
        (
          await db
            .select()
            .from(kbQaLog)
            .where(and(...conditions(filter), eq(kbQaLog.id, id)))
        )[0] ?? null,
    );
  }

  list(filter: QaFilter, before: number | null, limit: number): Promise<QaEntry[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(kbQaLog)
        .where(and(...conditions(filter), before === null ? undefined : lt(kbQaLog.id, before)))
        .orderBy(desc(kbQaLog.id))
        .limit(limit),
    );
  }

  mark(
    id: number,
    filter: QaFilter,
    mark: { feedback: QaFeedback; note: string | null; actor: string },
    stamp: Stamp,
  ): Promise<QaEntry | null> {
    return this.#database.transaction(async (tx) => {
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
        .set({ feedback, feedbackNote, feedbackAt, settledAt: null })
        .where(and(eq(kbQaLog.tenantCode, entry.tenantCode), eq(kbQaLog.id, id)));
      await appendAudit(tx, marked.audit);
      return marked.entry;
    });
  }

  settle(id: number, filter: QaFilter, actor: string, stamp: Stamp): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const [entry] = await tx.db
        .update(kbQaLog)
        .set({ settledAt: stamp.now })
        .where(and(...conditions(filter), eq(kbQaLog.id, id)))
        .returning();
      if (!entry) return false;
      await appendAudit(tx, settledAudit(entry, actor, stamp));
      return true;
    });
  }
}

async function add(tx: Tx, command: LogAnswer, stamp: Stamp): Promise<LogOutcome> {
  const cited = await citedChunks(
    tx,
    command.tenantCode,
    command.citations.map(({ chunkId }) => chunkId),
  );
  const id = (await lockCounter(tx, 'kb_qa')).value + 1;
  const { outcome, audit: written } = decideLog({ id, cited }, command, stamp);
  if (outcome.kind !== 'logged' || !written) return outcome;
  await advanceCounter(tx, 'kb_qa', { value: id, at: stamp.now });
  await tx.db.insert(kbQaLog).values(outcome.entry);
  await appendAudit(tx, written);
  return outcome;
}

function conditions(filter: QaFilter): (SQL | undefined)[] {
  return [
    eq(kbQaLog.tenantCode, filter.tenantCode),
    lte(kbQaLog.level, filter.maxRank),
    filter.asker === undefined ? undefined : eq(kbQaLog.asker, filter.asker),
    filter.unsettled === true ? isNull(kbQaLog.settledAt) : undefined,
    filter.feedback === undefined ? undefined : eq(kbQaLog.feedback, filter.feedback),
    filter.since === undefined ? undefined : gte(kbQaLog.createdAt, filter.since),
    filter.until === undefined ? undefined : lt(kbQaLog.createdAt, filter.until),
  ];
}
