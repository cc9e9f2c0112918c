// Verdicts, their corrections, and the numbered log of their changes.
import { sql } from 'drizzle-orm';
import { index, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Judged } from '../../../common/core/event/record.ts';
import type { Disposition, VerdictChange } from '../../../common/core/verdict/record.ts';
import type { VerdictValue } from '../../../common/core/verdict/schema.ts';
import { jsonText, long, text } from './columns.ts';

export const verdicts = pgTable(
  'verdicts',
  {
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    verdict: text('verdict').$type<VerdictValue>().notNull(),
    by: text('by').notNull(),
    byKind: text('by_kind').$type<'human' | 'machine'>().notNull(),
    note: text('note'),
    mergedInto: long('merged_into'),
    /** The event that one was merged into, by its identity: it need not be here. */
    mergedIntoKey: text('merged_into_key'),
    mergedIntoInstance: text('merged_into_instance'),
    judged: jsonText<Judged>('judged'),
    disposition: jsonText<Disposition>('disposition'),
    at: long('at').notNull(),
    decisionId: text('decision_id'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.eventId] }),
    index('verdicts_event').on(t.eventId),
    index('verdicts_value').on(t.tenantCode, t.verdict, t.eventId),
  ],
);

export const corrections = pgTable(
  'corrections',
  {
    /** Order of writing: the number of the change entry that it was written with. */
    seq: long('seq').notNull(),
    id: text('id').notNull(),
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    verdict: text('verdict').$type<VerdictValue>().notNull(),
    by: text('by').notNull(),
    byKind: text('by_kind').$type<'human' | 'machine'>().notNull(),
    note: text('note').notNull(),
    mergedInto: long('merged_into'),
    mergedIntoKey: text('merged_into_key'),
    mergedIntoInstance: text('merged_into_instance'),
    at: long('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.id] }), index('corrections_event').on(t.eventId, t.seq)],
);

export const verdictChanges = pgTable(
  'verdict_changes',
  {
    changeNo: long('change_no').notNull(),
    at: long('at').notNull(),
    eventId: long('event_id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    kind: text('kind').$type<VerdictChange['kind']>().notNull(),
    decisionId: text('decision_id'),
    body: text('body').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.changeNo] }),
    index('verdict_changes_number').on(t.changeNo),
    index('verdict_changes_event').on(t.eventId),
    uniqueIndex('verdict_changes_decision')
      .on(t.tenantCode, t.decisionId)
      .where(sql`decision_id is not null`),
  ],
);
