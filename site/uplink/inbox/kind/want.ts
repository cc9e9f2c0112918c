import { evidenceWant } from '../../../../common/uplink/evidence.ts';
import type { EvidenceSender } from '../../evidence/sender.ts';
import type { InboxDriver } from '../inbox.ts';

/**
 * Files that headquarters wants: each is noted here, and brought or refused by the sender of evidence. One
 * that is not understood says nothing that could be answered, and is left out.
 */
export const wantDriver = (evidence: Pick<EvidenceSender, 'take'>): InboxDriver => ({
  subjectOf: () => null,
  carryOut: async (body) => {
    const want = evidenceWant.safeParse(body).data;
    if (!want) return 'refused';
    await evidence.take(want);
    return 'carried_out';
  },
});
