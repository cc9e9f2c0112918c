import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type EvidenceFiles, isFull, syncFolder } from '../../common/core/evidence/files.ts';
import { measure, type Received } from '../../common/core/evidence/measure.ts';
import { storageFull } from '../../common/http/error.ts';

/** Files that come in pieces, by the want that they answer. What is written is durable when `write` ends. */
export class PartFiles {
  #files: EvidenceFiles;

  constructor(files: EvidenceFiles) {
    this.#files = files;
  }

  /** @throws AppError 503 evidence_unavailable, 507 storage_full */
  async write(id: string, offset: number, piece: Buffer): Promise<void> {
    await this.#files.require();
    await mkdir(this.#files.arriving, { recursive: true, mode: 0o750 });
    try {
      const file = await this.#open(id);
      try {
        for (let at = 0; at < piece.length;)
          at += (await file.write(piece, at, piece.length - at, offset + at)).bytesWritten;
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      throw isFull(error) ? storageFull() : error;
    }
  }

  async #open(id: string): Promise<FileHandle> {
    try {
      return await open(this.#pathOf(id), 'r+');
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOENT') throw error;
    }
    const made = await open(this.#pathOf(id), 'w+', 0o640);
    await syncFolder(this.#files.arriving);
    return made;
  }

  /**
   * Bytes that there are; 0 for none. The file is opened for it: of one that another machine has written to,
   * a network file system may tell an old size until it is opened anew.
   */
  async size(id: string): Promise<number> {
    await this.#files.require();
    try {
      const file = await open(this.#pathOf(id), 'r');
      try {
        return (await file.stat()).size;
      } finally {
        await file.close();
      }
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return 0;
      throw error;
    }
  }

  measure(id: string): Promise<Received> {
    return measure(createReadStream(this.#pathOf(id)));
  }

  /** Puts the whole file where evidence is kept. */
  keep(id: string, eventId: number, sha256: string): Promise<void> {
    return this.#files.adopt(this.#pathOf(id), eventId, sha256);
  }

  remove(id: string): Promise<void> {
    return rm(this.#pathOf(id), { force: true });
  }

  /** Wants of which there is something. */
  async ids(): Promise<string[]> {
    await this.#files.require();
    try {
      return await readdir(this.#files.arriving);
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return [];
      throw error;
    }
  }

  #pathOf(id: string): string {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(id)) throw new Error('not the id of a want');
    return path.join(this.#files.arriving, id);
  }
}
