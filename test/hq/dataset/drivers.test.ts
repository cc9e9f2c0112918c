// A business system on the module that serves datasets, with rows as the driver of its database gives them.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import type { FieldType, GivenRow } from '../../../common/dataset/schema.ts';
import { serveDatasets } from '../../../common/dataset/serve.ts';
import type { Source } from '../../../hq/dataset/record.ts';
import { clientOf, createHubDatabase } from '../../support/postgres.ts';
import { openPullRig, type PullRig } from './rig.ts';

const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const FIELDS: Record<string, Record<string, FieldType>> = {
  projects: { code: 'string', name: 'string', status: 'integer', health_score: 'integer' },
  wbs_nodes: {
    project_id: 'integer',
    parent_id: 'integer',
    plan_progress: 'decimal',
    actual_progress: 'decimal',
    seen: 'time',
  },
};
const TABLES = `
  create table erp_projects (id bigint, code text, name text, status bigint, health_score bigint);
  create table erp_wbs_nodes (id bigint, project_id bigint, parent_id bigint, plan_progress numeric,
    actual_progress numeric, seen timestamptz);
  insert into erp_projects values (1, 'P-1', 'Tower', 2, null);
  insert into erp_wbs_nodes values
    (1, 1, null, 12.50, 0.1234567890123456789, '2026-03-01 08:00:00.25+08'),
    (2, 1, 9223372036854775807, 33.335, 0, null)`;

interface System {
  rig: PullRig;
  client: pg.Client;
  source: Source;
  errors: string[];
  spoil: { row: (row: GivenRow) => GivenRow };
}

async function open(): Promise<System> {
  const rig = await openPullRig();
  closing.push(() => rig.close());
  const database = await createHubDatabase();
  const client = clientOf(database.url);
  await client.connect();
  closing.push(() => client.end());
  await client.query(TABLES);
  const [errors, spoil] = [[] as string[], { row: (row: GivenRow) => row }];
  const server = http.createServer(
    serveDatasets({
      datasets: Object.entries(FIELDS).map(([key, fields]) => ({
        descriptor: {
          key,
          schemaVersion: '1',
          granularity: 'a row',
          updateFrequency: 'always',
          earliest: null,
          fields: Object.entries(fields).map(([name, type]) => ({ name, type, measure: null })),
        },
        rows: async ({ after }) => {
          if (after) return [];
          const { rows } = await client.query<{ id: string }>(`select * from erp_${key} order by id`);
          return rows.map(({ id, ...fields }) =>
            spoil.row({ pk: id, updated_at: '2026-03-01T08:00:00.000001Z', deleted: false, ...fields }),
          );
        },
      })),
      key: () => ({ secrets: ['x'], tenant: 'acme' }),
      onError: (error) => void errors.push(String(error)),
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  closing.push(() => server.closeAllConnections());
  rig.clock.advance(Date.now() - rig.clock.now());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { rig, client, source: await rig.join({ url, fields: FIELDS }), errors, spoil };
}

test('values of Postgres land as they are, decimals to the last digit', async () => {
  const { rig, source, errors } = await open();
  expect([(await rig.pull(source)).lastError, errors]).toEqual([null, []]);
  expect(await rig.landed(source, 'wbs_nodes')).toEqual([
    expect.objectContaining({
      pk: '1',
      project_id: 1,
      plan_progress: 12.5,
      actual_progress: '0.1234567890123456789',
      seen: '2026-03-01T00:00:00.250Z',
    }),
    expect.objectContaining({ parent_id: '9223372036854775807', plan_progress: 33.335, seen: null }),
  ]);
  expect(await rig.query('select plan::text, actual::text from wbs_nodes order by node_id')).toEqual([
    { plan: '12.5', actual: '0.1234567890123456789' },
    { plan: '33.335', actual: '0' },
  ]);
  // (12.50 + 33.335) / 2 is 22.9175: no double is rounded on the way.
  expect(await rig.snapshot('acme', 'P-1')).toMatchObject({ planProgress: 22.92, actualProgress: 0.06 });
});

test.each<[string, unknown, string]>([
  [
    'a word for a number',
    'much',
    'The field plan_progress of row 2 (pk 2) is not of the declared type decimal',
  ],
  ['what is no number', 'NaN', 'The field plan_progress of row 2 (pk 2) is not of the declared type decimal'],
])('%s is named by the module, and told at headquarters', async (_what, value, told) => {
  const { rig, source, errors, spoil } = await open();
  spoil.row = (row) => ('plan_progress' in row && row.pk === '2' ? { ...row, plan_progress: value } : row);
  expect((await rig.pull(source)).lastError).toContain(told);
  expect(errors).toEqual([
    expect.stringMatching(/Row 2 of the dataset wbs_nodes \(pk 2\): the field plan_progress is no decimal/),
  ]);
  expect(await rig.alarms()).toEqual([expect.stringContaining(told)]);
  expect(rig.puller.counts.refused).toBe(1);
  // The other dataset is there, and this one too as soon as its row is right.
  expect(await rig.landed(source, 'projects')).toHaveLength(1);
  spoil.row = (row) => row;
  expect([(await rig.pull(source)).lastError, await rig.alarms()]).toEqual([null, []]);
  expect(await rig.landed(source, 'wbs_nodes')).toHaveLength(2);
});

test('a field that is not declared is named likewise', async () => {
  const { rig, source, errors, spoil } = await open();
  spoil.row = (row) => ({ ...row, salary: 1 });
  expect((await rig.pull(source)).lastError).toContain('The field salary of row 1 (pk 1) is not declared');
  expect(errors.join()).toContain('the field salary is not declared');
});
