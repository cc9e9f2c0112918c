import type { RuleKind } from './schema.ts';

/** One version of a rule; the newest of a tenant, kind and name is in force. */
export interface RuleRecord {
  tenantCode: string;
  kind: RuleKind;
  name: string;
  /** From 1, without gaps. */
  version: number;
  /** As it was checked at registration. */
  body: object;
  by: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** With this version the rule ended; its body is empty. A later registration begins anew. */
  deleted: boolean;
}

export interface RemoveRule {
  tenantCode: string;
  kind: RuleKind;
  name: string;
  by: string;
}

export interface RegisterRule {
  tenantCode: string;
  kind: RuleKind;
  name: string;
  /** Only what is to change, for `threshold`; the whole body otherwise. */
  body: object;
  by: string;
}
