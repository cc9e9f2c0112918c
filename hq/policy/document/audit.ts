// What the audit says of policy files.
import type { Stamp } from '../../../common/clock.ts';
import type { AuditEntry } from '../../../common/core/audit/port.ts';
import type { PolicyDocument } from '../record.ts';

/**
 * Under no tenant: a customer who may read its tenant's audit would count there what is above its clearance.
 * The tenant is in the states instead, and no title is.
 */
export function auditOf(
  stamp: Stamp,
  actor: string,
  action: string,
  before: PolicyDocument | null,
  after: PolicyDocument,
  more: Record<string, unknown> = {},
): AuditEntry {
  return {
    id: stamp.newId(),
    at: stamp.now,
    actor,
    action,
    subject: `kb_doc:${after.id}`,
    tenantCode: null,
    before: before && facts(before),
    after: { ...facts(after), ...more },
  };
}

const facts = ({
  tenantCode,
  srcSystem,
  srcKey,
  version,
  level,
  status,
  reason,
  supersedes,
  supersededBy,
  sha256,
  chunkCount,
  chunksSha256,
}: PolicyDocument): object => ({
  tenantCode,
  srcSystem,
  srcKey,
  version,
  level,
  status,
  reason,
  supersedes,
  supersededBy,
  sha256,
  chunkCount,
  chunksSha256,
});
