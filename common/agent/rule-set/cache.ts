import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';

/** What the agent last pulled, for a start while headquarters cannot be reached. */
export interface CachedRules {
  /** Epoch ms of the pull. */
  fetchedAt: number;
  /** As they came; they are checked again when they are used. */
  rules: readonly unknown[];
}

export type CacheRead =
  | { kind: 'none' }
  | { kind: 'read'; cached: CachedRules }
  | {
      kind: 'damaged';
      /** null: it could not be moved. */
      movedTo: string | null;
      why: string;
    };

const FORMAT = 1;

/**
 * The file `RULES_CACHE_FILE` (spec 3, "Unreachable core service"): written whole or not at all, and believed
 * only with its checksum.
 */
export class RulesCache {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** A file that is damaged or cannot be read is set aside; it never keeps the agent from starting. */
  read(now: number): CacheRead {
    try {
      return { kind: 'read', cached: parse(readFileSync(this.file, 'utf8')) };
    } catch (error) {
      const { code, message: why } = error as { code?: string; message: string };
      return code === 'ENOENT' ? { kind: 'none' } : { kind: 'damaged', ...this.#setAside(now, why) };
    }
  }

  #setAside(now: number, why: string): { movedTo: string | null; why: string } {
    const movedTo = `${this.file}.damaged-${now}`;
    try {
      renameSync(this.file, movedTo);
      return { movedTo, why };
    } catch (error) {
      return { movedTo: null, why: `${why}; ${(error as Error).message}` };
    }
  }

  async write(cached: CachedRules): Promise<void> {
    const content = JSON.stringify(cached);
    const text = `${JSON.stringify({ format: FORMAT, sha256: hash('sha256', content), content })}\n`;
    mkdirSync(path.dirname(this.file), { recursive: true });
    const temporary = `${this.file}.new`;
    const file = await open(temporary, 'w', 0o640);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.file);
    const folder = await open(path.dirname(this.file), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}

function parse(text: string): CachedRules {
  const outer = JSON.parse(text) as { format?: unknown; sha256?: unknown; content?: unknown } | null;
  if (outer?.format !== FORMAT || typeof outer.content !== 'string')
    throw new Error('it is no rules cache of this format');
  if (hash('sha256', outer.content) !== outer.sha256) throw new Error('its checksum does not fit');
  const { fetchedAt, rules } = JSON.parse(outer.content) as { fetchedAt?: unknown; rules?: unknown };
  if (typeof fetchedAt !== 'number' || !Array.isArray(rules)) throw new Error('it holds no rules');
  return { fetchedAt, rules };
}
