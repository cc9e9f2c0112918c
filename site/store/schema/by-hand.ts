// What drizzle cannot say of the tables. `npm run schema` makes new tables and adds new statements by it;
// what is changed or removed here, the author of the migration brings over by hand.
import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as tables from './tables.ts';

/** Tables of which the rows stand in the tree of their primary key: one page less to read and to write. */
const WITHOUT_ROWID = new Set<SQLiteTable>([
  tables.adminKeys,
  tables.agentChains,
  tables.agentCooldowns,
  tables.agentStates,
  tables.alarms,
  tables.audit,
  tables.cameraActivity,
  tables.deviceEpisodes,
  tables.deviceRefusals,
  tables.devices,
  tables.disk,
  tables.eventDays,
  tables.eventHours,
  tables.evidenceFiles,
  tables.evidenceGone,
  tables.groupAdditions,
  tables.incidentMembers,
  tables.keys,
  tables.libraryClauses,
  tables.libraryFiles,
  tables.loginAttempts,
  tables.meta,
  tables.nodeActivity,
  tables.pushStates,
  tables.retention,
  tables.rules,
  tables.secrets,
  tables.sessions,
  tables.subscriptions,
  tables.taskEntries,
  tables.uplinkChannels,
  tables.uplinkOffers,
  tables.uplinkParked,
  tables.uplinkPreviews,
  tables.uplinkWants,
]);

/** What follows the columns where a table is made, by table. A column takes values of its own type alone. */
export const options: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values<unknown>(tables)
    .filter((table) => is(table, SQLiteTable))
    .map((table) => [getTableName(table), WITHOUT_ROWID.has(table) ? 'STRICT, WITHOUT ROWID' : 'STRICT']),
);

/** By a name of its own each, in the order in which they are run, after all tables are there. */
export const statements: Readonly<Record<string, string>> = {};
