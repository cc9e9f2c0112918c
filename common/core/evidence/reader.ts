import type { ReadStream } from 'node:fs';
import { AppError, notFound } from '../../http/error.ts';
import type { EventPort } from '../event/port.ts';
import { type EventRecord, readDoc } from '../event/record.ts';
import { type Announced, announcedAs } from './decide.ts';
import type { EvidenceFiles } from './files.ts';
import type {
  EvidencePort,
  EvidenceRecord,
  PictureShrinker,
  RemoteEvidence,
  RemoteFile,
  RemoteFileState,
} from './port.ts';
import { previewName, previewOf } from './preview.ts';

export interface EvidenceReaderOptions {
  evidence: EvidencePort;
  events: Pick<EventPort, 'get'>;
  files: EvidenceFiles;
  /** Sites that keep the files of their events. */
  far?: RemoteEvidence | undefined;
  /** Makes small pictures, where there are any. */
  small?: PictureShrinker | undefined;
  /** Whether this file of an event is being taken in. */
  arriving: (eventId: number, name: string) => boolean;
  /** Whether a file of an event that is not here can come no more. */
  neverComes?: ((event: EventRecord, name: string) => boolean) | undefined;
}

export type EvidenceState = 'announced' | 'uploading' | 'lost' | 'stored' | RemoteFileState;

export interface EvidenceView extends Announced {
  state: EvidenceState;
  storedAt: number | null;
  /** Of a file that is not here because its event arose elsewhere. */
  far: RemoteFile | null;
  /** A small picture is here although the file is not. */
  preview: boolean;
}

/** A file that a caller names. */
export interface WantedFile {
  eventId: number;
  name: string;
  /** null: of any tenant. */
  tenantCode: string | null;
  /** Who asks, for the record. */
  actor: string;
}

interface FarAway {
  kind: 'far';
  file: Announced;
  far: RemoteFile;
}

/** A file for reading, or where it stands. */
export type OpenedEvidence =
  | { kind: 'here'; file: Announced; content: ReadStream | Buffer }
  /** The file is at its site. @property size bytes of the preview */
  | { kind: 'preview'; file: Announced; content: ReadStream; size: number }
  | FarAway;

type Found = { kind: 'here'; file: Announced; record: EvidenceRecord } | FarAway;

/** Shows the files of events, and asks sites for those that are not here. */
export class EvidenceReader {
  readonly #options: EvidenceReaderOptions;

  constructor(options: EvidenceReaderOptions) {
    this.#options = options;
  }

  /**
   * What an event announced, and what of it has come. @throws AppError 404, also for another tenant's event
   */
  async list(eventId: number, tenantCode: string | null): Promise<EvidenceView[]> {
    const event = await this.#event(eventId, tenantCode);
    const records = new Map(
      (await this.#options.evidence.ofEvent(event.tenantCode, eventId)).map((record) => [
        record.name,
        record,
      ]),
    );
    const far = await this.#options.far?.ofEvent(event);
    return (readDoc(event).evidence ?? []).map((file) => {
      const record = records.get(file.name);
      if (record) return { ...file, state: 'stored', storedAt: record.storedAt, far: null, preview: false };
      const there = far?.get(file.name) ?? null;
      const state = there?.state ?? this.#stateHere(event, file);
      const preview = records.has(previewName(file.name));
      return { ...file, state, storedAt: null, far: there, preview };
    });
  }

  #stateHere(event: EventRecord, { name }: Announced): EvidenceState {
    if (this.#options.arriving(event.id, name)) return 'uploading';
    return this.#options.neverComes?.(event, name) ? 'lost' : 'announced';
  }

  /**
   * A file of a site that is not here is asked for.
   * @throws AppError 404 not_found; 404 evidence_missing when it came but is not on this disk; 404
   *   evidence_damaged when other bytes than came are there
   */
  async open(wanted: WantedFile): Promise<OpenedEvidence> {
    const found = await this.#find(wanted);
    if (found.kind === 'far') return found;
    const { file, record } = found;
    return { kind: 'here', file, content: this.#options.files.read(record.eventId, record.sha256) };
  }

  /**
   * The same as a small JPEG. Of a file that is at its site the preview, where there is one, and the file is
   * not asked for.
   * @throws AppError as `open`; 422 no_small_picture; 503 small_pictures_unavailable
   */
  async openSmall(wanted: WantedFile): Promise<OpenedEvidence> {
    const before = await this.#beforeItComes(wanted);
    if (before) return before;
    const found = await this.#find(wanted);
    if (found.kind === 'far') return found;
    const { file, record } = found;
    if (!this.#options.small)
      throw new AppError(
        422,
        'no_small_picture',
        'Small pictures are made at headquarters only. Read the file itself, without size.',
      );
    const content = await this.#options.small.shrink(
      this.#options.files.pathOf(record.eventId, record.sha256),
      record.size,
    );
    return { kind: 'here', file, content };
  }

  /** What there is of a file of a site that is not here. null: nothing, and it is to be asked for. */
  async #beforeItComes({ eventId, name, tenantCode }: WantedFile): Promise<OpenedEvidence | null> {
    const event = await this.#event(eventId, tenantCode);
    const file = announcedAs(event, name);
    if (!file || event.instance === null || !this.#options.far) return null;
    const records = await this.#options.evidence.ofEvent(event.tenantCode, eventId);
    if (records.some((record) => record.name === name)) return null;
    const preview = previewOf(records, name);
    if (!preview || (await this.#options.files.standing(preview)) !== 'whole') return null;
    const content = this.#options.files.read(eventId, preview.sha256);
    return { kind: 'preview', file, content, size: preview.size };
  }

  async #find({ eventId, name, tenantCode, actor }: WantedFile): Promise<Found> {
    const event = await this.#event(eventId, tenantCode);
    const file = announcedAs(event, name);
    const record =
      file &&
      (await this.#options.evidence.ofEvent(event.tenantCode, eventId)).find((one) => one.name === name);
    if (file && !record && event.instance !== null && this.#options.far)
      return { kind: 'far', file, far: await this.#options.far.ask(event, file, actor) };
    if (!file || !record) throw notFound(`Evidence ${name} of event ${eventId}`);
    const standing = await this.#options.files.standing(record);
    if (standing !== 'whole') throw notWhole(standing);
    return { kind: 'here', file, record };
  }

  async #event(eventId: number, tenantCode: string | null): Promise<EventRecord> {
    const event = await this.#options.events.get(eventId);
    if (!event || (tenantCode !== null && event.tenantCode !== tenantCode))
      throw notFound(`Event ${eventId}`);
    return event;
  }
}

const notWhole = (standing: 'missing' | 'damaged'): AppError =>
  standing === 'missing'
    ? new AppError(
        404,
        'evidence_missing',
        'The file was received, but it is not on the disk of this server.',
      )
    : new AppError(
        404,
        'evidence_damaged',
        'The file was received, but its bytes on the disk of this server are others now: it is damaged.',
      );
