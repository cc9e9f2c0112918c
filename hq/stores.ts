// The stores of the core and of each module of headquarters, over one database.
import type pg from 'pg';
import type { Stores } from '../common/core/stores.ts';
import type { UserPort } from './auth/port.ts';
import { createUsers } from './auth/store/user.ts';
import type { PullPort, SourcePort } from './dataset/port.ts';
import { createPulls } from './dataset/store/pull.ts';
import { createServedCounts, type ServedCounts } from './dataset/store/served-counts.ts';
import { createServed, type ServedStore } from './dataset/store/served-dataset.ts';
import { createSources } from './dataset/store/source.ts';
import type { WantPort } from './evidence/port.ts';
import { createWants } from './evidence/store/wants.ts';
import type { IntegrationStore } from './integration/port.ts';
import { emitHazardOfTask } from './integration/store/hazard-from-task.ts';
import { createIntegrationStore } from './integration/store/integration.ts';
import type { KnowledgePort } from './knowledge/port.ts';
import { createKnowledge } from './knowledge/store/knowledge.ts';
import type { EmbeddingLease } from './policy/embed/port.ts';
import type { PolicyStore } from './policy/port.ts';
import { createCitations } from './policy/store/citation.ts';
import { createEmbeddingLease } from './policy/store/embedding.ts';
import { createPolicy } from './policy/store/policy.ts';
import type { CitationPort } from './policy/verify/port.ts';
import type { ReceiverPort } from './receiver/port.ts';
import { createReceiver } from './receiver/store/receiver.ts';
import type { EventIndex } from './store/event-index/event-index.ts';
import { openCoreStore, type HubStoreOptions } from './store/open.ts';

export interface HubStore extends Stores {
  receiver: ReceiverPort;
  evidenceWants: WantPort;
  users: UserPort;
  datasetSources: SourcePort;
  datasetPulls: PullPort;
  integration: IntegrationStore;
  served: ServedStore;
  /** Its rounds are for the program to run. */
  servedCounts: ServedCounts;
  knowledge: KnowledgePort;
  policy: PolicyStore & { citations: CitationPort; embeddingLease: EmbeddingLease };
  /** Its rounds are for the program to run. */
  eventIndex: EventIndex;
  pool: pg.Pool;
}

/**
 * Opens every store of the hub.
 * @throws MigrationError when database and program do not go together, DatabaseUnusable
 */
export async function openHubStore(options: HubStoreOptions): Promise<HubStore> {
  const { clock, log, url } = options;
  const { database, storeEpoch, ...core } = await openCoreStore(options, emitHazardOfTask);
  return {
    ...core,
    receiver: createReceiver(database, { clock, log, epoch: storeEpoch }),
    evidenceWants: createWants(database),
    users: createUsers(database, clock),
    datasetSources: createSources(database),
    datasetPulls: createPulls(database),
    integration: createIntegrationStore(database, url, log),
    served: createServed(database),
    servedCounts: createServedCounts(database),
    knowledge: createKnowledge(database),
    policy: {
      ...createPolicy(database),
      citations: createCitations(database),
      embeddingLease: createEmbeddingLease(database),
    },
    pool: database.pool,
  };
}
