import { type Clock, stampOf } from '../../clock.ts';
import type { Actor } from '../../http/actor.ts';
import { AppError, notFound } from '../../http/error.ts';
import type { StreamedBody } from '../../http/route.ts';
import type { EventPort } from '../event/port.ts';
import type { EventRecord } from '../event/record.ts';
import { type Announced, announcedAs } from './decide.ts';
import type { EvidenceFiles, ReceivedFile } from './files.ts';
import { measure } from './measure.ts';
import type { EvidenceLimits, EvidencePort, EvidenceRecord, EvidenceUse, OverRoom } from './port.ts';
import { fullRoom } from './room/decide.ts';

export interface EvidenceServiceOptions {
  evidence: EvidencePort;
  events: EventPort;
  files: EvidenceFiles;
  limits: EvidenceLimits;
  clock: Clock;
  /** Told when a file has come for which jobs may wait. */
  onStored?: () => void;
  /** Told when a file found no room. */
  onFull?: () => void;
}

export interface Upload {
  eventId: number;
  name: string;
  body: StreamedBody;
  /** Text of the caller for the audit. */
  actorText: (actor: Actor) => string;
}

export interface Uploaded {
  file: Announced;
  /** False when it was stored already. */
  stored: boolean;
}

/** Takes in the files of events that arose here. */
export class EvidenceService {
  readonly counts = { stored: 0, repeated: 0, refused: 0, overRoom: 0 };
  readonly #options: EvidenceServiceOptions;
  /** Bytes on their way, by file; several requests may bring one file. */
  #arriving = new Map<string, { tenantCode: string; sizes: number[] }>();

  constructor(options: EvidenceServiceOptions) {
    this.#options = options;
  }

  /**
   * Takes a file that was announced with its event (DESIGN.md, "Evidence"). A body of which it is not proved
   * that the node signed it is read to tell what is wrong with it, and not written anywhere.
   * @throws AppError 401; 404 for what was not announced, or is another tenant's; 422 evidence_mismatch; 507
   */
  async upload(upload: Upload): Promise<Uploaded> {
    const { body } = upload;
    const event = await this.#options.events.get(upload.eventId);
    const file =
      event && event.instance === null && event.tenantCode === body.claimedTenant
        ? announcedAs(event, upload.name)
        : null;
    const actor = file && proven(body, file);
    if (!event || !file || !actor) return this.#refuse(upload, file);
    const known = await this.#stored(event, file);
    if (known) {
      if (!sameBytes(await measure(capped(body, file)), file)) throw this.#mismatch(file);
      this.counts.repeated += 1;
      return { file, stored: false };
    }
    return { file, stored: await this.#take(event, file, body, upload.actorText(actor)) };
  }

  /**
   * Reads the body for its digest, so that only the signer of exactly this body is told more than that the
   * signature is wrong.
   */
  async #refuse({ body, eventId, name }: Upload, file: Announced | null): Promise<never> {
    body.prove({ sha256: (await measure(body.read())).sha256 });
    if (file) throw this.#mismatch(file);
    throw notFound(`Evidence ${name} of event ${eventId}`);
  }

  async #take(event: EventRecord, file: Announced, body: StreamedBody, actorText: string): Promise<boolean> {
    const key = keyOf(event, file.name);
    const { tenantCode } = event;
    const owner = { tenantCode, instance: null };
    const uses = [...(await this.#options.evidence.use()), ...this.#usesArriving()];
    const full = fullRoom(uses, owner, file.size, this.#options.limits);
    if (full) throw this.#over(full.over);
    this.#arriving.set(key, { tenantCode, sizes: [...(this.#arriving.get(key)?.sizes ?? []), file.size] });
    let received: ReceivedFile | null = null;
    try {
      received = await this.#options.files.receive(capped(body, file));
      if (!sameBytes(received, file)) throw this.#mismatch(file);
      await received.keep(event.id);
      const stamp = stampOf(this.#options.clock);
      const record: EvidenceRecord = {
        tenantCode: event.tenantCode,
        eventId: event.id,
        name: file.name,
        size: file.size,
        sha256: file.sha256,
        storedAt: stamp.now,
      };
      const outcome = await this.#options.evidence.store(record, this.#options.limits, actorText, stamp);
      if (outcome !== 'stored' && outcome !== 'known') {
        await this.#giveUp(event, file);
        throw this.#over(outcome);
      }
      this.counts[outcome === 'stored' ? 'stored' : 'repeated'] += 1;
      this.#options.onStored?.();
      return outcome === 'stored';
    } finally {
      await received?.discard();
      const sizes = (this.#arriving.get(key)?.sizes ?? []).slice(1);
      if (sizes.length > 0) this.#arriving.set(key, { tenantCode, sizes });
      else this.#arriving.delete(key);
    }
  }

  /** The bytes may also be those of another name of the same event. */
  async #giveUp(event: EventRecord, file: Announced): Promise<void> {
    const records = await this.#options.evidence.ofEvent(event.tenantCode, event.id);
    if (!records.some((record) => record.sha256 === file.sha256))
      await this.#options.files.remove(event.id, file.sha256);
  }

  /** Whether a file of the event is being taken: the one of this name, or any. */
  isArriving(eventId: number, name?: string): boolean {
    const keys = [...this.#arriving.keys()];
    return keys.some((key) =>
      name === undefined ? key.startsWith(`${eventId}/`) : key === `${eventId}/${name}`,
    );
  }

  #usesArriving(): EvidenceUse[] {
    return [...this.#arriving.values()].map(({ tenantCode, sizes }) => ({
      tenantCode,
      instance: null,
      bytes: sizes.reduce((sum, size) => sum + size, 0),
    }));
  }

  #over(over: OverRoom): AppError {
    this.counts.overRoom += 1;
    this.#options.onFull?.();
    return overRoom(over, this.#options.limits);
  }

  #mismatch(file: Announced): AppError {
    this.counts.refused += 1;
    return new AppError(
      422,
      'evidence_mismatch',
      `The body is not the file that was announced: ${file.size} bytes with SHA-256 ${file.sha256}. ` +
        'Nothing was stored.',
    );
  }

  async #stored(event: EventRecord, file: Announced): Promise<EvidenceRecord | null> {
    const record = (await this.#options.evidence.ofEvent(event.tenantCode, event.id)).find(
      (one) => one.name === file.name,
    );
    // A file that is damaged, or not on the disk any more, may be sent again.
    return record && (await this.#options.files.standing(record)) === 'whole' ? record : null;
  }
}

const keyOf = (event: EventRecord, name: string): string => `${event.id}/${name}`;

const sameBytes = (received: { size: number; sha256: string }, file: Announced): boolean =>
  received.size === file.size && received.sha256 === file.sha256;

/**
 * The caller, when the node signed exactly the announced bytes; null when the body must tell. @throws
 * AppError 401 clock_skew
 */
function proven(body: StreamedBody, file: Announced): Actor | null {
  try {
    return body.prove({ sha256: file.sha256 });
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_signature') return null;
    throw error;
  }
}

/** Stops past the announced size: what follows cannot make it right. */
async function* capped(body: StreamedBody, file: Announced): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const part of body.read()) {
    size += part.length;
    yield part;
    if (size > file.size) return;
  }
}

const WHOSE: Readonly<Record<OverRoom, string>> = {
  over_limit: 'all tenants have together (CORE_EVIDENCE_LIMIT)',
  over_tenant: 'this tenant has as its share (CORE_EVIDENCE_LIMIT, CORE_EVIDENCE_TENANT_PERCENT)',
  over_site: "this site has as its share of its tenant's (CORE_EVIDENCE_SITE_PERCENT)",
};

export function overRoom(over: OverRoom, { total }: EvidenceLimits, retryAfterSeconds = 600): AppError {
  return new AppError(
    507,
    'evidence_limit',
    `The evidence files would pass the room that ${WHOSE[over]}, of ${total} bytes in all. Nothing was ` +
      'stored; send it again later.',
    { retryAfterSeconds, extra: { room: over } },
  );
}
