// A hub's store and a puller on it, which a test runs by hand; the sources are real HTTP servers.
import type { WireRow } from '../../../common/dataset/schema.ts';
import { silentLogger } from '../../../common/log.ts';
import { SourceReader, type SourceReaderOptions } from '../../../hq/dataset/fetch.ts';
import type { PullPort } from '../../../hq/dataset/port.ts';
import { Puller } from '../../../hq/dataset/puller.ts';
import { type DatasetState, type LandedShare, processors, type Source } from '../../../hq/dataset/record.ts';
import { PullScheduler } from '../../../hq/dataset/scheduler.ts';
import { createHttpClient } from '../../../hq/http-client.ts';
import { sha256 } from '../../../hq/integration/token/service.ts';
import type { ProjectSnapshot } from '../../../hq/project/record.ts';
import { type HubStore, openHubStore } from '../../../hq/stores.ts';
import { TestClock } from '../../support/clock.ts';
import { DatasetSource } from '../../support/dataset-source.ts';
import { clientOf, createHubDatabase, type TestDatabase } from '../../support/postgres.ts';
import { giveSecret, secretResolver } from '../../support/secret-resolver.ts';

export interface PullRig {
  store: HubStore;
  clock: TestClock;
  scheduler: PullScheduler;
  puller: Puller;
  /**
   * A source of the tenant that feeds each dataset of the same name as a processor, other datasets nothing.
   */
  join(
    source: Pick<DatasetSource, 'url' | 'fields'>,
    options?: { tenant?: string; pageRows?: number; overlapMs?: number; name?: string },
  ): Promise<Source>;
  source(fields?: DatasetSource['fields']): Promise<DatasetSource>;
  /** Pulls everything that is enabled, now. @returns the source as it is then */
  pull(source: Source): Promise<Source>;
  /** How long a source is waited for from now on, ms; undefined: as the program does. */
  wait(exchangeMs: number | undefined): void;
  state(source: Source, dataset: string): Promise<DatasetState>;
  landed(source: Source, dataset: string): Promise<WireRow[]>;
  /** What a client of the tenant is told of a project; null for none. */
  snapshot(tenant: string, projectCode: string): Promise<ProjectSnapshot | null>;
  events(tenant?: string): Promise<{ event: string }[]>;
  alarms(): Promise<string[]>;
  query<T extends object>(text: string, values?: unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/**
 * One database for the tests of a worker, since to make one takes longer than most of them; it goes with the
 * server of the run.
 */
let shared: TestDatabase | null = null;

const TABLES =
  'dataset_sources, source_datasets, dataset_rows, projects, wbs_nodes, milestones, ncrs, hazards, ' +
  'milestone_statuses, purchase_orders, business_events, webhooks, open_clients, alarms, audit, secrets';

async function emptied(): Promise<TestDatabase> {
  if (shared === null) return (shared = await createHubDatabase());
  const client = clientOf(shared.url);
  await client.connect();
  await client.query(`truncate ${TABLES} cascade`);
  await client.end();
  return shared;
}

export const BY = (clock: TestClock) => ({
  actor: 'test',
  stamp: { now: clock.now(), newId: () => clock.newId() },
});

/** @param wrap replaces the port that the puller writes through @param most that a tenant may have */
export async function openPullRig({
  wrap = (port) => port,
  most = { rows: 10_000_000, bytes: 10_000_000_000 },
}: { wrap?: (port: PullPort) => PullPort; most?: LandedShare } = {}): Promise<PullRig> {
  const clock = new TestClock();
  const database = await emptied();
  const store = await openHubStore({ url: database.url, clock, log: silentLogger() });
  const client = createHttpClient(null);
  const open: DatasetSource[] = [];
  const port = wrap(store.datasetPulls);
  const reading: SourceReaderOptions = {
    client,
    secretResolver: secretResolver(store),
    clock,
    log: silentLogger(),
  };
  let patient = new SourceReader(reading);
  const reader: Pick<SourceReader, 'descriptors' | 'page'> = {
    descriptors: (source, signal) => patient.descriptors(source, signal),
    page: (source, dataset, cursor, signal) => patient.page(source, dataset, cursor, signal),
  };
  const puller = new Puller({
    port,
    reader,
    alarms: store.alarms,
    clock,
    self: 'hq',
    sleep: () => Promise.resolve(),
    most,
  });
  const scheduler = new PullScheduler({ port, puller, clock, log: silentLogger(), random: () => 0.5 });
  const query = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await store.pool.query<T>(text, values)).rows;
  const get = async ({ id }: Source): Promise<Source> => {
    const found = await store.datasetSources.get(id, null);
    if (!found) throw new Error(`the source ${id} is gone`);
    return found;
  };
  return {
    store,
    clock,
    scheduler,
    puller,
    query,
    wait: (exchangeMs) => void (patient = new SourceReader({ ...reading, exchangeMs })),
    join: async (source, { tenant = 'acme', pageRows = 5_000, overlapMs = 0, name = 'source' } = {}) => {
      const host = new URL(source.url).host;
      const secretRef = `at-${host.replace(':', '-')}`;
      await giveSecret(store, secretRef, 'x', { use: 'dataset', tenantCode: tenant, host });
      return store.datasetSources.create(
        {
          id: clock.newId(),
          tenantCode: tenant,
          name,
          baseUrl: source.url,
          keyId: 'k',
          secretRef,
          schedule: '0 3 * * *',
          enabled: true,
          pageRows,
          overlapMs,
          createdAt: clock.now(),
          updatedAt: clock.now(),
          nextRunAt: clock.now(),
        },
        Object.keys(source.fields).map((dataset) => ({
          dataset,
          processor: processors.find((name) => name === dataset) ?? 'none',
        })),
        BY(clock),
      );
    },
    source: async (fields) => {
      const source = await new DatasetSource(fields).open();
      open.push(source);
      return source;
    },
    pull: async (source) => {
      clock.advance(1_000);
      await store.datasetSources.request(source.id, null, { recompute: null }, BY(clock));
      await scheduler.round();
      await scheduler.settled();
      return get(source);
    },
    state: async (source, dataset) => {
      const found = (await get(source)).datasets.find((one) => one.dataset === dataset);
      if (!found) throw new Error(`there is no dataset ${dataset}`);
      return found;
    },
    landed: async ({ id }, dataset) =>
      (
        await query<{ pk: string; updated_at: string; fields: string }>(
          'select pk, updated_at, fields from dataset_rows where source_id = $1 and dataset = $2 and ' +
            'not deleted order by length(pk), pk',
          [id, dataset],
        )
      ).map(
        ({ pk, updated_at, fields }) =>
          ({ pk, updated_at, deleted: false, ...(JSON.parse(fields) as object) }) as WireRow,
      ),
    snapshot: async (tenantCode, projectCode) => {
      const { clients, tokens, snapshots } = store.integration;
      const [now, id] = [clock.now(), clock.newId()];
      const by = { actor: 'test', now, newId: () => clock.newId() };
      await clients.create(
        {
          tenantCode,
          clientId: id,
          name: 'reader',
          status: 'enabled',
          scopes: [],
          createdAt: now,
          updatedAt: now,
          previousUntil: null,
          lastUsedAt: null,
        },
        sha256(id),
        by,
      );
      await tokens.issue({
        tenantCode,
        clientId: id,
        secretSha256: sha256(id),
        ip: '192.0.2.1',
        unsureIp: false,
        tokenSha256: sha256(id),
        now,
        expiresAt: now + 1_000,
      });
      const outcome = await snapshots.read({ tokenSha256: sha256(id), projectCode, now });
      if (outcome.kind === 'invalid_token' || outcome.kind === 'several_projects')
        throw new Error(outcome.kind);
      return outcome.kind === 'found' ? outcome.project : null;
    },
    events: async (tenant = 'acme') =>
      (
        await query<{ body: string }>(
          'select body from business_events where tenant_code = $1 order by at, id',
          [tenant],
        )
      ).map(({ body }) => JSON.parse(body) as { event: string }),
    alarms: async () =>
      (await store.alarms.list({ tenantCode: null, includeCleared: false }, 100)).map(
        ({ message }) => message,
      ),
    close: async () => {
      await scheduler.stop();
      for (const source of open) await source.close();
      client.close();
      await store.close();
    },
  };
}
