import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type AnswerFile, MAX_ANSWER_FILE } from '../../common/uplink/request/schema.ts';
import { CareRefused } from './care.ts';

/** Files of answers, on the disk until headquarters has them; each has the id of its request as its name. */
export class CareFiles {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** Where the file of a request is written; there is none yet. */
  async fresh(requestId: string): Promise<string> {
    await mkdir(this.#dir, { recursive: true, mode: 0o750 });
    await this.remove(requestId);
    return this.#pathOf(requestId);
  }

  /** What is announced of a file that was written. @throws CareRefused when it is too large */
  async announced(requestId: string, named: Pick<AnswerFile, 'name' | 'content_type'>): Promise<AnswerFile> {
    const bytes = await readFile(this.#pathOf(requestId));
    if (bytes.length > MAX_ANSWER_FILE) {
      await this.remove(requestId);
      throw new CareRefused({ code: 'request_file_large', params: { size: bytes.length } });
    }
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { ...named, size: bytes.length, sha256 };
  }

  /** @throws Error when the disk does not take it */
  async write(
    requestId: string,
    named: Pick<AnswerFile, 'name' | 'content_type'>,
    bytes: Buffer,
  ): Promise<AnswerFile> {
    await writeFile(await this.fresh(requestId), bytes, { mode: 0o640, flush: true });
    return this.announced(requestId, named);
  }

  /** null: it is not there any more. */
  async slice(requestId: string, offset: number, length: number): Promise<Buffer | null> {
    try {
      const file = await open(this.#pathOf(requestId));
      try {
        const into = Buffer.alloc(length);
        const { bytesRead } = await file.read(into, 0, length, offset);
        return into.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return null;
      throw error;
    }
  }

  remove(requestId: string): Promise<void> {
    return rm(this.#pathOf(requestId), { force: true });
  }

  /** Removes what is left of requests other than these. */
  async keepOnly(requestIds: ReadonlySet<string>): Promise<void> {
    await mkdir(this.#dir, { recursive: true, mode: 0o750 });
    for (const name of await readdir(this.#dir))
      if (!requestIds.has(name)) await rm(path.join(this.#dir, name), { force: true, recursive: true });
  }

  #pathOf(requestId: string): string {
    if (!/^[A-Za-z0-9-]{1,64}$/.test(requestId)) throw new Error('not the id of a request');
    return path.join(this.#dir, requestId);
  }
}
