// Releases: which versions can be rolled out. Their packages lie with the originals of policy files.
import { integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { Architecture, SignedManifest } from '../../../common/uplink/upgrade/manifest.ts';
import { jsonText, long, text } from '../../store/schema/columns.ts';

export const releases = pgTable('releases', {
  version: text('version').primaryKey(),
  document: jsonText<SignedManifest>('document').notNull(),
  addedBy: text('added_by').notNull(),
  addedAt: long('added_at').notNull(),
});

export const releasePackages = pgTable(
  'release_packages',
  {
    version: text('version').notNull(),
    architecture: text('architecture').$type<Architecture>().notNull(),
    /** In the order of the manifest. */
    place: integer('place').notNull(),
    name: text('name').notNull(),
    size: integer('size').notNull(),
    sha256: text('sha256').notNull(),
    /** When all of it was here; null: it is not. */
    storedAt: long('stored_at'),
  },
  (t) => [primaryKey({ columns: [t.version, t.architecture] })],
);
