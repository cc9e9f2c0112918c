import * as crypto from 'node:crypto';
import { createReadStream, mkdirSync, readdirSync, type ReadStream, rmSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { storageFull } from '../../http/error.ts';
import { measure, type Received } from './measure.ts';
import { type FileStanding, FileStandings, type KeptFile } from './standing.ts';
import { EvidenceVolume } from './volume.ts';

/** Events that share a folder. */
const PER_FOLDER = 1_000;
/** A file that has been arriving for longer than any request may take was left by a process that died. */
const ABANDONED_MS = 3_600_000;
/** Begins the names of what arrives: on a folder that machines share, ids of processes say nothing alone. */
const MACHINE = crypto.hash('sha256', os.hostname()).slice(0, 8);

/** A body that was received and is not kept yet. */
export interface ReceivedFile extends Received {
  /** Resolves when the file is in its place and the disk has it; `discard` then does nothing. */
  keep(eventId: number): Promise<void>;
  discard(): Promise<void>;
}

/** What a test may put between the steps of keeping a file. */
export interface FileSteps {
  beforeRename?: () => Promise<void>;
  /** The file is in its place and durable; nothing names it yet. */
  afterRename?: () => Promise<void>;
}

/**
 * Evidence files on disk. Paths are made of the event id and the digest, never of a
 * name that somebody gave. Invariant: what lies outside `incoming` is whole and durable.
 * Where the folder is not the one that was used before, nothing is read, written or removed: 503
 * evidence_unavailable.
 */
export class EvidenceFiles {
  #dir: string;
  #volume: EvidenceVolume;
  #incoming: string;
  #steps: FileSteps;
  #standings = new FileStandings((file) => this.#damaged(file));
  #onDamaged: ((file: KeptFile, found: number) => void) | undefined;
  /** Files found damaged since the start. */
  damaged = 0;

  /** @param dir created when missing */
  constructor(dir: string, steps: FileSteps = {}) {
    this.#dir = dir;
    this.#incoming = path.join(dir, 'incoming');
    this.#steps = steps;
    this.#volume = new EvidenceVolume(dir);
  }

  get directory(): string {
    return this.#dir;
  }

  /** Tells the folder from every other one. */
  get mark(): string {
    return this.#volume.mark;
  }

  /** Why the folder cannot be used; null: it can. */
  folderFault(): Promise<'away' | 'unreadable' | null> {
    return this.#volume.fault();
  }

  /** Whether the folder is there, and the one that was used before. */
  present(): Promise<boolean> {
    return this.#volume.present();
  }

  /**
   * Removes what earlier processes left half received. Several processes, also of other machines, may share
   * the folder. @param now epoch milliseconds of the file system's clock
   */
  sweep(now: number): number {
    if (!this.#volume.presentNow()) return 0;
    mkdirSync(this.#incoming, { recursive: true, mode: 0o750 });
    let swept = 0;
    for (const name of readdirSync(this.#incoming)) {
      const file = path.join(this.#incoming, name);
      const found = statSync(file, { throwIfNoEntry: false });
      if (!found || (now - found.mtimeMs < ABANDONED_MS && !isLeft(name))) continue;
      rmSync(file, { force: true });
      swept += 1;
    }
    return swept;
  }

  /**
   * Receives a body into a temporary file. @throws AppError 507; what `source` throws; nothing is left then
   */
  async receive(source: AsyncIterable<Buffer>): Promise<ReceivedFile> {
    await this.#volume.require();
    await mkdir(this.#incoming, { recursive: true, mode: 0o750 });
    const temporary = path.join(this.#incoming, `${MACHINE}-${process.pid}-${crypto.randomUUID()}`);
    const file = await open(temporary, 'wx', 0o640);
    try {
      const received = await writeAll(file, source);
      return {
        ...received,
        keep: (eventId) => this.#keep(temporary, this.pathOf(eventId, received.sha256)),
        discard: () => rm(temporary, { force: true }),
      };
    } catch (error) {
      await rm(temporary, { force: true });
      throw isFull(error) ? storageFull() : error;
    } finally {
      await file.close();
    }
  }

  async remove(eventId: number, sha256: string): Promise<void> {
    await this.#volume.require();
    const file = this.pathOf(eventId, sha256);
    await rm(file, { force: true });
    await rmdir(path.dirname(file)).catch((error: unknown) => {
      if (!['ENOTEMPTY', 'ENOENT', 'EEXIST'].includes((error as { code?: string }).code ?? '')) throw error;
    });
  }

  /** To be asked before a file is read: what is not `whole` is not handed out. */
  async standing({ eventId, sha256, size }: KeptFile): Promise<FileStanding> {
    await this.#volume.require();
    return this.#standings.of(this.pathOf(eventId, sha256), { eventId, sha256, size });
  }

  /** @param told of each file that is found damaged, with how many that makes since the start */
  onDamaged(told: (file: KeptFile, found: number) => void): void {
    this.#onDamaged = told;
  }

  #damaged(file: KeptFile): void {
    this.damaged += 1;
    this.#onDamaged?.(file, this.damaged);
  }

  /** Kept files by event that were written before a time, epoch ms by the file system's clock. */
  async *kept(before: number): AsyncGenerator<{ eventId: number; names: string[] }> {
    await this.#volume.require();
    for (const folder of await numbered(this.#dir)) {
      for (const event of await numbered(path.join(this.#dir, folder))) {
        const names: string[] = [];
        const at = path.join(this.#dir, folder, event);
        for (const name of await readdir(at))
          if (/^[0-9a-f]{64}$/.test(name) && (await stat(path.join(at, name))).mtimeMs < before)
            names.push(name);
        if (names.length > 0) yield { eventId: Number(event), names };
      }
    }
  }

  /** A piece of a kept file; shorter where the file ends. */
  async slice(eventId: number, sha256: string, offset: number, length: number): Promise<Buffer> {
    const file = await open(this.pathOf(eventId, sha256), 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  }

  /** Where files that come in pieces grow, on the same file system. */
  get arriving(): string {
    return path.join(this.#dir, 'arriving');
  }

  /** @throws AppError 503 evidence_unavailable */
  require(): Promise<void> {
    return this.#volume.require();
  }

  /** Puts a whole, durable file of this file system in its place. */
  adopt(file: string, eventId: number, sha256: string): Promise<void> {
    return this.#keep(file, this.pathOf(eventId, sha256));
  }

  read(eventId: number, sha256: string): ReadStream {
    return createReadStream(this.pathOf(eventId, sha256));
  }

  async #keep(temporary: string, target: string): Promise<void> {
    await this.#volume.require();
    const folder = path.dirname(target);
    const made = await mkdir(folder, { recursive: true, mode: 0o750 });
    await this.#steps.beforeRename?.();
    await rename(temporary, target);
    await syncFolder(folder);
    // A new folder is durable when the one that holds it is.
    if (made !== undefined)
      for (let at = folder; at.startsWith(made);) await syncFolder((at = path.dirname(at)));
    await this.#steps.afterRename?.();
  }

  /** Where a kept file lies, or would. */
  pathOf(eventId: number, sha256: string): string {
    if (!Number.isSafeInteger(eventId) || eventId < 1 || !/^[0-9a-f]{64}$/.test(sha256))
      throw new Error('not the key of an evidence file');
    return path.join(this.#dir, this.nameOf(eventId, sha256));
  }

  /** The same, from the folder of the evidence on. */
  nameOf(eventId: number, sha256: string): string {
    return path.join(String(Math.floor(eventId / PER_FOLDER)), String(eventId), sha256);
  }
}

const numbered = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => /^\d+$/.test(name));

async function writeAll(file: FileHandle, source: AsyncIterable<Buffer>): Promise<Received> {
  async function* written(): AsyncGenerator<Buffer> {
    for await (const part of source) {
      for (let at = 0; at < part.length;) at += (await file.write(part, at)).bytesWritten;
      yield part;
    }
  }
  const received = await measure(written());
  await file.sync();
  return received;
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as { code?: string }).code ?? '');

/** Whether it was being received by a process of this machine that has ended, or had the id of this one. */
function isLeft(name: string): boolean {
  const [machine, pid] = name.split('-');
  if (machine !== MACHINE) return false;
  return Number(pid) === process.pid || !alive(Number(pid));
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
