import type { Stamp } from '../../common/clock.ts';
import type { KnowledgeCounts } from '../../common/core/stats/port.ts';
import type { TimelineKnowledge } from '../../common/core/timeline/port.ts';
import type { KnowledgeKind } from '../../common/core/timeline/record.ts';
import type {
  KnowledgeMeta,
  KnowledgeRecord,
  KnowledgeRevision,
  ReviseKnowledge,
  ReviseOutcome,
  StoreKnowledge,
  StoreOutcome,
} from './record.ts';

export interface KnowledgeFilter {
  /** null: all tenants. */
  tenantCode: string | null;
  /** The account whose clearance limits what is seen; null: everything is. */
  account: string | null;
  kind?: KnowledgeKind;
  excludeKinds?: readonly KnowledgeKind[];
  srcSystem?: string;
  srcPk?: string;
  ref?: { key: string; value: string };
  /** Stored in [since, until), epoch ms. */
  since?: number;
  until?: number;
}

export interface KnowledgePage {
  limit: number;
  offset: number;
}

/** Objects above the clearance of the account that asks are none: not found, listed or counted. */
export interface KnowledgePort extends TimelineKnowledge, KnowledgeCounts {
  /** Once per source system and key; repeating changes nothing. */
  store(command: StoreKnowledge, stamp: Stamp): Promise<StoreOutcome>;
  revise(command: ReviseKnowledge, stamp: Stamp): Promise<ReviseOutcome>;
  get(id: number, tenantCode: string, account: string | null): Promise<KnowledgeRecord | null>;
  /** Stored time descending, then id descending. */
  list(filter: KnowledgeFilter, page: KnowledgePage): Promise<KnowledgeRecord[]>;
  listMeta(filter: KnowledgeFilter, page: KnowledgePage): Promise<KnowledgeMeta[]>;
  /** Newest version first. */
  history(id: number, tenantCode: string, limit: number): Promise<KnowledgeRevision[]>;
  /** Objects by kind, over all tenants. */
  counts(): Promise<{ kind: KnowledgeKind; count: number }[]>;
}
