// Verdicts, their corrections, and the numbered log of their changes.
import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { Judged } from '../../../common/core/event/record.ts';
import type { Disposition, VerdictChange } from '../../../common/core/verdict/record.ts';
import type { VerdictValue } from '../../../common/core/verdict/schema.ts';

export const verdicts = sqliteTable('verdicts', {
  eventId: integer('event_id').primaryKey(),
  tenantCode: text('tenant_code').notNull(),
  verdict: text('verdict').$type<VerdictValue>().notNull(),
  by: text('by').notNull(),
  byKind: text('by_kind').$type<'human' | 'machine'>().notNull(),
  note: text('note'),
  mergedInto: integer('merged_into'),
  /** The event that one was merged into, by its identity: it need not be here. */
  mergedIntoKey: text('merged_into_key'),
  mergedIntoInstance: text('merged_into_instance'),
  judged: text('judged', { mode: 'json' }).$type<Judged>(),
  disposition: text('disposition', { mode: 'json' }).$type<Disposition>(),
  at: integer('at').notNull(),
  decisionId: text('decision_id'),
});

export const corrections = sqliteTable(
  'corrections',
  {
    /** Order of writing: the number of the change entry that it was written with. */
    seq: integer('seq').primaryKey(),
    id: text('id').notNull().unique(),
    eventId: integer('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    verdict: text('verdict').$type<VerdictValue>().notNull(),
    by: text('by').notNull(),
    byKind: text('by_kind').$type<'human' | 'machine'>().notNull(),
    note: text('note').notNull(),
    mergedInto: integer('merged_into'),
    mergedIntoKey: text('merged_into_key'),
    mergedIntoInstance: text('merged_into_instance'),
    at: integer('at').notNull(),
  },
  (t) => [index('corrections_event').on(t.eventId, t.seq)],
);

export const verdictChanges = sqliteTable(
  'verdict_changes',
  {
    changeNo: integer('change_no').primaryKey(),
    at: integer('at').notNull(),
    eventId: integer('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').$type<VerdictChange['kind']>().notNull(),
    decisionId: text('decision_id'),
    body: text('body').notNull(),
  },
  (t) => [
    uniqueIndex('verdict_changes_decision')
      .on(t.decisionId)
      .where(sql`decision_id is not null`),
  ],
);
