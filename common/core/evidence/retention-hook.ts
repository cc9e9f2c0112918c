import type { RetentionHook } from '../retention/port.ts';
import type { EvidenceFiles } from './files.ts';
import type { EvidencePort } from './port.ts';

const AT_ONCE = 500;

/**
 * Removes the files of deleted events from this disk, and then their rows, so that a stop in between leaves
 * no file that nothing names.
 */
export function evidenceRetentionHook(evidence: EvidencePort, files: EvidenceFiles): RetentionHook {
  return {
    name: 'evidence',
    forget: async (eventIds) => {
      const through = eventIds.at(-1) ?? 0;
      let count = 0;
      for (;;) {
        const records = await evidence.ofEventsUpTo(through, AT_ONCE);
        if (records.length === 0) return { evidence: count };
        for (const { eventId, sha256 } of records) await files.remove(eventId, sha256);
        await evidence.forget(records);
        count += records.length;
      }
    },
  };
}
