import type { KnowledgeKind } from '../../common/core/timeline/record.ts';
import type { SecurityLevel } from '../../common/policy/level.ts';

/** One section of a body (DESIGN.md, "Knowledge"). Times in it are RFC 3339, as everything in a body. */
export interface KnowledgeSection {
  title?: string;
  text: string;
  /** People may revise it. */
  editable?: 'human';
  revisedBy?: string;
  revisedAt?: string;
}

/** Sections by name; further members are kept as they came. */
export interface KnowledgeBody {
  sections: Record<string, KnowledgeSection>;
  [member: string]: unknown;
}

/** A knowledge object (spec 3). Times are epoch milliseconds. */
export interface KnowledgeRecord {
  id: number;
  tenantCode: string;
  srcSystem: string;
  srcPk: string;
  title: string;
  kind: KnowledgeKind;
  sourceRef: Record<string, unknown>;
  securityLevel: SecurityLevel;
  /** 1 at first; each revision raises it by 1. */
  version: number;
  validUntil: number | null;
  body: KnowledgeBody;
  machineGenerated: boolean;
  createdBy: string;
  createdAt: number;
  updatedAt: number;
}

/** Without its body. */
export type KnowledgeMeta = Omit<KnowledgeRecord, 'body'>;

export interface StoreKnowledge extends Omit<KnowledgeRecord, 'id' | 'version' | 'createdAt' | 'updatedAt'> {
  actor: string;
  /** The account whose clearance limits what it learns of what is there already; null: nothing does. */
  account: string | null;
}

export interface ReviseKnowledge {
  id: number;
  tenantCode: string;
  sections: Readonly<Record<string, string>>;
  by: string;
  note: string | null;
  expectedVersion: number | null;
  actor: string;
  account: string | null;
}

export interface KnowledgeRevision {
  version: number;
  body: KnowledgeBody;
  /** Names of the sections that this revision changed; none for the first version. */
  changed: string[];
  by: string;
  note: string | null;
  at: number;
}

export type StoreOutcome =
  | { kind: 'stored'; knowledge: KnowledgeRecord }
  /** The key is known; `same` says whether what came equals what was first stored. Nothing was changed. */
  | { kind: 'known'; knowledge: KnowledgeRecord; same: boolean }
  /** The key is known, above the clearance of the account. */
  | { kind: 'hidden' };

export type ReviseOutcome =
  | { kind: 'revised'; knowledge: KnowledgeRecord; changed: string[] }
  | { kind: 'unchanged'; knowledge: KnowledgeRecord }
  | { kind: 'stale'; knowledge: KnowledgeRecord }
  /** Sections that are not there, or not for people; nothing was changed. */
  | { kind: 'not_editable'; sections: { name: string; exists: boolean }[] }
  | { kind: 'none' };
