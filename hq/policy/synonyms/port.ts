import type { Stamp } from '../../../common/clock.ts';

/** Groups of words that mean the same to a tenant, beside those that are shipped. */
export interface SynonymTable {
  tenantCode: string;
  /** Raised by 1 with each change; 0 where the tenant never had a table. */
  revision: number;
  /** The shipped groups hold as well. */
  shipped: boolean;
  groups: string[][];
  setBy: string | null;
  setAt: number | null;
}

export interface SetSynonyms {
  tenantCode: string;
  groups: string[][];
  shipped: boolean;
  /** The revision that the change was made on; null: whichever. */
  expected: number | null;
  actor: string;
}

export type SetSynonymsOutcome =
  { kind: 'set'; table: SynonymTable } | { kind: 'conflict'; table: SynonymTable };

export interface SynonymPort {
  /** 0 where the tenant never had a table. */
  revisionOf(tenantCode: string): Promise<number>;
  get(tenantCode: string): Promise<SynonymTable>;
  /** Replaces the table, audited; nothing changes on a conflict. */
  set(command: SetSynonyms, stamp: Stamp): Promise<SetSynonymsOutcome>;
}
