import type { EvidenceFiles } from '../../../common/core/evidence/files.ts';
import type { PictureShrinker } from '../../../common/core/evidence/port.ts';
import { AppError } from '../../../common/http/error.ts';
import type { Logger } from '../../../common/log.ts';
import type { EvidenceWantPort, PreviewedFile } from './port.ts';

/** Where previews cannot be made for now, the next try comes after this, ms. */
const REST_MS = 60_000;

export interface PreviewOptions {
  wants: Pick<EvidenceWantPort, 'previewed' | 'previewSettled' | 'previewsWaiting'>;
  files: Pick<EvidenceFiles, 'standing' | 'pathOf'>;
  shrinker: PictureShrinker;
  /** Id of the newest event that headquarters has confirmed. */
  sentThrough: () => number;
  /** Monotonic ms. */
  now: () => number;
  log: Logger;
}

export interface MadePreview {
  file: PreviewedFile;
  jpeg: Buffer;
}

/**
 * Makes previews ahead of their turn, one at a time, while the sender goes on: a picture that takes long, or
 * cannot be read, holds up nothing else.
 */
export class Previews {
  /** Since the start. `unreadable`: pictures of which none can be made, `refused` by headquarters. */
  readonly counts = { sent: 0, bytes: 0, unreadable: 0, refused: 0 };
  readonly #options: PreviewOptions;
  #made: MadePreview | null = null;
  #making = false;
  #restUntil = -Infinity;
  #onMade: () => void = () => undefined;

  constructor(options: PreviewOptions) {
    this.#options = options;
  }

  /** @param told each time that there may be one to send */
  onMade(told: () => void): void {
    this.#onMade = told;
  }

  get waiting(): number {
    return this.#options.wants.previewsWaiting();
  }

  /**
   * The one of other tenants than these to send next; `making` while it is being made, null where none is to
   * be sent.
   */
  next(without: readonly string[]): MadePreview | 'making' | null {
    if (this.#made && without.includes(this.#made.file.tenantCode)) this.#made = null;
    if (this.#made) return this.#made;
    if (this.#making) return 'making';
    if (this.#restUntil > this.#options.now()) return null;
    const file = this.#options.wants.previewed(this.#options.sentThrough(), without);
    if (!file) return null;
    this.#making = true;
    void this.#make(file).finally(() => {
      this.#making = false;
      this.#onMade();
    });
    return 'making';
  }

  /** Headquarters has it, or does not want it. */
  async settle({ file, jpeg }: MadePreview, taken: boolean): Promise<void> {
    this.counts[taken ? 'sent' : 'refused'] += 1;
    if (taken) this.counts.bytes += jpeg.length;
    this.#made = null;
    await this.#options.wants.previewSettled(file);
  }

  /** It never fails: what goes wrong is of one picture, or is tried again later. */
  async #make(file: PreviewedFile): Promise<void> {
    const { eventId, name, sha256, size } = file;
    try {
      if ((await this.#options.files.standing(file)) !== 'whole')
        return await this.#unreadable(file, 'not whole');
      const jpeg = await this.#options.shrinker.shrink(this.#options.files.pathOf(eventId, sha256), size);
      this.#made = { file, jpeg };
    } catch (error) {
      if (error instanceof AppError && error.code === 'no_small_picture')
        return this.#unreadable(file, error.message);
      this.#restUntil = this.#options.now() + REST_MS;
      this.#options.log.warn({ err: error, eventId, name }, 'previews cannot be made now');
    }
  }

  async #unreadable(file: PreviewedFile, reason: string): Promise<void> {
    const { eventId, name } = file;
    this.counts.unreadable += 1;
    this.#options.log.info({ eventId, name, reason }, 'no preview can be made of a picture');
    await this.#options.wants.previewSettled(file).catch((error: unknown) => {
      this.#restUntil = this.#options.now() + REST_MS;
      this.#options.log.warn({ err: error, eventId, name }, 'a preview could not be settled');
    });
  }
}
