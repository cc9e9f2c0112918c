import { isDeepStrictEqual } from 'node:util';
import { and, asc, desc, eq, inArray, isNotNull, lt, or, sql } from 'drizzle-orm';
import type { Architecture } from '../../../common/uplink/upgrade/manifest.ts';
import { sites } from '../../receiver/store/schema.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database, Db, Tx } from '../../store/engine/database.ts';
import type { By, NewRelease, ReleasePort, WantedPackage } from '../release/port.ts';
import type { Release } from '../release/record.ts';
import { releasePackages, releases } from './release-schema.ts';
import { rollouts } from './rollout-schema.ts';
import { OF_NO_TENANT } from './settings-schema.ts';
import { siteUpgrades } from './upgrade-schema.ts';

type Row = typeof releases.$inferSelect;

export class HubReleases implements ReleasePort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(
    { version, document, packages, by: addedBy }: NewRelease,
    by: By,
  ): Promise<'added' | 'there' | 'other'> {
    return this.#database.transaction(async (tx) => {
      const row = { version, document, addedBy, addedAt: by.stamp.now };
      const made = await tx.db.insert(releases).values(row).onConflictDoNothing().returning();
      if (made.length === 0) {
        const [held] = await tx.db.select().from(releases).where(eq(releases.version, version));
        return isDeepStrictEqual(held?.document, document) ? 'there' : 'other';
      }
      await tx.db
        .insert(releasePackages)
        .values(packages.map((one, place) => ({ version, ...one, place, storedAt: null })));
      const after = { key: document.key, packages: packages.map(({ name, sha256 }) => ({ name, sha256 })) };
      await note(tx, version, { ...by, action: 'release.added', after });
      return 'added';
    });
  }

  get(version: string): Promise<Release | null> {
    return this.#database.read(async (db) => {
      const rows = await db.select().from(releases).where(eq(releases.version, version));
      return (await whole(db, rows))[0] ?? null;
    });
  }

  list(after: { addedAt: number; version: string } | null, limit: number): Promise<Release[]> {
    return this.#database.read(async (db) => {
      const { addedAt, version } = releases;
      const before =
        after === null
          ? undefined
          : or(lt(addedAt, after.addedAt), and(eq(addedAt, after.addedAt), lt(version, after.version)));
      const rows = await db
        .select()
        .from(releases)
        .where(before)
        .orderBy(desc(addedAt), desc(version))
        .limit(limit);
      return whole(db, rows);
    });
  }

  stored(version: string, architecture: Architecture, by: By): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const own = and(eq(releasePackages.version, version), eq(releasePackages.architecture, architecture));
      const [held] = await tx.db.select().from(releasePackages).where(own).for('update');
      if (!held) return false;
      if (held.storedAt !== null) return true;
      await tx.db.update(releasePackages).set({ storedAt: by.stamp.now }).where(own);
      const { name, sha256 } = held;
      await note(tx, version, { ...by, action: 'release.package_stored', after: { name, sha256 } });
      return true;
    });
  }

  remove(version: string, by: By): Promise<Release | 'in_use' | null> {
    return this.#database.transaction(async (tx) => {
      // Locked: a rollout begins either before this or not at all.
      const rows = await tx.db.select().from(releases).where(eq(releases.version, version)).for('update');
      const [release] = await whole(tx.db, rows);
      if (!release) return null;
      if (release.inUse) return 'in_use';
      await tx.db.delete(releasePackages).where(eq(releasePackages.version, version));
      await tx.db.delete(releases).where(eq(releases.version, version));
      await note(tx, version, { ...by, action: 'release.removed', after: null });
      return release;
    });
  }

  async wanted(instance: string, sha256: string): Promise<WantedPackage | null> {
    const { version, size, sha256: digest, storedAt } = releasePackages;
    const [found] = await this.#database.read((db) =>
      db
        .select({ version, size, sha256: digest })
        .from(siteUpgrades)
        .innerJoin(releasePackages, eq(siteUpgrades.version, version))
        .where(
          and(
            eq(siteUpgrades.tenantCode, OF_NO_TENANT),
            sql`(${siteUpgrades.instance} = ${instance} or ${siteUpgrades.instance} in
              (select unnest(${sites.continues}) from ${sites} where ${sites.instance} = ${instance}))`,
            isNotNull(siteUpgrades.document),
            eq(digest, sha256),
            isNotNull(storedAt),
          ),
        )
        .limit(1),
    );
    return found ?? null;
  }
}

async function whole(db: Db, rows: readonly Row[]): Promise<Release[]> {
  if (rows.length === 0) return [];
  const versions = rows.map(({ version }) => version);
  const packages = await db
    .select()
    .from(releasePackages)
    .where(inArray(releasePackages.version, versions))
    .orderBy(asc(releasePackages.place));
  const needed = await db
    .selectDistinct({ version: rollouts.version })
    .from(rollouts)
    .where(and(inArray(rollouts.version, versions), inArray(rollouts.state, ['running', 'paused'])));
  const inUse = new Set(needed.map(({ version }) => version));
  return rows.map((row) => ({
    ...row,
    inUse: inUse.has(row.version),
    packages: packages
      .filter(({ version }) => version === row.version)
      .map(({ version: _version, place: _place, ...one }) => one),
  }));
}

const note = (
  tx: Tx,
  version: string,
  { actor, stamp, action, after }: By & { action: string; after: object | null },
): Promise<void> =>
  appendAudit(tx, {
    ...{ id: stamp.newId(), at: stamp.now, actor, action, subject: `release:${version}` },
    ...{ tenantCode: null, before: null, after },
  });
