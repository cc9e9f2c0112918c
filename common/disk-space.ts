import { statfsSync } from 'node:fs';

/** Room on the file system that holds a folder, bytes. `freeBytes` is what an ordinary process may fill. */
export type DiskProbe = (dir: string) => { totalBytes: number; freeBytes: number };

export const probeDisk: DiskProbe = (dir) => {
  const { bsize, blocks, bavail } = statfsSync(dir);
  return { totalBytes: bsize * blocks, freeBytes: bsize * bavail };
};
