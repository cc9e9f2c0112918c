// Damage that PostgreSQL meets is told to a person, whoever asked for the row and whatever was made of it.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../../common/clock.ts';
import { Damage } from '../../../hq/store/engine/damage.ts';
import { asStartError } from '../../../hq/store/engine/errors.ts';
import { startHubHere } from '../../support/in-process.ts';
import { clientOf, createHubDatabase } from '../../support/postgres.ts';
import { Scene } from '../../support/process.ts';
import { type Answer, jsonOf, until } from '../../support/request.ts';

let scene: Scene;
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.close());

const failing = (state: string, message: string): string =>
  `do $$ begin raise exception '${message}' using errcode = '${state}'; end $$`;

test('an alarm names it, also where the error itself was caught', async () => {
  const { hub, call } = await startHubHere(scene);
  const page = 'invalid page in block 7 of relation base/5/16384';
  await hub.store.pool.query(failing('XX001', page)).catch(() => undefined);
  const alarm = await until('the alarm stands', async () => {
    const { items } = jsonOf<{ items: { key: string }[] }>(await call('GET', '/api/core/alarms'));
    return items.find(({ key }) => key === 'database_damaged');
  });
  expect(alarm).toMatchObject({
    severity: 'critical',
    message: expect.stringContaining(page) as string,
    messageZh: expect.stringContaining(page) as string,
  });
});

test('what is heard: each fault once, until it is forgotten, and no error of another kind', () => {
  const damage = new Damage();
  const told: string[] = [];
  damage.onFault((fault) => told.push(fault));
  const hear = (code: string, message: string): void =>
    damage.hear(Object.assign(new Error(message), { code }));
  hear('23505', 'duplicate key');
  hear('XX000', 'tuple concurrently updated');
  hear('XX000', 'invalid memory alloc request size 18446744073709551613');
  hear('XX002', 'index');
  hear('XX002', 'index');
  expect(told).toEqual(['invalid memory alloc request size 18446744073709551613', 'index']);
  damage.forget();
  hear('XX002', 'index');
  expect(told).toHaveLength(3);
});

test('all small tables are read, past one that cannot be', async () => {
  const { hub } = await startHubHere(scene);
  const read: string[] = [];
  const { pool } = hub.store;
  const query = pool.query.bind(pool) as (text: string, values?: unknown[]) => Promise<unknown>;
  pool.query = ((text: string, values?: unknown[]) => {
    const table = /count\(\*\) from \w+\.(\w+)/.exec(text)?.[1];
    if (table) read.push(table);
    if (table !== 'audit') return query(text, values);
    return Promise.reject(Object.assign(new Error('could not open file'), { code: '58P01' }));
  }) as typeof pool.query;
  await hub.store.readTables();
  expect(read).toEqual(expect.arrayContaining(['alarms', 'audit', 'users', 'verdicts']));
});

/** Each reading of the rules comes upon a page that is none. */
const DAMAGED_RULES = `
  alter table rules rename to rules_whole;
  create function page_of_rules() returns boolean language plpgsql as
    $$ begin raise exception 'invalid page in block 0 of relation "base/5/17370"' using errcode = 'XX001'; end $$;
  create view rules as select * from rules_whole where page_of_rules();`;

test('headquarters starts although its rules cannot be read, and has them again once they can', async () => {
  const database = await createHubDatabase();
  scene.onClose(() => database.drop());
  const client = clientOf(database.url);
  await client.connect();
  await client.query(DAMAGED_RULES);
  await client.query(`insert into rules_whole (tenant_code, kind, name, version, body, "by", created_at, deleted)
    values ('acme', 'response', 'all', 1, '{"priority":1,"enabled":true,"match":{},"action":{"kind":"review"}}',
      'li', 1, false)`);
  const { call } = await startHubHere(scene, systemClock, { DATABASE_URL: database.url });
  const standing = async (): Promise<string[]> =>
    jsonOf<{ items: { key: string }[] }>(await call('GET', '/api/core/alarms')).items.map(({ key }) => key);
  await until('both alarms stand', async () => {
    const keys = await standing();
    return keys.includes('rules_unreadable') && keys.includes('database_damaged');
  });
  const inForce = async () =>
    jsonOf<{ items: object[]; unread: boolean }>(await call('GET', '/api/agent/rules'));
  expect(await inForce()).toMatchObject({ items: [], unread: true });
  const event = { idempotency_key: 'k', type: 'fire.smoke' };
  const body = { tenant_code: 'acme', event };
  expect(jsonOf(await call('POST', '/api/agent/rules/explain', body))).toMatchObject({
    choice: { ruleName: null, rulesUnread: true },
    note: expect.stringContaining('cannot be read') as string,
  });

  // Who asks for the rows themselves is told what is wrong, and where that is said.
  const told = { status: 503, error: 'store_damaged', alarm: true, zh: true, retryAfter: '60' };
  const said = ({ status, headers, text }: Answer) => {
    const { error, message, messageZh } = JSON.parse(text) as Record<string, string>;
    const [alarm, zh] = [message?.includes('database_damaged'), messageZh?.includes('已损坏')];
    return { status, error, alarm, zh, retryAfter: headers['retry-after'] };
  };
  const rule = { tenant_code: 'acme', kind: 'response', name: 'all', body: { action: { kind: 'review' } } };
  expect(said(await call('GET', '/api/core/objects/rules?tenant_code=acme'))).toEqual(told);
  expect(said(await call('POST', '/api/core/objects/rules', rule))).toEqual(told);

  await client.query('drop view rules; alter table rules_whole rename to rules');
  await client.end();
  await until('the rules are there', async () => !(await standing()).includes('rules_unreadable'));
  expect(await inForce()).toMatchObject({ items: [{ name: 'all' }], unread: false });
});

test('what the start cannot read is one sentence', () => {
  const page = Object.assign(new Error('invalid page in block 0 of relation "base/1/2"'), { code: 'XX001' });
  expect(asStartError(page)).toMatchObject({
    forPeople: true,
    message: expect.stringMatching(
      /cannot read a part .*invalid page in block 0.*restore a backup/,
    ) as string,
  });
});
