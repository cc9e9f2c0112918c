import type { Stamp } from '../../clock.ts';
import type { AuditEntry } from '../audit/port.ts';
import type { ConfirmOutcome, GuardedKind, Refusal, RetentionState } from './record.ts';

/** null: nothing changes. */
export function withGuard(
  state: RetentionState,
  kind: GuardedKind,
  refusal: Refusal | null,
  now: number,
): RetentionState | null {
  const { [kind]: standing, ...others } = state.guards;
  if (!standing && !refusal) return null;
  return {
    ...state,
    guards: refusal ? { ...others, [kind]: { ...refusal, since: standing?.since ?? now } } : others,
  };
}

/** A person lets what the guard held back be deleted. Pure. */
export function decideConfirm(
  state: RetentionState,
  kind: GuardedKind,
  by: { actor: string; note: string | null },
  stamp: Stamp,
): { outcome: ConfirmOutcome; state: RetentionState; audit: AuditEntry | null } {
  const { [kind]: guard, ...others } = state.guards;
  if (!guard) return { outcome: { kind: 'no_guard' }, state, audit: null };
  return {
    outcome: { kind: 'confirmed', guard },
    state: { ...state, guards: others, confirmed: { ...state.confirmed, [kind]: guard.position } },
    audit: {
      id: stamp.newId(),
      at: stamp.now,
      actor: by.actor,
      action: 'retention.confirmed',
      subject: `retention:${kind}`,
      tenantCode: null,
      before: null,
      after: { ...guard, note: by.note },
    },
  };
}
