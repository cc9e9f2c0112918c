// Where each program keeps its tables, and how drizzle-kit is asked about them.
import {
  generateDrizzleJson,
  generateMigration,
  generateSQLiteDrizzleJson,
  generateSQLiteMigration,
} from 'drizzle-kit/api';
import * as hubByHand from '../../hq/store/schema/by-hand.ts';
import * as hubTables from '../../hq/tables.ts';
import * as siteByHand from '../../site/store/schema/by-hand.ts';
import * as siteTables from '../../site/store/schema/tables.ts';

// drizzle-kit gives every array a member `random`. Libraries in the same process that go over the members of
// arrays must not see it: the reader of PDF files refuses to start then.
if ('random' in Array.prototype) Object.defineProperty(Array.prototype, 'random', { enumerable: false });

/** What drizzle cannot say: see the file `by-hand.ts` of each program. */
export interface ByHand {
  options: Readonly<Record<string, string>>;
  statements: Readonly<Record<string, string>>;
}

/** The tables as the newest migration leaves them. */
export interface Snapshot {
  /** As drizzle-kit writes it. */
  tables: object;
  byHand: ByHand;
}

export interface SchemaProgram {
  /** A folder, from the root of the tree. */
  migrations: string;
  /** The one file of the snapshot, from the root; each migration overwrites it. */
  snapshot: string;
  byHand: ByHand;
  /** The tables of today, as drizzle-kit describes them. */
  describe(): Promise<object>;
  /**
   * The statements that lead from one description to another; null stands for an empty database. It may ask
   * what was renamed.
   */
  difference(before: object | null, after: object): Promise<string[]>;
}

export const PROGRAMS: Readonly<Record<'site' | 'hq', SchemaProgram>> = {
  site: {
    migrations: 'site/store/migrations',
    snapshot: 'site/store/schema/snapshot.json',
    byHand: siteByHand,
    describe: async () => withoutIds(await generateSQLiteDrizzleJson(siteTables)),
    difference: async (before, after) =>
      generateSQLiteMigration(
        withIds<SiteDescription>(before ?? (await generateSQLiteDrizzleJson({}))),
        withIds<SiteDescription>(after),
      ),
  },
  hq: {
    migrations: 'hq/store/migrations',
    snapshot: 'hq/store/schema/snapshot.json',
    byHand: hubByHand,
    describe: () => Promise.resolve(withoutIds(generateDrizzleJson(hubTables))),
    difference: (before, after) =>
      generateMigration(
        withIds<HubDescription>(before ?? generateDrizzleJson({})),
        withIds<HubDescription>(after),
      ),
  },
};

type SiteDescription = Awaited<ReturnType<typeof generateSQLiteDrizzleJson>>;
type HubDescription = ReturnType<typeof generateDrizzleJson>;

/** drizzle-kit gives each description a random id, by which it would never be the same twice. */
const withoutIds = (description: object): object => ({ ...description, id: '', prevId: '' });
const withIds = <T extends object>(description: object): T => ({ ...description, id: '', prevId: '' }) as T;
