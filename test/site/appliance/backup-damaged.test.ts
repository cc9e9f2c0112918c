// A store with damage is backed up all the same, and the command says that the copy is damaged too.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readBackupNote } from '../../../common/terminal/backup-note.ts';
import { type } from '../../support/command.ts';
import { anEvent, newDir, openStore } from '../store/support.ts';

const PAGE = 4096;

test('a damaged store is copied none the less, as not whole, and whoever runs it by a timer is told', async () => {
  const dir = newDir();
  const store = await openStore({ dir });
  await store.events.ingest(
    Array.from({ length: 2_000 }, (_, i) => anEvent(`k${i}`)),
    1,
  );
  await store.close();
  const file = path.join(dir, 'site.db');
  const bytes = readFileSync(file);
  // Pages of rows alone, which were written last; the schema stands before them.
  const pages = bytes.length / PAGE;
  for (let page = Math.ceil(pages * 0.8); page < pages; page += 1)
    bytes.fill(0xff, page * PAGE, page * PAGE + 64);
  writeFileSync(file, bytes);
  const target = path.join(dir, 'damaged.tgz');
  const made = await type('site/main.ts', ['backup', target, '--without-secrets'], {
    CORE_DATA_DIR: dir,
    CORE_INSTANCE: 'site-1',
  });
  expect(made).toMatchObject({ code: 1, err: '' });
  expect(made.out).toContain('The store has damage, and so has the copy');
  expect(readBackupNote(dir)).toMatchObject({ verified: false });
});
