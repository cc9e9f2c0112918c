// A store whose file is empty or gone: a site that was one before says so, and gives no id out a second time.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { stampOf } from '../../../common/clock.ts';
import { anEvent, newDir, openStore, testClock } from '../store/support.ts';

/** A store that was closed with ten events, four of them not sent. */
async function once(): Promise<string> {
  const dir = newDir();
  const store = await openStore({ dir });
  await store.events.ingest(
    Array.from({ length: 10 }, (_, at) => anEvent(`k${at}`)),
    1,
  );
  await store.uplink.advance(
    { channel: 'events', hubEpoch: 'hub', cursor: 6, cursorAt: null, accepted: 0, duplicates: 0, parked: [] },
    1,
  );
  await store.keys.add(
    {
      keyId: 'cam-1',
      purpose: 'node',
      tenantCode: 'north',
      subject: 'gate',
      secretRef: 'file:/x',
      previousRef: null,
      previousUntil: null,
      createdAt: 1,
      removedAt: null,
      scopes: null,
    },
    'li',
  );
  await store.close();
  return dir;
}

test.each(['empty', 'missing'])(
  'a file that is %s: what was there is told in numbers, until a person was told',
  async (how) => {
    const dir = await once();
    if (how === 'empty') fs.truncateSync(path.join(dir, 'site.db'));
    else fs.rmSync(path.join(dir, 'site.db'));
    const store = await openStore({ dir });
    expect(store.opened.lost).toMatchObject({
      known: { lastEventId: 10, unsent: 4, cameras: 1 },
      signs: ['site.known'],
    });
    const [fresh] = await store.events.ingest([anEvent('fresh')], 2);
    expect(fresh?.id).toBeGreaterThan(1_000_000);
    const task = await store.tasks.create(
      {
        tenantCode: 'north',
        type: 'disposal',
        eventId: null,
        title: 't',
        severity: 'low',
        assigneeOrg: null,
        dueAt: null,
        body: {},
        by: 'li',
        actor: 'li',
        suppressed: false,
      },
      stampOf(testClock()),
    );
    expect(task).toMatchObject({ kind: 'created', detail: { task: { id: 1_000_001 } } });
    await store.close();
    // Cut short before a person was told: the next start tells it, and ids go on.
    const again = await openStore({ dir });
    expect(again.opened.lost).toMatchObject({ known: { lastEventId: 10 } });
    expect((await again.events.ingest([anEvent('next')], 2))[0]?.id).toBe((fresh?.id ?? 0) + 1);
    again.clearLossNote();
    await again.close();
    const third = await openStore({ dir });
    expect(third.opened.lost).toBeNull();
  },
);

test('a new site, also one whose first start was cut short, has lost nothing', async () => {
  const dir = newDir();
  fs.mkdirSync(path.join(dir, 'secrets'));
  for (const name of ['admin-key', 'seal-key']) fs.writeFileSync(path.join(dir, 'secrets', name), 'x');
  fs.mkdirSync(path.join(dir, 'evidence', 'incoming'), { recursive: true });
  fs.writeFileSync(path.join(dir, 'site.lock'), '');
  const store = await openStore({ dir });
  expect(store.opened.lost).toBeNull();
});

test('a site whose note is gone as well is known by what lies beside the store', async () => {
  const dir = newDir();
  fs.mkdirSync(path.join(dir, 'evidence', '0', '77'), { recursive: true });
  fs.mkdirSync(path.join(dir, 'secrets'));
  fs.writeFileSync(path.join(dir, 'secrets', 'node-1'), 'x');
  fs.writeFileSync(path.join(dir, 'rules_cache.json'), '{}');
  const store = await openStore({ dir });
  expect(store.opened.lost).toEqual({
    known: null,
    signs: ['rules_cache.json', 'secrets of cameras', 'evidence'],
    lastEventId: 77,
  });
  expect((await store.events.ingest([anEvent('fresh')], 2))[0]?.id).toBe(1_000_078);
});

test('a file that is gone while its log is there: what was committed is saved', async () => {
  const dir = await once();
  const store = await openStore({ dir });
  await store.events.ingest(
    Array.from({ length: 5 }, (_, at) => anEvent(`later${at}`)),
    2,
  );
  const copy = newDir();
  for (const name of ['site.db-wal', 'site.known'])
    fs.copyFileSync(path.join(dir, name), path.join(copy, name));
  const saved = await openStore({ dir: copy });
  const found = saved.opened.salvaged;
  expect(found?.reason).toMatch(/log is not/);
  const keys = (await saved.events.page(0, 100)).map(({ idempotencyKey }) => idempotencyKey);
  expect(keys).toEqual(expect.arrayContaining(['later0', 'later4']));
});
