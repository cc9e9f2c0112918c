// Knowledge objects.
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, unique } from 'drizzle-orm/pg-core';
import type { KnowledgeKind } from '../../../common/core/timeline/record.ts';
import type { SecurityLevel } from '../../../common/policy/level.ts';
import { jsonText, long, text, textArray } from '../../store/schema/columns.ts';
import type { KnowledgeBody } from '../record.ts';

export const knowledge = pgTable(
  'knowledge',
  {
    id: long('id').notNull(),
    tenantCode: text('tenant_code').notNull(),
    srcSystem: text('src_system').notNull(),
    srcPk: text('src_pk').notNull(),
    title: text('title').notNull(),
    kind: text('kind').$type<KnowledgeKind>().notNull(),
    sourceRef: jsonText<Record<string, unknown>>('source_ref').notNull(),
    /** Top-level members of source_ref as "key=value", what lists search by. */
    refs: textArray('refs').notNull(),
    eventId: long('event_id'),
    securityLevel: text('security_level').$type<SecurityLevel>().notNull(),
    version: integer('version').notNull(),
    validUntil: long('valid_until'),
    body: jsonText<KnowledgeBody>('body').notNull(),
    machineGenerated: boolean('machine_generated').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    unique('knowledge_source').on(t.tenantCode, t.srcSystem, t.srcPk),
    index('knowledge_id').on(t.id),
    index('knowledge_time').on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('knowledge_tenant_time').on(
      t.tenantCode,
      t.createdAt.desc().nullsFirst(),
      t.id.desc().nullsFirst(),
    ),
    index('knowledge_event')
      .on(t.tenantCode, t.eventId, t.id)
      .where(sql`event_id is not null`),
    index('knowledge_refs').using('gin', t.refs),
  ],
);

/** What each revision left, the first version among them; appended, never changed. */
export const knowledgeRevisions = pgTable(
  'knowledge_revisions',
  {
    tenantCode: text('tenant_code').notNull(),
    knowledgeId: long('knowledge_id').notNull(),
    version: integer('version').notNull(),
    body: jsonText<KnowledgeBody>('body').notNull(),
    changed: jsonText<string[]>('changed').notNull(),
    by: text('by').notNull(),
    note: text('note'),
    at: long('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.knowledgeId, t.version] })],
);
