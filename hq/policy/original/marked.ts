// Whether a place of originals is that of the database: a mark lies in it, which the database knows. A folder
// that is not mounted is empty and would take anything, and what lies in the place of another hub would be
// taken for lost.
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import {
  keyOf,
  notMounted,
  type OriginalPlace,
  type OriginalStorage,
  type StorageMarker,
  type StorageStanding,
  storageUnavailable,
} from './original.ts';

/** Originals in a place that has the mark of the database, or nothing at all. */
export class MarkedOriginals implements OriginalStorage {
  #place: OriginalPlace;
  #note: StorageMarker;
  #agreed = false;
  #settling: Promise<StorageStanding> | null = null;

  /** @param place marked when the first original comes */
  constructor(place: OriginalPlace, note: StorageMarker) {
    this.#place = place;
    this.#note = note;
  }

  get name(): string {
    return this.#place.name;
  }

  standing(): Promise<StorageStanding> {
    return this.#stands(false);
  }

  async put(key: string, file: string, size: number): Promise<void> {
    await this.#require(true);
    await this.#place.put(key, file, size);
  }

  async open(key: string): Promise<Readable | null> {
    await this.#require();
    return this.#place.open(key);
  }

  async piece(key: string, offset: number, bytes: number): Promise<Readable | null> {
    await this.#require();
    return this.#place.piece(key, offset, bytes);
  }

  async remove(key: string): Promise<void> {
    await this.#require();
    await this.#place.remove(key);
  }

  async check(): Promise<void> {
    await this.#require();
    await this.#place.check();
  }

  async *list(prefix: string): AsyncGenerator<string> {
    await this.#require();
    yield* this.#place.list(prefix);
  }

  presign(key: string, fileName: string, seconds: number): Promise<string | null> {
    return this.#place.presign(key, fileName, seconds);
  }

  close(): void {
    this.#place.close();
  }

  /** @param use mark the place if it was never used. @throws AppError 503 */
  async #require(use = false): Promise<void> {
    if (this.#agreed && this.#place.lasts) return;
    const standing = await this.#stands(use);
    if (standing === 'other' || (use && standing === 'unused')) throw notMounted();
    this.#agreed = standing === 'agreed';
  }

  async #stands(use: boolean): Promise<StorageStanding> {
    const [known, found] = [await this.#note.mark(), await this.#place.mark()];
    if (known !== null) return known === found ? 'agreed' : 'other';
    if (!use && found === null && !(await this.#note.anyStored())) return 'unused';
    this.#settling ??= this.#note.alone(() => this.#settle()).finally(() => (this.#settling = null));
    return this.#settling;
  }

  /** Marks the place, or adopts its mark, unless another hub was first with one of its own. */
  async #settle(): Promise<StorageStanding> {
    const [known, found] = [await this.#note.mark(), await this.#place.mark()];
    if (known !== null) return known === found ? 'agreed' : 'other';
    if (found === null) {
      // After a move to here, the originals must be copied before the place is used.
      const stored = await this.#note.anyStored();
      if (stored && !(await this.#place.holds(keyOf(stored)))) return 'other';
    }
    const mark = await markOf(this.#place);
    return (await this.#note.adopt(mark)) === mark ? 'agreed' : 'other';
  }
}

/** What marks a place, which is marked where nothing does yet. */
export async function markOf(place: OriginalPlace): Promise<string> {
  if ((await place.mark()) === null) await place.setMark(randomUUID());
  const mark = await place.mark();
  if (mark === null) throw storageUnavailable(new Error('the mark was written and is not there'));
  return mark;
}
