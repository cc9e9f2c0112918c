// Previews: small pictures of files that are still at their site. Each stands among the files of its event
// under a name that no event can announce, so that it takes its tenant's room, goes with its event and is
// found by whatever looks after files.
import type { EvidenceRecord } from './port.ts';

const MARK = ':preview:';

/** Under which the preview of a file is kept. */
export const previewName = (name: string): string => `${MARK}${name}`;

/** The preview of a file among the records of its event; null: there is none. */
export const previewOf = (records: readonly EvidenceRecord[], name: string): EvidenceRecord | null =>
  records.find((record) => record.name === previewName(name)) ?? null;
