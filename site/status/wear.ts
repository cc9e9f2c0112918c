import { readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

export interface Wear {
  /** Written to storage by this process since it started, bytes; null where the system does not tell. */
  bytesWritten: number | null;
  /** Written to the whole disk since the machine started, bytes. */
  diskBytesWritten: number | null;
  /** Name of the disk, such as mmcblk0. */
  disk: string | null;
  /** Part of its life that an eMMC says it has used, per cent, in steps of ten; SD cards do not tell. */
  lifeUsedPercent: number | null;
  /** An eMMC's own warning that its spare blocks run out. */
  endOfLife: 'normal' | 'warning' | 'urgent' | null;
}

/** What the machine tells of its storage. @param roots for tests */
export function readWear(
  dataDir: string,
  roots: { proc: string; sys: string } = { proc: '/proc', sys: '/sys' },
): Wear {
  const written = /^write_bytes: (\d+)$/m.exec(text(path.join(roots.proc, 'self/io')) ?? '')?.[1];
  const block = diskOf(dataDir, roots.sys);
  const sectors = block === null ? undefined : text(path.join(block, 'stat'))?.trim().split(/\s+/)[6];
  return {
    bytesWritten: written === undefined ? null : Number(written),
    diskBytesWritten: sectors === undefined ? null : Number(sectors) * 512,
    disk: block === null ? null : path.basename(block),
    lifeUsedPercent: block === null ? null : lifeUsed(text(path.join(block, 'device/life_time'))),
    endOfLife: block === null ? null : endOfLife(text(path.join(block, 'device/pre_eol_info'))),
  };
}

/** Folder of the whole disk under /sys; null for a file system without one, such as tmpfs. */
function diskOf(dataDir: string, sys: string): string | null {
  try {
    const { dev } = statSync(dataDir);
    // As glibc takes a device number apart.
    const [major, minor] = [(dev >> 8) & 0xfff, (dev & 0xff) | ((dev >> 12) & 0xfff00)];
    const found = realpathSync(path.join(sys, 'dev/block', `${major}:${minor}`));
    return text(path.join(found, 'partition')) === null ? found : path.dirname(found);
  } catch {
    return null;
  }
}

/**
 * The worse of both kinds of cells; `0x01` is up to 10 %, `0x0b` beyond the end (JEDEC eMMC 5.0, EXT_CSD 268
 * and 269).
 */
function lifeUsed(life: string | null): number | null {
  const steps = (life ?? '')
    .trim()
    .split(/\s+/)
    .map(Number)
    .filter((step) => step >= 1 && step <= 11);
  return steps.length === 0 ? null : Math.min(100, Math.max(...steps) * 10);
}

function endOfLife(info: string | null): Wear['endOfLife'] {
  const value = Number((info ?? '').trim() || Number.NaN);
  return value === 1 ? 'normal' : value === 2 ? 'warning' : value === 3 ? 'urgent' : null;
}

/** null: there is no such file here. */
function text(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
