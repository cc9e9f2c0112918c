// Tables of the files that go to headquarters.
import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { EvidenceWant } from '../../../../common/uplink/evidence.ts';
import type { WantState } from '../../../uplink/evidence/port.ts';

/** Files that headquarters wants of this site. `event_id` 0: the event is not kept here. */
export const uplinkWants = sqliteTable('uplink_wants', {
  id: text('id').primaryKey(),
  kind: text('kind').$type<EvidenceWant['kind']>().notNull(),
  tenantCode: text('tenant_code').notNull(),
  eventId: integer('event_id').notNull(),
  eventKey: text('event_key').notNull(),
  name: text('name').notNull(),
  offered: integer('offered', { mode: 'boolean' }).notNull(),
  askedAt: integer('asked_at').notNull(),
  state: text('state').$type<WantState>().notNull(),
  reason: text('reason'),
  at: integer('at'),
  told: text('told'),
});

/** Files that go up by themselves and have not been offered yet. */
export const uplinkOffers = sqliteTable(
  'uplink_offers',
  { eventId: integer('event_id').notNull(), name: text('name').notNull() },
  (table) => [primaryKey({ columns: [table.eventId, table.name] })],
);

/** Pictures of which headquarters has no preview yet. */
export const uplinkPreviews = sqliteTable(
  'uplink_previews',
  { eventId: integer('event_id').notNull(), name: text('name').notNull() },
  (table) => [primaryKey({ columns: [table.eventId, table.name] })],
);

/** Files that were deleted for want of room, while their event is kept. */
export const evidenceGone = sqliteTable(
  'evidence_gone',
  {
    eventId: integer('event_id').notNull(),
    name: text('name').notNull(),
    at: integer('at').notNull(),
    told: integer('told', { mode: 'boolean' }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.eventId, t.name] }),
    index('evidence_gone_untold')
      .on(t.eventId)
      .where(sql`told = 0`),
  ],
);
