import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { appendFile, lstat, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SignedManifest } from '../../common/uplink/upgrade/manifest.ts';
import { type Alive, ALIVE_FILE, HANDED, MAX_NOTE, REPORT_FILE, type Wanted } from './record.ts';

export interface UpgradeFolders {
  /** Of this program: what is fetched, and what is handed over. */
  dir: string;
  /** Of whoever installs; only read here. */
  root: string;
}

/** The files of an upgrade, on the side of the program that fetches it. */
export class UpgradeFiles {
  readonly #folders: UpgradeFolders;

  constructor(folders: UpgradeFolders) {
    this.#folders = folders;
  }

  /** Bytes that are there of the package with this digest. */
  async fetched(sha256: string): Promise<number> {
    try {
      return (await stat(this.#part(sha256))).size;
    } catch (error) {
      if (isAbsent(error)) return 0;
      throw error;
    }
  }

  async add(sha256: string, piece: Buffer): Promise<void> {
    await mkdir(this.#folders.dir, { recursive: true, mode: 0o750 });
    await appendFile(this.#part(sha256), piece, { mode: 0o640 });
  }

  /** Takes what was fetched for whole, if it is what was signed. @returns whether it is */
  async isRight(sha256: string): Promise<boolean> {
    const digest = createHash('sha256');
    const file = await open(this.#part(sha256));
    try {
      for await (const piece of file.createReadStream({ autoClose: false })) digest.update(piece as Buffer);
    } finally {
      await file.close();
    }
    return digest.digest('hex') === sha256;
  }

  /** Hands over what was fetched; the note that it is wanted comes last. */
  async handOver(sha256: string, document: SignedManifest, wanted: Wanted): Promise<void> {
    const { dir } = this.#folders;
    const whole = path.join(dir, HANDED.package);
    if ((await this.fetched(sha256)) > 0) {
      const part = await open(this.#part(sha256), 'r+');
      await part.sync();
      await part.close();
      await rename(this.#part(sha256), whole);
    }
    await this.#write(HANDED.document, document);
    await this.#write(HANDED.wanted, wanted);
  }

  async remove(): Promise<void> {
    await this.keepOnly(null);
  }

  /** Removes what is of another package; all but the note of being alive where there is none. */
  async keepOnly(sha256: string | null): Promise<void> {
    const { dir } = this.#folders;
    const kept = new Set([ALIVE_FILE, ...(sha256 === null ? [] : [path.basename(this.#part(sha256))])]);
    for (const name of await namesIn(dir))
      if (!kept.has(name)) await rm(path.join(dir, name), { force: true, recursive: true });
  }

  /** Says that this program runs. */
  async tell(alive: Alive): Promise<void> {
    await mkdir(this.#folders.dir, { recursive: true, mode: 0o750 });
    await this.#write(ALIVE_FILE, alive);
  }

  /** What whoever installs says; null: nothing, or nothing that can be read. */
  async report(): Promise<unknown> {
    return readNote(path.join(this.#folders.root, REPORT_FILE));
  }

  async #write(name: string, content: object): Promise<void> {
    const file = path.join(this.#folders.dir, name);
    await rm(`${file}.new`, { force: true });
    await writeFile(`${file}.new`, `${JSON.stringify(content)}\n`, { mode: 0o640, flush: true });
    await rename(`${file}.new`, file);
  }

  #part(sha256: string): string {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error('not the digest of a package');
    return path.join(this.#folders.dir, `${sha256}.part`);
  }
}

const isAbsent = (error: unknown): boolean => (error as { code?: string }).code === 'ENOENT';

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** A small file of JSON, never through a link; null: there is none that can be read. */
async function readNote(file: string): Promise<unknown> {
  try {
    if (!(await lstat(file)).isFile()) return null;
    const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const into = Buffer.alloc(MAX_NOTE);
      const { bytesRead } = await opened.read(into, 0, MAX_NOTE, 0);
      return JSON.parse(into.subarray(0, bytesRead).toString('utf8')) as unknown;
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError) return null;
    throw error;
  }
}
