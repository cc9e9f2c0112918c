// That the tables of headquarters can be divided by tenant: every unique key begins with the tenant, and so
// does every join of two tables that have one. What stands apart is named here, with its reason.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import * as schema from '../../../hq/tables.ts';
import { listFiles, ROOT } from '../../support/sources.ts';

/** Tables of no tenant. They are small: each machine of a divided database has them whole. */
const OF_ALL = new Set([
  // By the site, which may bring events of several tenants.
  ...['evidence_sites', 'joining_codes', 'notification_sites', 'site_hours', 'sites', 'sources'],
  // Of the installation as a whole, or by the site.
  ...['releases', 'release_packages', 'rollouts', 'rollout_sites'],
  // By who calls, before it is known for whom.
  ...['admin_keys', 'login_attempts', 'open_failures', 'push_states', 'retried_requests', 'served_calls'],
  // By the alarm or the call, which may be of no tenant.
  ...['alarm_notices', 'duty_call_events', 'duty_sendings'],
  // By the user, whose name is of no tenant.
  ...['duty_people', 'duty_devices', 'passkeys', 'recovery_codes', 'totp_factors'],
  // By the browser, whose user is not known yet.
  ...['passkey_challenges', 'sign_ins'],
  // One row for the whole store, or one for each thing that goes on in it.
  ...[
    'agent_states',
    'counters',
    'duty_cursor',
    'event_index_progress',
    'kb_embedding',
    'retention',
    'served_progress',
  ],
  'store_facts',
]);

/** Unique keys of tables with a tenant that do not begin with it. */
const OTHER_KEYS: Record<string, string> = {
  'alarms: instance, key': 'an alarm may be of the store as a whole, and of no tenant',
  'audit: at, id': 'what is done to the store as a whole is of no tenant',
  'duty_calls: id': 'a call may be of the store as a whole, and of no tenant',
  'duty_calls: instance, alarm_key, at': 'an alarm may be of the store as a whole, and of no tenant',
  'duty_rotas: id': 'a rota may be of the operators, and of no tenant',
  'evidence_wants: id': 'a site brings the pieces of a file by this name alone',
  'keys: key_id': 'a caller is looked up before it is known whose it is',
  'sessions: id': 'a caller is looked up before it is known whose it is',
  'subscriptions: consumer': 'the consumer of an operator reads all tenants',
  'users: issuer, subject': 'whom the provider of identities means, it says of no tenant',
  'users: name': 'who logs in names no tenant',
};

/** Files with a join that is not by the tenant. */
const OTHER_JOINS: Record<string, string> = {
  'hq/duty/store/call.ts': 'the event names its call',
  'hq/duty/store/duty.ts': 'the event names its call',
  'hq/duty/store/person.ts': 'users and what they chose are of no tenant',
  'hq/duty/store/sending.ts': 'what was sent of a call, which may be of no tenant',
  'hq/fleet/store/release.ts': 'a release is of no tenant',
  'hq/fleet/store/rollout.ts': 'the sites of a rollout are of no tenant',
};

const tables = Object.values<unknown>(schema)
  .filter((table) => is(table, PgTable))
  .map((table) => getTableConfig(table));
const ofTenant = new Set(
  tables.filter(({ columns }) => columns.some(({ name }) => name === 'tenant_code')).map(({ name }) => name),
);

const keysOf = ({ name, ...table }: (typeof tables)[number]): { key: string; first: string }[] =>
  [
    ...table.columns.filter(({ primary }) => primary).map((column) => [column.name]),
    ...table.primaryKeys.map(({ columns }) => columns.map((column) => column.name)),
    ...table.uniqueConstraints.map(({ columns }) => columns.map((column) => column.name)),
    ...table.indexes
      .filter(({ config }) => config.unique)
      .map(({ config }) => config.columns.map((column) => ('name' in column ? String(column.name) : '(…)'))),
  ].map((columns) => ({ key: `${name}: ${columns.join(', ')}`, first: columns[0] ?? '' }));

test('every table has a tenant but for those that are of all', () => {
  expect(tables.map(({ name }) => name).filter((name) => !ofTenant.has(name) && !OF_ALL.has(name))).toEqual(
    [],
  );
  expect(
    [...OF_ALL].filter((name) => ofTenant.has(name) || !tables.some((one) => one.name === name)),
  ).toEqual([]);
});

test('every unique key begins with the tenant but for those that cannot', () => {
  const others = tables
    .filter(({ name }) => ofTenant.has(name))
    .flatMap(keysOf)
    .filter(({ first }) => first !== 'tenant_code');
  expect(others.map(({ key }) => key).sort()).toEqual(Object.keys(OTHER_KEYS).sort());
});

test('every foreign key begins with the tenant at both ends', () => {
  const references = tables.flatMap(({ name, foreignKeys }) =>
    foreignKeys.map((key) => {
      const { columns, foreignColumns } = key.reference();
      return [name, columns[0]?.name, foreignColumns[0]?.name];
    }),
  );
  expect(references.filter(([, from, to]) => from !== 'tenant_code' || to !== 'tenant_code')).toEqual([]);
  expect(references.length).toBeGreaterThan(0);
});

const END = /\b(?:left join|join|where|group by|order by|limit|for update|union|returning)\b|`|'$|$(?![^])/m;

/** Joins in SQL and in drizzle. Of a lateral one the condition is inside, and not seen. */
function* joinsIn(text: string): Generator<{ table: string; condition: string; at: number }> {
  for (const found of text.matchAll(/\bjoin\s+(\w+)(?:\s+(?:as\s+)?\w+)?\s+(?:on|using)\b/g)) {
    const rest = text.slice(found.index + found[0].length);
    yield { table: found[1] ?? '', condition: rest.slice(0, rest.search(END)), at: found.index };
  }
  for (const found of text.matchAll(/\.(?:inner|left)Join\(\s*\w+,([^;]*?)\)\s*\n?\s*[.;,]/g))
    yield { table: '', condition: found[1] ?? '', at: found.index };
}

test('every join that is written out is by the tenant', () => {
  let joins = 0;
  const without = new Set<string>();
  for (const file of listFiles().filter((name) => /^hq\/(?!console\/).*\.ts$/.test(name))) {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    for (const { table, condition, at } of joinsIn(text)) {
      if (table !== '' && !ofTenant.has(table)) continue;
      joins += 1;
      if (!/tenant_code|tenantCode/.test(condition))
        without.add(file in OTHER_JOINS ? file : `${file}:${text.slice(0, at).split('\n').length}`);
    }
  }
  expect([...without].sort()).toEqual(Object.keys(OTHER_JOINS).sort());
  expect(joins).toBeGreaterThan(20);
});
