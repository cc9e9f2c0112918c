import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { Logger } from '../../../common/log.ts';
import type { Picture } from '../record.ts';

/** Whose pictures are held. */
export interface Owner {
  keyId: string;
  tenantCode: string;
  /** Idempotency key of the event. */
  eventKey: string;
}

export interface HeldFile extends Owner {
  file: string;
  /** Those whose bytes are here. */
  pictures: Picture[];
  /** Pictures whose bytes the disk does not have. */
  cut: number;
}

const heading = z.object({
  keyId: z.string(),
  tenantCode: z.string(),
  eventKey: z.string(),
  pictures: z.array(z.object({ name: z.string(), contentType: z.string(), size: z.int().check(z.gte(0)) })),
});

const LF = 0x0a;

/** A file whose event is not stored yet. */
interface Left {
  owner: Owner;
  /** Pictures that were put into it. */
  count: number;
}

/**
 * Pictures that an event is about to announce, on the disk until they are kept as its evidence: an event
 * comes first, and who ends the process between the two costs no picture. They are not synced: after a loss
 * of power they may be cut, and are then counted as lost.
 */
export class HeldPictures {
  #dir: string;
  #log: Logger;
  /** What is held, by owner. */
  #open = new Map<string, number>();
  /** Files whose event is not stored yet, those of an earlier process too. */
  #left: Promise<Map<string, Left>> | null = null;
  #listed = false;

  constructor(dir: string, log: Logger) {
    this.#dir = dir;
    this.#log = log;
  }

  /**
   * Where the disk does not take them, they are held in memory alone: the alarm counts.
   * @returns the file; '' where there is none
   */
  async hold(owner: Owner, pictures: readonly Picture[]): Promise<string> {
    if (pictures.length === 0) return '';
    this.#count(owner, 1);
    const file = path.join(this.#dir, randomUUID());
    const { keyId, tenantCode, eventKey } = owner;
    const sizes = pictures.map(({ name, contentType, bytes }) => ({ name, contentType, size: bytes.length }));
    const head = Buffer.from(`${JSON.stringify({ keyId, tenantCode, eventKey, pictures: sizes })}\n`);
    try {
      // Those of an earlier process are known before there is one of this.
      await this.#leftFiles();
      await mkdir(this.#dir, { recursive: true, mode: 0o750 });
      await writeFile(file, [head, ...pictures.map(({ bytes }) => bytes)], { mode: 0o640, flag: 'wx' });
    } catch (error) {
      this.#log.warn({ err: error, device: keyId }, 'pictures are held in memory alone');
    }
    return file;
  }

  /** They are kept as evidence, or nothing announces them. */
  async release(owner: Owner, file: string): Promise<void> {
    if (file === '') return;
    this.#count(owner, -1);
    try {
      (await this.#leftFiles()).delete(file);
      await rm(file, { force: true });
    } catch (error) {
      // The next process finds it, and that its event has the pictures.
      this.#log.warn({ err: error, device: owner.keyId }, 'pictures that were held could not be removed');
    }
  }

  /** Their event is to be stored later. */
  async leave({ keyId, tenantCode, eventKey }: Owner, file: string, count: number): Promise<void> {
    if (file === '') return;
    (await this.#leftFiles()).set(file, { owner: { keyId, tenantCode, eventKey }, count });
  }

  /** Whether pictures of an event may still come. */
  holds(owner: Pick<Owner, 'tenantCode' | 'eventKey'>): boolean {
    return !this.#listed || this.#open.has(keyOf(owner));
  }

  /**
   * What waits for its event, or was left by a process that was ended. Of a file that is not there, or is no
   * such file any more, all pictures are cut.
   */
  async *left(): AsyncGenerator<HeldFile> {
    for (const [file, { owner, count }] of [...(await this.#leftFiles())]) {
      const found = await this.#read(file);
      yield found ?? { ...owner, file, pictures: [], cut: count };
    }
  }

  #leftFiles(): Promise<Map<string, Left>> {
    return (this.#left ??= this.#list().catch((error: unknown) => {
      this.#left = null;
      throw error;
    }));
  }

  async #list(): Promise<Map<string, Left>> {
    await mkdir(this.#dir, { recursive: true, mode: 0o750 });
    const entries = await readdir(this.#dir, { withFileTypes: true });
    const found = new Map<string, Left>();
    for (const { name } of entries.filter((entry) => entry.isFile())) {
      const file = path.join(this.#dir, name);
      const held = await this.#read(file);
      if (!held) continue;
      const { keyId, tenantCode, eventKey, pictures, cut } = held;
      this.#count(held, 1);
      found.set(file, { owner: { keyId, tenantCode, eventKey }, count: pictures.length + cut });
    }
    this.#listed = true;
    return found;
  }

  /** null where there is nothing to read; what has no owner is removed. */
  async #read(file: string): Promise<HeldFile | null> {
    const bytes = await this.#bytesOf(file);
    if (bytes === null) return null;
    const end = bytes.indexOf(LF);
    const head = end < 0 ? null : heading.safeParse(parsed(bytes.subarray(0, end).toString('utf8')));
    if (!head?.success) {
      this.#log.error({ bytes: bytes.length }, 'pictures that were held cannot be read, and are gone');
      await rm(file, { force: true });
      return null;
    }
    const { pictures, ...owner } = head.data;
    const whole: Picture[] = [];
    let at = end + 1;
    for (const { size, ...picture } of pictures) {
      if (at + size <= bytes.length) whole.push({ ...picture, bytes: bytes.subarray(at, at + size) });
      at += size;
    }
    return { ...owner, file, pictures: whole, cut: pictures.length - whole.length };
  }

  async #bytesOf(file: string): Promise<Buffer | null> {
    try {
      return await readFile(file);
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') return null;
      // Of another user, or damaged: it keeps no alarm from its pictures.
      this.#log.error({ err: error }, 'pictures that were held cannot be read');
      return null;
    }
  }

  #count(owner: Pick<Owner, 'tenantCode' | 'eventKey'>, by: 1 | -1): void {
    const key = keyOf(owner);
    const held = (this.#open.get(key) ?? 0) + by;
    if (held > 0) this.#open.set(key, held);
    else this.#open.delete(key);
  }
}

const keyOf = ({ tenantCode, eventKey }: Pick<Owner, 'tenantCode' | 'eventKey'>): string =>
  `${tenantCode}\0${eventKey}`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
