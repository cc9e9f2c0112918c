import { and, desc, eq, lt, or, sql } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database } from '../../store/engine/database.ts';
import type { NoteQuestion, OpenQuestion, OpenQuestionPort } from '../open-question/port.ts';
import { kbOpenQuestions } from './schema.ts';

const { tenantCode: tenant, id, lastAt, times } = kbOpenQuestions;

export class HubOpenQuestions implements OpenQuestionPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  note(command: NoteQuestion, most: number, stamp: Stamp): Promise<void> {
    return this.#database.transaction(async (tx) => {
      const { note, unknown } = command;
      const [row] = await tx.db
        .insert(kbOpenQuestions)
        .values({ ...command, times: 1, firstAt: stamp.now, lastAt: stamp.now })
        .onConflictDoUpdate({
          target: [tenant, id],
          set: { note, unknown, times: sql`${times} + 1`, lastAt: stamp.now },
        })
        .returning({ times });
      if (row?.times !== 1) return;
      // Only a new one can be one too many.
      const [last] = await tx.db
        .select({ lastAt, id })
        .from(kbOpenQuestions)
        .where(eq(tenant, command.tenantCode))
        .orderBy(desc(lastAt), desc(id))
        .offset(most)
        .limit(1);
      if (!last) return;
      await tx.db
        .delete(kbOpenQuestions)
        .where(and(eq(tenant, command.tenantCode), or(eq(id, last.id), below(last))));
    });
  }

  list(
    tenantCode: string,
    after: { lastAt: number; id: string } | null,
    limit: number,
  ): Promise<OpenQuestion[]> {
    return this.#database.read((db) =>
      db
        .select()
        .from(kbOpenQuestions)
        .where(and(eq(tenant, tenantCode), after === null ? undefined : below(after)))
        .orderBy(desc(lastAt), desc(id))
        .limit(limit),
    );
  }

  settle(of: { tenantCode: string; id: string; actor: string }, stamp: Stamp): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const [gone] = await tx.db
        .delete(kbOpenQuestions)
        .where(and(eq(tenant, of.tenantCode), eq(id, of.id)))
        .returning();
      if (!gone) return false;
      await appendAudit(tx, {
        id: stamp.newId(),
        at: stamp.now,
        actor: of.actor,
        action: 'kb.question.settled',
        subject: `kb_question:${of.id}`,
        tenantCode: null,
        before: { tenantCode: of.tenantCode, question: gone.question, times: gone.times },
        after: null,
      });
      return true;
    });
  }
}

/** Further down the list, which is by the time of the last asking. */
const below = (at: { lastAt: number; id: string }) =>
  or(lt(lastAt, at.lastAt), and(eq(lastAt, at.lastAt), lt(id, at.id)));
