// What is kept of the sites that hand their notifications up.
import { pgTable } from 'drizzle-orm/pg-core';
import { long, text } from '../../store/schema/columns.ts';

export const notificationSites = pgTable('notification_sites', {
  instance: text('instance').primaryKey(),
  /** Messages that waited there to be handed up, as it last said. */
  backlog: long('backlog').notNull(),
  heardAt: long('heard_at').notNull(),
  takenTotal: long('taken_total').notNull(),
  lastTakenAt: long('last_taken_at'),
});
