import type { Decision } from '../../../../common/uplink/wire.ts';
import type { DecisionPort, PendingDecision } from '../../port.ts';
import type { InboxReader } from '../port.ts';

/** Verdicts and corrections on events of the site. @param self name of headquarters */
export const decisionReader = (decisions: Pick<DecisionPort, 'open'>, self: string): InboxReader => ({
  kind: 'decision',
  read: async (entries) => {
    const open = await decisions.open(entries);
    return new Map(open.map((decision) => [decision.decision_id, onTheWire(decision, self)]));
  },
});

/** The store writes null for headquarters; a site knows headquarters by its name. */
function onTheWire({ merged_into_instance: from, ...decision }: PendingDecision, self: string): Decision {
  if (decision.merged_into_key === null) return decision;
  return { ...decision, merged_into_instance: from ?? self };
}
