import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DiskProbe } from '../../common/disk-space.ts';
import type { Sizes } from './budget.ts';

export interface MeasureParts {
  dataDir: string;
  facts: () => { dbBytes: number; dbFreeBytes: number; walBytes: number };
  limit: number | null;
  probe: DiskProbe;
}

/**
 * @param evidenceBytes of all files, which costs a reading of their table to know @throws when the file
 * system cannot be asked
 */
export function measureSizes({ dataDir, facts, limit, probe }: MeasureParts, evidenceBytes: number): Sizes {
  const { dbBytes, dbFreeBytes, walBytes: walInUse } = facts();
  const wal = statSync(path.join(dataDir, 'site.db-wal'), { throwIfNoEntry: false });
  return {
    ...probe(dataDir),
    dbBytes,
    dbFreeBytes,
    walBytes: wal?.size ?? 0,
    walInUse,
    evidenceBytes,
    limit,
  };
}

/**
 * Files that the program made beside the store: copies from before an upgrade, and stores that were set
 * aside.
 */
export function asideFiles(
  dataDir: string,
): { name: string; bytes: number; at: number; upgradeCopy: boolean }[] {
  return readdirSync(dataDir)
    .filter((name) => /^site-(?:before-upgrade|damaged|before-restore)-.*\.db$/.test(name))
    .map((name) => {
      const { size, mtimeMs } = statSync(path.join(dataDir, name));
      return {
        name,
        bytes: size,
        at: Math.round(mtimeMs),
        upgradeCopy: name.startsWith('site-before-upgrade-'),
      };
    });
}
