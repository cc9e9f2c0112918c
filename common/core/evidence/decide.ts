import type { Stamp } from '../../clock.ts';
import type { AuditEntry } from '../audit/port.ts';
import { type EventDoc, type EventRecord, readDoc } from '../event/record.ts';
import type {
  AnnouncedFile,
  EvidenceJob,
  EvidenceLimits,
  EvidenceRecord,
  EvidenceUse,
  NewEvidenceJob,
  StoreEvidenceOutcome,
} from './port.ts';
import { fullRoom } from './room/decide.ts';

export type Announced = AnnouncedFile;

/** The file of this name that the event announced; null when there is none. */
export function announcedAs(event: EventRecord, name: string): Announced | null {
  return readDoc(event).evidence?.find((file) => file.name === name) ?? null;
}

/** The first of the files that is a picture; null: there is none. */
export const firstPicture = ({ evidence = [] }: EventDoc): Announced | null =>
  evidence.find(({ contentType }) => /^image\/(?:jpeg|png|webp|gif)$/.test(contentType)) ?? null;

/** @param uses what all files that are kept take */
export function decideStore(
  known: boolean,
  uses: readonly EvidenceUse[],
  { tenantCode, instance = null, size }: EvidenceRecord,
  limits: EvidenceLimits,
): StoreEvidenceOutcome {
  if (known) return 'known';
  return fullRoom(uses, { tenantCode, instance }, size, limits)?.over ?? 'stored';
}

/** The name and the hash say what was stored; the content stays out of the audit. */
export function storedAudit(record: EvidenceRecord, actor: string, stamp: Stamp): AuditEntry {
  const { name, size, sha256, tenantCode, eventId } = record;
  return {
    id: stamp.newId(),
    at: stamp.now,
    actor,
    action: 'evidence.stored',
    subject: `event:${eventId}`,
    tenantCode,
    before: null,
    after: { name, size, sha256 },
  };
}

/** A job as it is written. */
export function jobRow(job: NewEvidenceJob, now: number): EvidenceJob {
  const open = { ...job, attempts: 0, nextAt: now, createdAt: now, settledAt: null };
  return job.state === 'pending' ? open : settledJob(open, now);
}

/** What a job keeps when it is over. */
export function settledJob(job: EvidenceJob, at: number): EvidenceJob & { settledAt: number } {
  return { ...job, access: null, settledAt: at };
}

/**
 * Shown as they stand when the answer is a picture or a film; anything else could be a page that runs in this
 * server's name.
 */
const INLINE = /^(?:image\/(?:jpeg|png|gif|webp|avif|bmp)|video\/(?:mp4|webm|ogg))$/;

/**
 * Headers of a file that a camera has sent and a browser may open. The name was checked at intake to be
 * plain.
 */
export function fileHeaders(file: Announced): Record<string, string> {
  return headersOf(file.name, { type: file.contentType, size: file.size, tag: file.sha256 });
}

/** Of every small picture. */
export const SMALL_TYPE = 'image/jpeg';

/** Headers of a small picture of a file. @param size its bytes */
export function smallHeaders(file: Announced, size: number): Record<string, string> {
  return headersOf(`${file.name}.small.jpg`, { type: SMALL_TYPE, size, tag: `${file.sha256}-small` });
}

function headersOf(
  name: string,
  { type, size, tag }: { type: string; size: number; tag: string },
): Record<string, string> {
  const safe = name.replace(/[^A-Za-z0-9._-]/g, '_');
  return {
    'Content-Length': String(size),
    'Cache-Control': 'private, no-store, no-transform',
    ETag: `"${tag}"`,
    'Content-Disposition': `${INLINE.test(type) ? 'inline' : 'attachment'}; filename="${safe}"`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
}
