// What is acknowledged survives the loss of power at any moment. The disk is modelled block by block: what
// was synced is kept; each block written since is kept or lost as chance has it.
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SiteStore } from '../../../site/store/open.ts';
import { runs } from '../../support/campaign.ts';
import { anEvent, aVerdict, HeldDisk, newDir, openStore, testClock, turns } from './support.ts';

const BLOCK = 4096;
const WAL_HEADER = 32;

interface SyncedFile {
  name: string;
  synced: Buffer;
  /** Number of the sync that `synced` is of; a later one that ended first is not undone by an earlier one. */
  at: number;
}

/** Remembers of each file what is sure to be on the disk. */
class PowerDisk extends HeldDisk {
  files = new Map<number, SyncedFile>();
  #syncs = 0;

  /** Everything written so far counts as synced: opening syncs by itself. */
  begin(): void {
    for (const [fd, file] of this.paths)
      this.files.set(fd, { name: path.basename(file), synced: contentOf(fd), at: 0 });
    this.held = true;
  }

  override async fdatasync(fd: number): Promise<void> {
    const content = contentOf(fd);
    const at = (this.#syncs += 1);
    await super.fdatasync(fd);
    const file = this.files.get(fd);
    if (file && file.at < at) Object.assign(file, { synced: content, at });
  }

  /** The files as they may be found after the power came back. */
  cut(keep: () => boolean): string {
    const dir = newDir();
    for (const [fd, { name, synced }] of this.files)
      fs.writeFileSync(path.join(dir, name), afterLoss(name, synced, contentOf(fd), keep));
    return dir;
  }
}

// Read through the descriptor that is open anyway: closing another one would drop SQLite's locks.
function contentOf(fd: number): Buffer {
  const content = Buffer.alloc(fs.fstatSync(fd).size);
  fs.readSync(fd, content, 0, content.length, 0);
  return content;
}

function afterLoss(name: string, synced: Buffer, present: Buffer, keep: () => boolean): Buffer {
  const length = keep() ? Math.max(present.length, synced.length) : synced.length;
  const found = Buffer.alloc(length);
  synced.copy(found);
  for (let at = 0; at < length; at += BLOCK) {
    if (keep() && at < present.length) present.copy(found, at, at, Math.min(at + BLOCK, present.length));
  }
  // SQLite itself syncs the header when it restarts the WAL, before it writes a frame.
  if (name.endsWith('-wal')) present.copy(found, 0, 0, WAL_HEADER);
  return found;
}

/** As many requests at once as are worth a commit while the disk is busy. */
const CROWD = 20;

type Step =
  { do: 'ingest'; events: number } | { do: 'crowd' | 'verdict' | 'turn' | 'sync' | 'syncNewest' | 'cut' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.integer({ min: 1, max: 6 }).map((events) => ({ do: 'ingest' as const, events })),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'crowd' as const }) },
  { weight: 8, arbitrary: fc.constant({ do: 'sync' as const }) },
  { weight: 3, arbitrary: fc.constantFrom({ do: 'syncNewest' as const }, { do: 'turn' as const }) },
  { weight: 2, arbitrary: fc.constantFrom({ do: 'verdict' as const }, { do: 'cut' as const }) },
);

class Run {
  acknowledged = new Map<string, number>();
  judged = new Set<number>();
  #sent = 0;
  #disk: PowerDisk;
  #store: SiteStore;
  #keep: () => boolean;
  #newId = testClock().newId;

  constructor(store: SiteStore, disk: PowerDisk, keep: () => boolean) {
    this.#store = store;
    this.#disk = disk;
    this.#keep = keep;
  }

  async take(next: Step): Promise<void> {
    if (next.do === 'ingest') this.#ingest(next.events);
    else if (next.do === 'crowd') for (let request = 0; request < CROWD; request += 1) this.#ingest(1);
    else if (next.do === 'verdict') this.#judge();
    else if (next.do === 'cut') this.checkCut();
    else if (next.do === 'sync') this.#disk.pending[0]?.finish();
    else if (next.do === 'syncNewest') this.#disk.pending.at(-1)?.finish();
    await turns(4);
  }

  #ingest(count: number): void {
    const batch = Array.from({ length: count }, () =>
      anEvent(`k${(this.#sent += 1)}`, {
        doc: JSON.stringify({ title: 'x'.repeat((this.#sent * 37) % 2500) }),
      }),
    );
    void this.#store.events.ingest(batch, 1).then((results) => {
      for (const [index, { id }] of results.entries())
        this.acknowledged.set(batch[index]?.idempotencyKey ?? '', id);
    });
  }

  #judge(): void {
    const id = [...this.acknowledged.values()].find((one) => !this.judged.has(one));
    if (id === undefined) return;
    void this.#store.verdicts
      .write(aVerdict(id), { now: 1, newId: this.#newId })
      .then(() => this.judged.add(id));
  }

  /** Loses the power at this moment and looks at what is left. @returns the folder */
  checkCut(): string {
    const dir = this.#disk.cut(this.#keep);
    const left = new Database(path.join(dir, 'site.db'));
    try {
      expect(left.pragma('integrity_check', { simple: true })).toBe('ok');
      const keys = new Map(
        left.prepare<[], [string, number]>('SELECT idempotency_key, id FROM events').raw().all(),
      );
      for (const [key, id] of this.acknowledged) expect(keys.get(key), key).toBe(id);
      const judged = new Set(left.prepare('SELECT event_id FROM verdicts').pluck().all());
      for (const id of this.judged) expect(judged.has(id)).toBe(true);
      expect(keys.size).toBe(left.prepare('SELECT count(*) FROM events').pluck().get());
      const changes = left
        .prepare<[], [number, number | null]>('SELECT count(*), max(change_no) FROM verdict_changes')
        .raw()
        .get();
      expect(changes?.[0]).toBe(changes?.[1] ?? 0);
    } finally {
      left.close();
    }
    return dir;
  }
}

/** Yes and no by turns of chance, the same for the same seed; sometimes all is kept, sometimes nothing. */
function chance(seed: number): () => boolean {
  let state = seed | 1;
  const mood = (seed >>> 8) % 5;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return mood === 0 ? false : mood === 1 ? true : ((state >>> 13) & 1) === 1;
  };
}

test('what was acknowledged is there after the power was lost at any moment', async () => {
  const limits = {
    passBytes: 15_000,
    triggerBytes: 30_000,
    capBytes: 600_000,
    restBytes: 5_000,
    lookEvery: 1,
  };
  let rounds = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 60, maxLength: 160 }), fc.integer(), async (steps, seed) => {
      const disk = new PowerDisk();
      const keyIndex = { fillAt: 12, idleAt: 1_000_000, idleMs: 60_000, fanout: 2 };
      const store = await openStore({ sync: disk, checkpoint: limits, keyIndex });
      disk.begin();
      const run = new Run(store, disk, chance(seed));
      for (const next of steps) await run.take(next);
      const dir = run.checkCut();
      const acknowledged = [...run.acknowledged];
      rounds += store.facts().checkpoints;
      disk.release();
      await store.close();

      // The store that opens there knows each acknowledged key, and gives its number to no other event.
      const again = await openStore({ dir, keyIndex });
      const batch = acknowledged.map(([key]) => anEvent(key, { doc: '{}' }));
      const results = await again.events.ingest([...batch, anEvent('new')], 1);
      expect(results.slice(0, -1).map(({ id, duplicate }) => [id, duplicate])).toEqual(
        acknowledged.map(([, id]) => [id, true]),
      );
      expect(results.at(-1)?.duplicate).toBe(false);
      await again.close();
    }),
    { numRuns: runs(12, 35), endOnFailure: true },
  );
  // Otherwise nothing was tried.
  expect(rounds).toBeGreaterThan(runs(10, 30));
}, 120_000);
