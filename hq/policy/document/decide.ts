// What may become of a policy file (spec 3, "States and transitions"). Pure.
import type { Stamp } from '../../../common/clock.ts';
import type { AuditEntry } from '../../../common/core/audit/port.ts';
import { DEFAULT_LEVEL, rankOf } from '../../../common/policy/level.ts';
import type {
  RegisterDocument,
  RegisterOutcome,
  SetState,
  StateOutcome,
  SubmitChunks,
  SubmitOutcome,
} from '../command.ts';
import { later, promote } from '../promotion/decide.ts';
import type { DocumentState, PolicyDocument } from '../record.ts';
import { auditOf } from './audit.ts';

/** What these send needs no review: it was released where it comes from. */
const TRUSTED_SOURCES: ReadonlySet<string> = new Set(['hse_policy_sync', 'case_sync']);

/** An ingestion program that was handed a file and sent no chunks for this long has lost it, ms. */
export const PARSING_TIMEOUT_MS = 30 * 60_000;

/** Rows to write. Change numbers are given when they are written. */
export interface DocumentWrites {
  documents: PolicyDocument[];
  audit: AuditEntry[];
}

export interface Decided<O> {
  outcome: O;
  writes: DocumentWrites | null;
}

/** The file and every other version of its policy, as they stand under the lock. */
export interface SeenDocument {
  document: PolicyDocument | null;
  family: readonly PolicyDocument[];
}

const refused = <O>(outcome: O): Decided<O> => ({ outcome, writes: null });

/**
 * Registers a version of a policy. A version without a level of its own is never visible to more people than
 * the version before it.
 * @param seen `known`: the file that has the source key; `parent`: the file to supersede
 */
export function decideRegister(
  seen: { id: number; known: PolicyDocument | null; parent: PolicyDocument | null },
  command: RegisterDocument,
  stamp: Stamp,
): Decided<RegisterOutcome> {
  const { actor, ...facts } = command;
  if (seen.known)
    return refused({ kind: sameContent(seen.known, facts) ? 'known' : 'taken', document: seen.known });
  if (command.supersedes !== null && !seen.parent) return refused({ kind: 'bad_supersedes' });
  const document: PolicyDocument = {
    ...facts,
    level: command.level ?? Math.max(rankOf(DEFAULT_LEVEL), seen.parent?.level ?? 0),
    id: seen.id,
    policyId: seen.parent?.policyId ?? seen.id,
    storedAt: null,
    supersededBy: null,
    status: 'uploaded',
    reason: null,
    parseNote: null,
    parsingSince: null,
    missingNumbers: [],
    effectiveAt: null,
    chunkCount: 0,
    chunksSha256: null,
    createdAt: stamp.now,
    updatedAt: stamp.now,
    changeNo: 0,
  };
  return {
    outcome: { kind: 'registered', document },
    writes: {
      documents: [document],
      audit: [auditOf(stamp, actor, 'kb.document.registered', null, document)],
    },
  };
}

const CONTENT = [
  'srcSystem',
  'title',
  'docNo',
  'version',
  'effectiveDate',
  'expiryDate',
  'level',
  'fileName',
  'contentType',
  'size',
  'sha256',
  'supersedes',
] as const;
const sameContent = (known: PolicyDocument, given: Omit<RegisterDocument, 'actor' | 'createdBy'>): boolean =>
  CONTENT.every((name) => known[name] === given[name] || (name === 'level' && given.level === null));

/** The whole chunk set is replaced; sources that need no review make the file effective at once. */
export function decideSubmit(
  { document, family }: SeenDocument,
  command: SubmitChunks,
  stamp: Stamp,
): Decided<SubmitOutcome> {
  if (!document) return refused({ kind: 'no_document' });
  if (!['uploaded', 'parsing', 'review'].includes(document.status))
    return refused({ kind: 'not_open', document });
  if (document.sha256 !== null && document.storedAt === null) return refused({ kind: 'original_missing' });
  const submitted: PolicyDocument = {
    ...document,
    status: 'review',
    parsingSince: null,
    parseNote: command.parseNote,
    missingNumbers: command.missingNumbers,
    chunkCount: command.chunks.length,
    chunksSha256: command.chunksSha256,
    updatedAt: later(document, stamp),
  };
  const entry = auditOf(stamp, command.actor, 'kb.chunks.submitted', document, submitted);
  const forReview: Decided<SubmitOutcome> = {
    outcome: { kind: 'submitted', document: submitted, superseded: null },
    writes: { documents: [submitted], audit: [entry] },
  };
  // What could not be read, or not whole, is for a person to look at, whatever its source.
  const doubtful = command.chunks.length === 0 || (command.read && command.missingNumbers.length > 0);
  if (!TRUSTED_SOURCES.has(document.srcSystem) || doubtful) return forReview;
  const promoted = promote(submitted, family, command.actor, stamp);
  if ('kind' in promoted) return command.read ? forReview : refused(promoted);
  return {
    outcome: { kind: 'submitted', document: promoted.document, superseded: promoted.superseded },
    writes: { documents: promoted.writes.documents, audit: [entry, ...promoted.writes.audit] },
  };
}

export function decideState(seen: SeenDocument, command: SetState, stamp: Stamp): Decided<StateOutcome> {
  const { document, family } = seen;
  if (!document) return refused({ kind: 'no_document' });
  if (command.to !== 'effective') {
    const open: readonly DocumentState[] =
      command.to === 'withdrawn' ? ['effective', 'scheduled'] : ['effective'];
    if (!open.includes(document.status)) return refused({ kind: 'refused', document });
    const ended: PolicyDocument = {
      ...document,
      status: command.to,
      reason: command.reason,
      updatedAt: later(document, stamp),
    };
    const entry = auditOf(stamp, command.actor, `kb.document.${command.to}`, document, ended, {
      by: command.by,
    });
    return {
      outcome: { kind: 'changed', document: ended, superseded: null },
      writes: { documents: [ended], audit: [entry] },
    };
  }
  if (document.status !== 'review') return refused({ kind: 'refused', document });
  if (document.chunksSha256 !== command.expectChunksSha256)
    return refused({ kind: 'stale_chunks', document });
  if (document.chunkCount === 0) return refused({ kind: 'no_chunks' });
  const { missingNumbers } = document;
  if (missingNumbers.length > 0 && !command.acceptMissing)
    return refused({ kind: 'numbers_missing', document });
  const promoted = promote(document, family, command.actor, stamp, {
    by: command.by,
    ...(missingNumbers.length > 0 ? { acceptedMissing: missingNumbers } : {}),
  });
  if ('kind' in promoted) return refused(promoted);
  return {
    outcome: { kind: 'changed', document: promoted.document, superseded: promoted.superseded },
    writes: promoted.writes,
  };
}

/** Marks a file as handed to an ingestion program. */
export function decideTake(document: PolicyDocument, actor: string, stamp: Stamp): DocumentWrites {
  const taken: PolicyDocument = {
    ...document,
    status: 'parsing',
    parsingSince: stamp.now,
    updatedAt: later(document, stamp),
  };
  return { documents: [taken], audit: [auditOf(stamp, actor, 'kb.document.taken', document, taken)] };
}

export function decideStored(document: PolicyDocument, actor: string, stamp: Stamp): DocumentWrites {
  const stored: PolicyDocument = { ...document, storedAt: stamp.now, updatedAt: later(document, stamp) };
  return { documents: [stored], audit: [auditOf(stamp, actor, 'kb.document.stored', document, stored)] };
}
