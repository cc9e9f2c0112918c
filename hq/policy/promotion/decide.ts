// How a version of a policy comes into force: at once, or on its day. Pure.
import type { Stamp } from '../../../common/clock.ts';
import type { AuditEntry } from '../../../common/core/audit/port.ts';
import type { VersionConflict } from '../command.ts';
import { auditOf } from '../document/audit.ts';
import type { PolicyDocument } from '../record.ts';

/** Who carries out what was scheduled. */
export const SCHEDULE = 'schedule';

export interface Promotion {
  document: PolicyDocument;
  /** The version that was effective until now. */
  superseded: number | null;
  writes: { documents: PolicyDocument[]; audit: AuditEntry[] };
}

/**
 * Makes a version effective and the one before it superseded, or says why not: only one version of a policy
 * is effective. A version whose day is still to come does not take the place of one that is in force: it is
 * scheduled, so that there is no day without a version.
 */
export function promote(
  document: PolicyDocument,
  family: readonly PolicyDocument[],
  actor: string,
  stamp: Stamp,
  more: Record<string, unknown> = {},
): VersionConflict | Promotion {
  const conflict = conflictOf(document, family);
  if (conflict) return conflict;
  const standing = family.find((one) => one.status === 'effective' && one.id !== document.id);
  if (standing && stamp.now < document.validFrom && stamp.now < standing.validUntil)
    return schedule(document, actor, stamp, more);
  return replace(document, family, standing, { actor, stamp, more });
}

function conflictOf(document: PolicyDocument, family: readonly PolicyDocument[]): VersionConflict | null {
  const byId = new Map(family.map((one) => [one.id, one]));
  const parent = document.supersedes === null ? undefined : byId.get(document.supersedes);
  if (parent && parent.supersededBy !== null && parent.supersededBy !== document.id)
    return { kind: 'already_replaced', by: parent.supersededBy };
  const before = ancestorsOf(document, byId);
  const other = family.find(
    ({ id, status }) =>
      (status === 'effective' || status === 'scheduled') && id !== document.id && !before.has(id),
  );
  if (other) return { kind: 'another_effective', by: other.id };
  const newer = family.find((one) => one.effectiveAt !== null && ancestorsOf(one, byId).has(document.id));
  return newer ? { kind: 'newer_was_effective', by: newer.id } : null;
}

function schedule(
  document: PolicyDocument,
  actor: string,
  stamp: Stamp,
  more: Record<string, unknown>,
): Promotion {
  const scheduled: PolicyDocument = {
    ...document,
    status: 'scheduled',
    updatedAt: later(document, stamp),
  };
  return {
    document: scheduled,
    superseded: null,
    writes: {
      documents: [scheduled],
      audit: [auditOf(stamp, actor, 'kb.document.scheduled', document, scheduled, more)],
    },
  };
}

/** @param standing the version that is effective; it, the parent and what was scheduled before give way */
function replace(
  document: PolicyDocument,
  family: readonly PolicyDocument[],
  standing: PolicyDocument | undefined,
  { actor, stamp, more }: { actor: string; stamp: Stamp; more: Record<string, unknown> },
): Promotion {
  const effective: PolicyDocument = {
    ...document,
    status: 'effective',
    effectiveAt: stamp.now,
    updatedAt: later(document, stamp),
  };
  const documents: PolicyDocument[] = [];
  const audit: AuditEntry[] = [];
  for (const one of family) {
    const ends = one === standing || (one.status === 'scheduled' && one.id !== document.id);
    if (!ends && one.id !== document.supersedes) continue;
    const replaced: PolicyDocument = {
      ...one,
      status: ends ? 'superseded' : one.status,
      supersededBy: document.id,
      updatedAt: later(one, stamp),
    };
    documents.push(replaced);
    if (ends) audit.push(auditOf(stamp, actor, 'kb.document.superseded', one, replaced, more));
  }
  documents.push(effective);
  audit.push(auditOf(stamp, actor, 'kb.document.effective', document, effective, more));
  return { document: effective, superseded: standing?.id ?? null, writes: { documents, audit } };
}

/**
 * Carries out what was scheduled for a day that has come. What may not come into force any more goes back to
 * its reviewer. @returns null: there is nothing to do
 */
export function decideDue(
  { document, family }: { document: PolicyDocument | null; family: readonly PolicyDocument[] },
  stamp: Stamp,
): Promotion | null {
  if (document?.status !== 'scheduled' || stamp.now < document.validFrom) return null;
  const promoted = promote(document, family, SCHEDULE, stamp);
  if (!('kind' in promoted)) return promoted;
  const reviewed: PolicyDocument = { ...document, status: 'review', updatedAt: later(document, stamp) };
  const entry = auditOf(stamp, SCHEDULE, 'kb.document.not_promoted', document, reviewed, {
    why: promoted.kind,
  });
  return { document: reviewed, superseded: null, writes: { documents: [reviewed], audit: [entry] } };
}

function ancestorsOf(document: PolicyDocument, byId: ReadonlyMap<number, PolicyDocument>): Set<number> {
  const found = new Set<number>();
  for (let at = document.supersedes; at !== null && !found.has(at); at = byId.get(at)?.supersedes ?? null)
    found.add(at);
  return found;
}

/** Times of one file never fall, whatever the wall clock does. */
export const later = (document: PolicyDocument, stamp: Stamp): number =>
  Math.max(document.updatedAt, stamp.now);
