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

export interface AuditPort {
  add(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  list(filter: { tenantCode: string | null; action?: string; subject?: string }, before: { at: number; id: string } | null, limit: number):
    Promise<AuditEntry[]>;
}
