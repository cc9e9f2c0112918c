import { and, asc, eq, getTableColumns, inArray } from 'drizzle-orm';
import type { Stamp } from '../../../common/clock.ts';
import type { SettingsState } from '../../../common/uplink/change/settings.ts';
import type { SettingsItem } from '../../../common/uplink/settings/record.ts';
import { appendAudit } from '../../store/adapter/audit.ts';
import type { Database, Tx } from '../../store/engine/database.ts';
import { changed, noted, nothingSet } from '../settings/decide.ts';
import type { SettingsChange, SiteSettings, SiteSettingsPort } from '../settings/port.ts';
import { OF_NO_TENANT, siteSettings } from './settings-schema.ts';

const { tenantCode: _tenant, id: _id, ...columns } = getTableColumns(siteSettings);
const ofSites = (instances: readonly string[]) =>
  and(eq(siteSettings.tenantCode, OF_NO_TENANT), inArray(siteSettings.instance, [...instances]));

export class HubSiteSettings implements SiteSettingsPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async of(instances: readonly string[]): Promise<Map<string, SiteSettings>> {
    if (instances.length === 0) return new Map();
    const rows = await this.#database.read((db) =>
      db.select(columns).from(siteSettings).where(ofSites(instances)),
    );
    return new Map(rows.map((row) => [row.instance, row]));
  }

  change(instances: readonly string[], change: SettingsChange, stamp: Stamp): Promise<SiteSettings[] | null> {
    return this.#database.transaction(async (tx) => {
      const before = await locked(tx, instances);
      const { expected } = change;
      if (expected !== null && before.some(({ version }) => version !== expected)) return null;
      const after = before.map((one) => changed(one, change, stamp.now));
      for (const one of after) await write(tx, one);
      await appendAudit(
        tx,
        ...before.map((one, at) => ({
          id: stamp.newId(),
          at: stamp.now,
          actor: change.by,
          action: 'settings.set',
          subject: `site:${one.instance}`,
          tenantCode: null,
          before: { version: one.version, values: one.values },
          after: { version: after[at]?.version, values: after[at]?.values },
        })),
      );
      return after;
    });
  }

  async open(named: readonly { tenantCode: string; id: string }[]): Promise<Map<string, SettingsItem>> {
    const { id, version, values, by, at, state } = siteSettings;
    const ids = named.map((one) => one.id);
    const rows = await this.#database.read((db) =>
      db
        .select({ id, version, values, by, at })
        .from(siteSettings)
        .where(and(eq(siteSettings.tenantCode, OF_NO_TENANT), inArray(id, ids), eq(state, 'waiting'))),
    );
    return new Map(rows.map(({ id: name, ...item }) => [name, item]));
  }
}

/** Notes what a site told of its settings, within the transaction that takes its batch. */
export async function noteSiteSettings(tx: Tx, instance: string, told: SettingsState): Promise<void> {
  const [before] = await locked(tx, [instance]);
  await write(tx, noted(before ?? nothingSet(instance), told));
}

/** The rows of these sites, made where there are none, in the order in which everybody locks. */
async function locked(tx: Tx, instances: readonly string[]): Promise<SiteSettings[]> {
  await tx.db
    .insert(siteSettings)
    .values(instances.toSorted().map((instance) => rowOf(nothingSet(instance))))
    .onConflictDoNothing();
  return tx.db
    .select(columns)
    .from(siteSettings)
    .where(ofSites(instances))
    .orderBy(asc(siteSettings.instance))
    .for('update');
}

const rowOf = (one: SiteSettings): typeof siteSettings.$inferInsert => ({
  ...one,
  tenantCode: OF_NO_TENANT,
  id: `${one.instance} ${one.version}`,
});

const write = async (tx: Tx, one: SiteSettings): Promise<void> =>
  void (await tx.db
    .update(siteSettings)
    .set(rowOf(one))
    .where(ofSites([one.instance])));
