// Both stores keep the shared tables with the same columns.
import { is } from 'drizzle-orm';
import { getTableConfig as pgTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { getTableConfig as sqliteTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, test } from 'vitest';
import * as hubSchema from '../../hq/tables.ts';
import * as siteSchema from '../../site/store/schema/tables.ts';

/** Tables that the ports of the core rest on. */
const SHARED = [
  'evidence_files',
  'evidence_jobs',
  'push_states',
  'alarms',
  'audit',
  'corrections',
  'events',
  'feedback',
  'incident_members',
  'incidents',
  'keys',
  'rules',
  'secrets',
  'subscriptions',
  'task_entries',
  'tasks',
  'verdict_changes',
  'verdicts',
];

/**
 * Columns that only a site has: an order of headquarters is carried out there, once, and a picture is offered
 * to it, which says what it holds.
 */
const OF_A_SITE = new Map([
  ['evidence_files', ['held_by?', 'offered_to?']],
  ['tasks', ['order_id?', 'body_order_id?']],
  ['task_entries', ['order_id?']],
]);

/**
 * Columns that only headquarters has: whose share of the evidence a file takes, and of a session whether
 * it waits for a second factor, and the token of the provider of identities.
 */
const OF_HEADQUARTERS = new Map([
  ['evidence_files', ['instance?']],
  ['sessions', ['id_token?', 'waits']],
]);

/** Column names, those that may be null with a question mark, in one order. */
type Columns = string[];
const columnsOf = (columns: readonly { name: string; notNull: boolean }[]): Columns =>
  columns.map(({ name, notNull }) => (notNull ? name : `${name}?`)).sort();

const describedSite = new Map<string, Columns>();
for (const table of Object.values<unknown>(siteSchema)) {
  if (is(table, SQLiteTable))
    describedSite.set(sqliteTableConfig(table).name, columnsOf(sqliteTableConfig(table).columns));
}
const describedHub = new Map<string, Columns>();
for (const table of Object.values<unknown>(hubSchema)) {
  if (is(table, PgTable))
    describedHub.set(pgTableConfig(table).name, columnsOf(pgTableConfig(table).columns));
}

describe('the drizzle schemas', () => {
  const both = [...describedSite.keys()].filter((name) => describedHub.has(name)).sort();

  test('share the tables that the core needs', () => {
    expect(both).toEqual(expect.arrayContaining(SHARED));
  });

  test.each(both)('%s has the same columns at a site and at headquarters', (name) => {
    const own = OF_A_SITE.get(name) ?? [];
    const site = describedSite.get(name) ?? [];
    expect(site).toEqual(expect.arrayContaining(own));
    const shared = site.filter((column) => !own.includes(column));
    expect(describedHub.get(name)).toEqual([...shared, ...(OF_HEADQUARTERS.get(name) ?? [])].sort());
  });
});
