import { Readable } from 'node:stream';
import { type Clock, stampOf } from '../../common/clock.ts';
import { eventKey, type EventPort } from '../../common/core/event/port.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import { announcedAs } from '../../common/core/evidence/decide.ts';
import type { EvidenceFiles } from '../../common/core/evidence/files.ts';
import type { EvidenceLimits, EvidencePort } from '../../common/core/evidence/port.ts';
import { previewName, previewOf } from '../../common/core/evidence/preview.ts';
import { overRoom } from '../../common/core/evidence/service.ts';
import { AppError, notFound } from '../../common/http/error.ts';
import type { FileOfEvent } from '../../common/uplink/evidence.ts';
import { ROOM_RETRY_S } from './decide.ts';

export interface PreviewReceiverOptions {
  events: Pick<EventPort, 'byKeys'>;
  evidence: EvidencePort;
  files: EvidenceFiles;
  limits: EvidenceLimits;
  clock: Clock;
}

/** A preview as a site brings it. */
export interface Preview {
  file: FileOfEvent;
  jpeg: Buffer;
  /** Names under which the caller's events arose. */
  owned: ReadonlySet<string>;
  /** For the audit. */
  actor: string;
}

/** Takes previews of files that are still at their sites. */
export class PreviewReceiver {
  /** Since the start. */
  readonly counts = { kept: 0, bytes: 0, overRoom: 0 };
  readonly #options: PreviewReceiverOptions;

  constructor(options: PreviewReceiverOptions) {
    this.#options = options;
  }

  /**
   * @returns whether it was stored; it is not where the file itself, or a preview of it, is here
   * @throws AppError 404 for no file of an event of the caller; 422 preview_unreadable; 503
   *   evidence_unavailable; 507 evidence_limit, storage_full
   */
  async take({ file, jpeg, owned, actor }: Preview): Promise<boolean> {
    const event = await this.#eventOf(file, owned);
    if (!isJpeg(jpeg))
      throw new AppError(422, 'preview_unreadable', 'A preview is a JPEG. Nothing was stored.');
    const records = await this.#options.evidence.ofEvent(event.tenantCode, event.id);
    if (records.some(({ name }) => name === file.name) || previewOf(records, file.name)) return false;
    const received = await this.#options.files.receive(Readable.from([jpeg]));
    try {
      await received.keep(event.id);
      const { size, sha256 } = received;
      const { tenantCode, id: eventId, instance } = event;
      const stamp = stampOf(this.#options.clock);
      const named = { tenantCode, eventId, instance, name: previewName(file.name) };
      const record = { ...named, size, sha256, storedAt: stamp.now };
      const outcome = await this.#options.evidence.store(record, this.#options.limits, actor, stamp);
      if (outcome === 'known') return false;
      if (outcome !== 'stored') {
        this.counts.overRoom += 1;
        await this.#options.files.remove(eventId, sha256);
        throw overRoom(outcome, this.#options.limits, ROOM_RETRY_S);
      }
      this.counts.kept += 1;
      this.counts.bytes += size;
      return true;
    } finally {
      await received.discard();
    }
  }

  async #eventOf(file: FileOfEvent, owned: ReadonlySet<string>): Promise<EventRecord> {
    const { tenant_code: tenantCode, event_key: idempotencyKey } = file;
    const found = await this.#options.events.byKeys([{ tenantCode, idempotencyKey }]);
    const event = found.get(eventKey(tenantCode, idempotencyKey));
    if (event?.instance && owned.has(event.instance) && announcedAs(event, file.name)) return event;
    throw notFound(`The file ${file.name} of the event ${idempotencyKey}`);
  }
}

const isJpeg = (bytes: Buffer): boolean => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
