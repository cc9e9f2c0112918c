export interface AuditEntry {
  id: string;
  at: number;
  /** Who: `admin`, `node:<key>`, `site:<instance>`, `consumer:<name>`, `user:<name>`, `cli`, `system`. */
  actor: string;
  /** What, dotted: `verdict.written`, `verdict.refused`, `key.rotated` … */
  action: string;
  /** On what: `event:12`, `key:cam-1` … */
  subject: string;
  tenantCode: string | null;
  /** JSON-serialisable states around the change; null where there is none. */
  before: unknown;
  after: unknown;
}

export interface AuditFilter {
  /** null: every tenant (operator). */
  tenantCode: string | null;
  action?: string;
  /** Actions that are left out. */
  without?: readonly string[];
  subject?: string;
  /** With the address that it called from, or without. */
  actor?: string;
  /** Epoch ms; half open. */
  since?: number;
  until?: number;
}

export interface AuditPort {
  add(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  list(filter: AuditFilter, before: { at: number; id: string } | null, limit: number): Promise<AuditEntry[]>;
}

/** Begins an actor with the address that it called from. */
export const calledFrom = (actor: string): string => `${actor} from `;
