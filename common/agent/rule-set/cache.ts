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

export type CacheRead = { kind: 'none' } | { kind: 'read'; cached: CachedRules } | { kind: 'damaged'; movedTo: string; why: string };

const FORMAT = 1;

/** The file `RULES_CACHE_FILE` (spec 3, "Unreachable core service"): written whole or not at all, and believed only with its checksum. */
export class RulesCache {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** A damaged file is set aside. @throws what the file system throws, besides that there is no file */
  read(now: number): CacheRead {
    let text: string;
    try {
      text = readFileSync(this.file, 'utf8');
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return { kind: 'none' };
      throw error;
    }
    try {
      return { kind: 'read', cached: parse(text) };
    } catch (error) {
      const movedTo = `${this.file}.damaged-${now}`;
      renameSync(this.file, movedTo);
      return { kind: 'damaged', movedTo, why: (error as Error).message };
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
  const outer = JSON.parse(text) as { format?: unknown; sha256?: unknown; content?: unknown };
  if (outer.format !== FORMAT || typeof outer.content !== 'string') throw new Error('it is no rules cache of this format');
  if (hash('sha256', outer.content) !== outer.sha256) throw new Error('its checksum does not fit');
  const { fetchedAt, rules } = JSON.parse(outer.content) as { fetchedAt?: unknown; rules?: unknown };
  if (typeof fetchedAt !== 'number' || !Array.isArray(rules)) throw new Error('it holds no rules');
  return { fetchedAt, rules };
}
