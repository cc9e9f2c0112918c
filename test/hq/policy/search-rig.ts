// A policy library on a database of its own, with its search index in a thread and a clock that the test
// sets.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { ModelBudget } from '../../../common/core/model-call/budget.ts';
import { silentLogger } from '../../../common/log.ts';
import type { IndexSource } from '../../../common/policy/index/change.ts';
import type { SearchInput, SearchView } from '../../../common/policy/search/schema.ts';
import { SynonymTables } from '../../../common/policy/search/synonym-tables.ts';
import type { EmbedClient } from '../../../hq/policy/embed/client.ts';
import { IndexKeeper, type IndexKeeperOptions } from '../../../hq/policy/index/keeper.ts';
import { SearchService } from '../../../hq/policy/search/service.ts';
import { HubIndexSource } from '../../../hq/policy/store/index-source.ts';
import { Database } from '../../../hq/store/engine/database.ts';
import { type HubStore, openHubStore } from '../../../hq/stores.ts';
import { TestClock } from '../../support/clock.ts';
import { clientOf, createHubDatabase } from '../../support/postgres.ts';

export interface PolicyRig {
  clock: TestClock;
  store: HubStore;
  client: pg.Client;
  /** Of its database. */
  url: string;
  dir: string;
  /** What an index reads, for one without a thread. */
  source: IndexSource;
  /** One more index on the database, as another hub process has; in the same directory unless given. */
  index(over?: Partial<IndexKeeperOptions>): IndexKeeper;
  ask(
    index: IndexKeeper,
    query: Partial<SearchInput> & { query: string },
    /** `most`: calls to the embedding service a day. */
    sight?: { tenantCode?: string; maxRank?: number; most?: number },
    embedder?: EmbedClient | null,
  ): Promise<SearchView>;
  close(): Promise<void>;
}

export async function openPolicyRig(): Promise<PolicyRig> {
  const clock = new TestClock();
  const database = await createHubDatabase();
  const dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-policy-'));
  const store = await openHubStore({ url: database.url, clock, log: silentLogger() });
  const reading = new Database({ url: database.url, log: silentLogger(), poolSize: 1 });
  const client = clientOf(database.url);
  await client.connect();
  const opened: IndexKeeper[] = [];
  return {
    clock,
    store,
    client,
    url: database.url,
    dir,
    source: new HubIndexSource(reading),
    index: (over = {}) => {
      const index = new IndexKeeper({
        databaseUrl: database.url,
        directory: dir,
        logLevel: 'silent',
        log: silentLogger(),
        clock,
        alarms: store.alarms,
        instance: 'hq',
        head: () => store.policy.contents.head(),
        // No test is about how fast a machine makes an index.
        waitMs: 120_000,
        ...over,
      });
      opened.push(index);
      return index;
    },
    ask: (index, query, { tenantCode = 'acme', maxRank = 1, most = 1_000_000 } = {}, embedder = null) => {
      const service = new SearchService({
        index,
        contents: store.policy.contents,
        synonyms: new SynonymTables(store.policy.synonyms),
        questions: store.policy.questions,
        embedder,
        budget: new ModelBudget({
          ...{ kind: 'embedding', most, calls: store.modelCalls, alarms: store.alarms },
          ...{ instance: 'hq', clock },
        }),
        clock,
        log: silentLogger(),
      });
      return service.search(
        { top_k: 20, auto_embed: true, explain: false, ...query },
        { tenantCode, maxRank },
      );
    },
    close: async () => {
      for (const index of opened) await index.stop();
      await client.end();
      await reading.close();
      await store.close();
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
