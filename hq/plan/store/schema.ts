// Plans of sites. The bytes of a picture stand apart, since lists do not read them.
import { foreignKey, pgTable, primaryKey, uniqueIndex } from 'drizzle-orm/pg-core';
import { bytes, jsonText, long, text } from '../../store/schema/columns.ts';
import type { Pin, PlanPicture } from '../record.ts';

export const plans = pgTable(
  'plans',
  {
    tenantCode: text('tenant_code').notNull(),
    id: text('id').notNull(),
    instance: text('instance').notNull(),
    name: text('name').notNull(),
    picture: jsonText<PlanPicture>('picture').notNull(),
    pins: jsonText<Pin[]>('pins').notNull(),
    createdAt: long('created_at').notNull(),
    updatedAt: long('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    uniqueIndex('plans_name').on(t.tenantCode, t.instance, t.name),
  ],
);

export const planPictures = pgTable(
  'plan_pictures',
  {
    tenantCode: text('tenant_code').notNull(),
    planId: text('plan_id').notNull(),
    content: bytes('content').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.planId] }),
    foreignKey({
      columns: [t.tenantCode, t.planId],
      foreignColumns: [plans.tenantCode, plans.id],
      name: 'plan_pictures_plan',
    }).onDelete('cascade'),
  ],
);
