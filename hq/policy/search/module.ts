import type { Clock } from '../../../common/clock.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import type { AuditPort } from '../../../common/core/audit/port.ts';
import { ModelBudget } from '../../../common/core/model-call/budget.ts';
import type { ModelCallPort } from '../../../common/core/model-call/port.ts';
import type { Route } from '../../../common/http/route.ts';
import type { Logger } from '../../../common/log.ts';
import type { Metric } from '../../../common/metrics.ts';
import { SynonymTables } from '../../../common/policy/search/synonym-tables.ts';
import { EmbedClient, type EmbedOptions } from '../embed/client.ts';
import { EmbeddingFiller } from '../embed/filler.ts';
import type { EmbeddingLease } from '../embed/port.ts';
import { IndexKeeper } from '../index/keeper.ts';
import { openQuestionRoutes } from '../open-question/routes.ts';
import { wrongAnswerRoutes } from '../open-question/wrong-answers.ts';
import type { Origins } from '../origin.ts';
import type { PolicyStore } from '../port.ts';
import { synonymRoutes } from '../synonyms/routes.ts';
import type { CitationPort } from '../verify/port.ts';
import { verifyRoutes } from '../verify/routes.ts';
import { indexRoutes, searchRoutes } from './routes.ts';
import { SearchService } from './service.ts';

export interface PolicySearchOptions {
  store: Pick<PolicyStore, 'contents' | 'documents' | 'synonyms' | 'questions' | 'qaLog'> & {
    citations: CitationPort;
    embeddingLease: EmbeddingLease;
  };
  alarms: AlarmPort;
  audit: AuditPort;
  origins: Origins;
  databaseUrl: string;
  directory: string;
  logLevel: string;
  instance: string;
  embed: EmbedOptions | null;
  /** Most calls to the embedding service for a tenant a day. */
  embedCallsPerDay: number;
  modelCalls: ModelCallPort;
  clock: Clock;
  log: Logger;
}

export interface PolicySearch {
  routes: Route[];
  metrics: Metric[];
  /** Clauses in force about something, of the lowest level: whoever is of the tenant may read them. */
  excerpts(tenantCode: string, about: string): Promise<string[]>;
  start(): void;
  stop(): Promise<void>;
}

/** Search, citation check and the vectors for both, over the store of the policy library. */
export function createPolicySearch(options: PolicySearchOptions): PolicySearch {
  const { store, origins, clock, log, alarms, instance, databaseUrl, directory, logLevel } = options;
  const index = new IndexKeeper({
    ...{ databaseUrl, directory, logLevel, log, clock, alarms, instance },
    head: () => store.contents.head(),
  });
  const embedder = options.embed ? new EmbedClient(options.embed) : null;
  const budget = new ModelBudget({
    ...{ kind: 'embedding', most: options.embedCallsPerDay, calls: options.modelCalls },
    ...{ alarms, instance, clock },
  });
  const filler = embedder
    ? new EmbeddingFiller({
        embedder,
        budget,
        contents: store.contents,
        documents: store.documents,
        lease: store.embeddingLease,
        alarms,
        instance,
        clock,
        log,
        onStored: () => index.loop.kick(),
      })
    : null;
  const synonyms = new SynonymTables(store.synonyms);
  const { contents, questions } = store;
  const service = new SearchService({ index, contents, questions, synonyms, embedder, budget, clock, log });
  return {
    routes: [
      ...searchRoutes(service, origins),
      ...synonymRoutes(store.synonyms, origins, clock),
      ...openQuestionRoutes(store.questions, origins, clock),
      ...wrongAnswerRoutes({ answers: store.qaLog, search: service, origins, clock }),
      ...verifyRoutes(store.citations, origins, clock),
      ...indexRoutes(index, options.audit, clock),
    ],
    metrics: metricsOf(index, filler),
    excerpts: (tenantCode, about) => service.excerpts(tenantCode, about),
    start: () => {
      index.loop.start();
      filler?.start();
    },
    stop: async () => {
      await filler?.stop();
      await index.stop();
      embedder?.close();
    },
  };
}

function metricsOf(index: IndexKeeper, filler: EmbeddingFiller | null): Metric[] {
  const gauge = (name: string, help: string, read: Metric['read']): Metric => ({
    name: `fieldline_policy_index_${name}`,
    help,
    type: 'gauge',
    read,
  });
  return [
    gauge('ready', 'Whether the search index of this process can be used', async () =>
      (await index.status()).state === 'ready' ? 1 : 0,
    ),
    gauge(
      'chunks',
      'Chunks in the search index of this process',
      async () => (await index.status()).facts?.chunks ?? 0,
    ),
    gauge(
      'bytes',
      'Size of the search index of this process',
      async () => (await index.status()).facts?.bytes ?? 0,
    ),
    {
      name: 'fieldline_policy_embeddings_total',
      help: 'Vectors of chunks that this process had computed',
      type: 'counter',
      read: () => filler?.stored ?? 0,
    },
  ];
}
