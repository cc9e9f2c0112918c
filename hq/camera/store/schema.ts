// What people call cameras.
import { pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { text } from '../../store/schema/columns.ts';

export const cameraNames = pgTable(
  'camera_names',
  {
    tenantCode: text('tenant_code').notNull(),
    instance: text('instance').notNull(),
    cameraRef: text('camera_ref').notNull(),
    name: text('name').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.instance, t.cameraRef] })],
);
