import type { Stamp } from '../../common/clock.ts';
import type { AuditEntry } from '../../common/core/audit/port.ts';
import type { LogAnswer } from './command.ts';
import type { QaEntry, QaFeedback } from './record.ts';

/** A cited chunk as it is when the answer is logged. */
export interface CitedChunk {
  chunkId: number;
  docId: number;
  sha256: string;
  docVersion: string;
  clausePath: string | null;
  level: number;
}

/**
 * Pins what an answer rests on. A chunk that is gone already was within the asker's clearance when it was shown, so that
 * such an entry counts as of that level.
 */
export function decideLog(
  seen: { id: number; cited: readonly CitedChunk[]; askerRank: number }, command: LogAnswer, stamp: Stamp,
): { entry: QaEntry; audit: AuditEntry } {
  const found = new Map(seen.cited.map((chunk) => [chunk.chunkId, chunk]));
  const levels = command.citations.map(({ chunkId }) => found.get(chunkId)?.level ?? seen.askerRank);
  const { actor, citations, ...facts } = command;
  const entry: QaEntry = {
    ...facts, id: seen.id, level: Math.max(0, ...levels), feedback: null, feedbackNote: null, feedbackAt: null, createdBy: actor, createdAt: stamp.now,
    citations: citations.map(({ chunkId, sha256 }) => {
      const chunk = found.get(chunkId);
      return { chunkId, docId: chunk?.docId ?? null, sha256: sha256 ?? chunk?.sha256 ?? '', docVersion: chunk?.docVersion ?? null, clausePath: chunk?.clausePath ?? null };
    }),
  };
  return { entry, audit: auditOf(stamp, actor, 'kb.answer.logged', entry, { asker: entry.asker, refused: entry.answer === null, citations: citations.length }) };
}

export function decideMark(
  entry: QaEntry, mark: { feedback: QaFeedback; note: string | null; actor: string }, stamp: Stamp,
): { entry: QaEntry; audit: AuditEntry } {
  const marked: QaEntry = { ...entry, feedback: mark.feedback, feedbackNote: mark.note, feedbackAt: stamp.now };
  return { entry: marked, audit: { ...auditOf(stamp, mark.actor, 'kb.answer.marked', entry, { feedback: mark.feedback }), before: { feedback: entry.feedback } } };
}

/** Under no tenant, as everything of the library: what an asker was told is nobody else's. */
const auditOf = (stamp: Stamp, actor: string, action: string, entry: QaEntry, after: object): AuditEntry =>
  ({ id: stamp.newId(), at: stamp.now, actor, action, subject: `kb_qa:${entry.id}`, tenantCode: null, before: null, after: { tenantCode: entry.tenantCode, ...after } });
