// A hub that is killed again and again while it pulls: each row is processed once.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { DATASET_KILLS } from '../support/campaign.ts';
import { DatasetSource, MODEL_FIELDS } from '../support/dataset-source.ts';
import { clientOf, createHubDatabase } from '../support/postgres.ts';
import { freePort, Program, Scene } from '../support/process.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';

const FIRST = 40;
/** Enough for each kill to come in the middle. */
const ROWS = 600 + 200 * DATASET_KILLS;

let scene: Scene;
afterEach(() => scene.close());

interface State {
  datasets: { completedAt: string | null; changedTotal: number; lastError: string | null }[];
}

test(
  `a hub killed ${DATASET_KILLS} times between pages loses nothing and tells nothing twice`,
  { timeout: 120_000 + DATASET_KILLS * 60_000 },
  async () => {
    scene = new Scene();
    const database = await createHubDatabase();
    scene.onClose(() => database.drop());
    const source = await new DatasetSource({ ncrs: MODEL_FIELDS.ncrs ?? {} }).open();
    scene.onClose(() => source.close());
    const ncr = (pk: number) =>
      source.put('ncrs', pk, { project_id: 1, code: `N${pk}`, title: '', level: 1, closed: false });
    for (let pk = 1; pk <= FIRST; pk += 1) ncr(pk);
    const dataDir = path.join(scene.dir, 'hq');
    mkdirSync(dataDir);
    const env = { DATABASE_URL: database.url, CORE_DATASET_NETWORKS: '127.0.0.0/8' };
    const hub = new Program({ main: 'hq/main.ts', dataDir, port: await freePort(), env });
    scene.onClose(() => hub.kill());
    await hub.start();
    expectStatus(
      await hub.api('PUT', '/api/core/secrets/erp', {
        tenant_code: 'acme',
        use: 'dataset',
        host: new URL(source.url).host,
        secret: 'x',
      }),
      201,
    );
    const { id } = jsonOf<{ id: string }>(
      expectStatus(
        await hub.api('POST', '/api/dataset/sources', {
          tenant_code: 'acme',
          name: 'erp',
          base_url: source.url,
          key_id: 'k',
          secret_ref: 'erp',
          schedule: '* * * * * *',
          page_rows: 10,
          datasets: [{ dataset: 'ncrs', processor: 'ncrs' }],
        }),
        201,
      ),
    );
    const state = async () =>
      jsonOf<State>(expectStatus(await hub.api('GET', `/api/dataset/sources/${id}`), 200)).datasets[0];
    await until('the first pull is complete', async () => (await state())?.completedAt ?? null);

    for (let pk = FIRST + 1; pk <= ROWS; pk += 1) ncr(pk);
    const client = clientOf(database.url);
    await client.connect();
    scene.onClose(() => client.end());
    for (let kill = 1; kill <= DATASET_KILLS; kill += 1) {
      const from = source.calls;
      await until('pages are pulled', () => Promise.resolve(source.calls >= from + 7));
      await hub.kill();
      // What a killed process holds would stand until its lease runs out.
      await client.query('update dataset_sources set leased_until = 0');
      await hub.start();
    }
    await until('every row has landed', async () => (await state())?.changedTotal === ROWS);
    const {
      rows: [told],
    } = await client.query<{ all: string; once: string }>(
      `select count(*) as all, count(distinct body::json ->> 'ncr_id') as once from business_events ` +
        `where event = 'ncr.created'`,
    );
    expect([Number(told?.all), Number(told?.once)]).toEqual([ROWS - FIRST, ROWS - FIRST]);
  },
);
