// Why a policy file cannot be registered or changed, for the caller.
import { AppError, conflict } from '../../../common/http/error.ts';
import type { StateOutcome, SubmitOutcome, VersionConflict } from '../command.ts';
import { type PolicyDocument, shownState } from '../record.ts';
import type { StateInput } from '../schema.ts';

export const sourceKeyTaken = ({ id }: PolicyDocument): AppError =>
  new AppError(
    409,
    'source_key_taken',
    'This source key is registered with another content. Register a new version under a key of its ' +
      'own, with supersedes.',
    { retryable: false, extra: { docId: id } },
  );

/** 409 chunks_closed, original_pending, another_version_effective */
export function submitRefusal(
  outcome: Exclude<SubmitOutcome, { kind: 'submitted' } | { kind: 'no_document' }>,
): AppError {
  if (outcome.kind === 'not_open')
    return closed(
      outcome.document,
      'Chunks are taken until a file has been effective; register a new version',
    );
  if (outcome.kind === 'original_missing')
    return conflict(
      'original_pending',
      'The original of this file has not been uploaded yet; upload it first.',
    );
  return versionConflict(outcome);
}

/** 409 state_refused, stale_chunks, no_chunks, another_version_effective */
export function stateRefusal(
  outcome: Exclude<StateOutcome, { kind: 'changed' } | { kind: 'no_document' }>,
  to: StateInput['state'],
): AppError {
  if (outcome.kind === 'refused') {
    const why =
      to === 'effective' ? 'Only a file in review is made effective' : `Only an effective file is ${to}`;
    return closed(outcome.document, why, 'state_refused');
  }
  if (outcome.kind === 'no_chunks')
    return conflict(
      'no_chunks',
      'The file has no chunks, so that nothing of it could be found or cited; parse_note says why. ' +
        'Submit its chunks first.',
    );
  if (outcome.kind === 'stale_chunks')
    return new AppError(
      409,
      'stale_chunks',
      'The chunks were submitted again since they were reviewed; look at them as they are now.',
      { retryable: false, extra: { chunksSha256: outcome.document.chunksSha256 } },
    );
  if (outcome.kind === 'numbers_missing') {
    const missing = outcome.document.missingNumbers.join(', ');
    return new AppError(
      409,
      'numbers_missing',
      `Between the numbers of its clauses are missing: ${missing}. Compare with the ` +
        'original; where it has none of them either, send accept_missing_numbers.',
      { retryable: false, extra: { missingNumbers: missing } },
    );
  }
  return versionConflict(outcome);
}

const closed = (document: PolicyDocument, why: string, code = 'chunks_closed'): AppError =>
  new AppError(409, code, `${why}; this one is ${document.status}.`, {
    retryable: false,
    extra: { state: shownState(document.status) },
  });

function versionConflict(outcome: VersionConflict): AppError {
  const why = {
    already_replaced: 'The version that this one supersedes was superseded by another',
    another_effective: 'Another version of this policy is effective, and this one does not supersede it',
    newer_was_effective: 'A newer version of this policy has been effective',
  }[outcome.kind];
  return new AppError(
    409,
    'another_version_effective',
    `${why}; register a version that supersedes that one.`,
    { retryable: false, extra: { docId: outcome.by } },
  );
}
