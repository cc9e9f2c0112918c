// What the memory holds of a backup that is read.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeArchive } from '../../common/archive.ts';
import { readWhole } from '../../hq/backup/whole.ts';

let dir: string;
beforeAll(() => void (dir = mkdtempSync(path.join(tmpdir(), 'hub-archive-'))));
afterAll(() => rmSync(dir, { recursive: true }));

test('a manifest that unpacks to more than any that is written is refused before it is held', async () => {
  const file = path.join(dir, 'bomb.tar.gz');
  await writeArchive(file, [{ name: 'manifest.json', text: ' '.repeat(17 * 1024 * 1024) }], 0);
  await expect(readWhole(file, dir)).rejects.toThrow(/manifest\.json is larger than any that is written/);
});
