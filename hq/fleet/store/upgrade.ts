import { and, asc, eq, getTableColumns, inArray } from 'drizzle-orm';
import type { UpgradeState } from '../../../common/uplink/change/upgrade.ts';
import type { UpgradeItem } from '../../../common/uplink/upgrade/record.ts';
import type { Database, Db, Tx } from '../../store/engine/database.ts';
import { begunBefore, directed, noted, nothingWanted } from '../upgrade/decide.ts';
import type { SiteUpgradePort } from '../upgrade/port.ts';
import type { Directive, SiteUpgrade } from '../upgrade/record.ts';
import { rolloutSites } from './rollout-schema.ts';
import { OF_NO_TENANT } from './settings-schema.ts';
import { siteUpgrades } from './upgrade-schema.ts';

const { tenantCode: _tenant, id: _id, ...columns } = getTableColumns(siteUpgrades);
const ofSites = (instances: readonly string[]) =>
  and(eq(siteUpgrades.tenantCode, OF_NO_TENANT), inArray(siteUpgrades.instance, [...instances]));

export class HubSiteUpgrades implements SiteUpgradePort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async open(named: readonly { tenantCode: string; id: string }[]): Promise<Map<string, UpgradeItem>> {
    const { id, no, document, hours, by, at, state } = siteUpgrades;
    const ids = named.map((one) => one.id);
    const rows = await this.#database.read((db) =>
      db
        .select({ id, no, release: document, hours, by, at })
        .from(siteUpgrades)
        .where(and(eq(siteUpgrades.tenantCode, OF_NO_TENANT), inArray(id, ids), eq(state, 'waiting'))),
    );
    return new Map(rows.map(({ id: name, ...item }) => [name, item]));
  }
}

/** What is wanted of a site; null: nothing ever was. */
export async function upgradeOf(db: Db, instance: string): Promise<SiteUpgrade | null> {
  const [row] = await db
    .select(columns)
    .from(siteUpgrades)
    .where(ofSites([instance]));
  return row && row.no > 0 ? row : null;
}

/** Gives sites what is wanted of them from now on, within a transaction. */
export async function direct(
  tx: Tx,
  instances: readonly string[],
  directive: Directive,
  now: number,
): Promise<void> {
  if (instances.length === 0) return;
  for (const before of await locked(tx, instances)) await write(tx, directed(before, directive, now));
}

/**
 * Notes what a site told of its upgrade, also for the rollout that it is in, within the transaction that
 * takes its batch. @returns whether it was news
 */
export async function noteSiteUpgrade(tx: Tx, instance: string, told: UpgradeState): Promise<boolean> {
  const [before] = await locked(tx, [instance]);
  if (!before) return false;
  const after = noted(before, told);
  await write(tx, after);
  const counts = after.told === told || begunBefore(before, told);
  if (counts && after.rolloutId !== null) await noteInRollout(tx, after.rolloutId, instance, told);
  return counts;
}

async function noteInRollout(
  tx: Tx,
  rolloutId: string,
  instance: string,
  { step, at, runs, fetched, size, reason, told }: UpgradeState,
): Promise<void> {
  await tx.db
    .update(rolloutSites)
    .set({ step, at, runs, fetched, size, reason, told })
    .where(and(eq(rolloutSites.rolloutId, rolloutId), eq(rolloutSites.instance, instance)));
}

/** The rows of these sites, made where there are none, in the order in which everybody locks. */
async function locked(tx: Tx, instances: readonly string[]): Promise<SiteUpgrade[]> {
  await tx.db
    .insert(siteUpgrades)
    .values(instances.toSorted().map((instance) => rowOf(nothingWanted(instance))))
    .onConflictDoNothing();
  return tx.db
    .select(columns)
    .from(siteUpgrades)
    .where(ofSites(instances))
    .orderBy(asc(siteUpgrades.instance))
    .for('update');
}

const rowOf = (one: SiteUpgrade): typeof siteUpgrades.$inferInsert => ({
  ...one,
  tenantCode: OF_NO_TENANT,
  id: `${one.instance} ${one.no}`,
});

const write = async (tx: Tx, one: SiteUpgrade): Promise<void> =>
  void (await tx.db
    .update(siteUpgrades)
    .set(rowOf(one))
    .where(ofSites([one.instance])));
