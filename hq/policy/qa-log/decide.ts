import type { Stamp } from '../../../common/clock.ts';
import type { AuditEntry } from '../../../common/core/audit/port.ts';
import { type Fault } from '../../../common/http/fault/fault.ts';
import type { LogAnswer, LogOutcome } from '../command.ts';
import { faultAt } from '../policy-fault-messages.ts';
import type { QaEntry, QaFeedback } from '../record.ts';

/** A cited chunk as it is when the answer is logged. */
export interface CitedChunk {
  chunkId: number;
  docId: number;
  /** null: its set has been replaced since it was shown. */
  sha256: string | null;
  docVersion: string;
  clausePath: string | null;
  level: number;
}

/**
 * Pins what an answer rests on: only chunks of the tenant, those that have been replaced since they were
 * shown among them.
 */
export function decideLog(
  seen: { id: number; cited: readonly CitedChunk[] },
  command: LogAnswer,
  stamp: Stamp,
): { outcome: LogOutcome; audit: AuditEntry | null } {
  const { actor, citations, ...facts } = command;
  const { pinned, faults } = pin(citations, seen.cited);
  if (faults.length > 0) return { outcome: { kind: 'bad_citations', faults }, audit: null };
  const entry: QaEntry = {
    ...facts,
    id: seen.id,
    level: Math.max(0, ...seen.cited.map(({ level }) => level)),
    feedback: null,
    feedbackNote: null,
    feedbackAt: null,
    createdBy: actor,
    createdAt: stamp.now,
    citations: pinned,
  };
  return {
    outcome: { kind: 'logged', entry },
    audit: auditOf(stamp, actor, 'kb.answer.logged', entry, {
      asker: entry.asker,
      refused: entry.answer === null,
      citations: citations.length,
    }),
  };
}

/** What each citation rests on, or why it rests on nothing. */
function pin(
  citations: LogAnswer['citations'],
  cited: readonly CitedChunk[],
): { pinned: QaEntry['citations']; faults: Fault[] } {
  const found = new Map(cited.map((chunk) => [chunk.chunkId, chunk]));
  const pinned: QaEntry['citations'] = [];
  const faults: Fault[] = [];
  for (const [index, { chunkId, sha256 }] of citations.entries()) {
    const chunk = found.get(chunkId);
    const fingerprint = sha256 ?? chunk?.sha256 ?? null;
    if (chunk && fingerprint !== null) {
      pinned.push({
        chunkId,
        docId: chunk.docId,
        sha256: fingerprint,
        docVersion: chunk.docVersion,
        clausePath: chunk.clausePath,
      });
    } else {
      faults.push(
        chunk
          ? faultAt(`citations.${index}.sha256`, 'chunk_replaced')
          : faultAt(`citations.${index}.chunk_id`, 'chunk_of_tenant'),
      );
    }
  }
  return { pinned, faults };
}

export function decideMark(
  entry: QaEntry,
  mark: { feedback: QaFeedback; note: string | null; actor: string },
  stamp: Stamp,
): { entry: QaEntry; audit: AuditEntry } {
  const marked: QaEntry = {
    ...entry,
    feedback: mark.feedback,
    feedbackNote: mark.note,
    feedbackAt: stamp.now,
  };
  return {
    entry: marked,
    audit: {
      ...auditOf(stamp, mark.actor, 'kb.answer.marked', entry, { feedback: mark.feedback }),
      before: { feedback: entry.feedback },
    },
  };
}

export const settledAudit = (entry: QaEntry, actor: string, stamp: Stamp): AuditEntry =>
  auditOf(stamp, actor, 'kb.answer.settled', entry, { feedback: entry.feedback });

/** Under no tenant, as everything of the library: what an asker was told is nobody else's. */
const auditOf = (stamp: Stamp, actor: string, action: string, entry: QaEntry, after: object): AuditEntry => ({
  id: stamp.newId(),
  at: stamp.now,
  actor,
  action,
  subject: `kb_qa:${entry.id}`,
  tenantCode: null,
  before: null,
  after: { tenantCode: entry.tenantCode, ...after },
});
