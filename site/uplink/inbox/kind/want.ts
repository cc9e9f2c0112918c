import * as z from 'zod/mini';
import { evidenceWant } from '../../../../common/uplink/evidence.ts';
import type { EvidenceSender } from '../../evidence/sender.ts';
import type { InboxDriver } from '../inbox.ts';

/**
 * Files that headquarters wants: each is noted here, and brought or refused by the sender of evidence. One
 * that is not understood says nothing that could be answered: it stays, and a person is told, until a version
 * is here that understands it.
 */
export const wantDriver = (evidence: Pick<EvidenceSender, 'take'>): InboxDriver => ({
  subjectOf: () => null,
  carryOut: async (body) => {
    const want = evidenceWant.safeParse(body);
    if (!want.success) throw new Error(`a wanted file is not understood: ${z.prettifyError(want.error)}`);
    await evidence.take(want.data);
    return 'carried_out';
  },
});
