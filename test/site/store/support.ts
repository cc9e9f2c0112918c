// A site store in a folder of its own, with a disk that tests can hold, break and cut the power of.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../../common/clock.ts';
import type { NewEvent } from '../../../common/core/event/record.ts';
import type { WriteVerdict } from '../../../common/core/verdict/record.ts';
import { silentLogger } from '../../../common/log.ts';
import type { SyncLayer } from '../../../site/store/engine/sync.ts';
import { type OpenOptions, openSiteStore, type SiteStore } from '../../../site/store/open.ts';

const dirs: string[] = [];
const stores: SiteStore[] = [];
const disks: HeldDisk[] = [];

/** Asked for by whatever is to be taken down: a hook of this module would be one of the first file alone. */
function takeDownAfterTest(): void {
  if (dirs.length + stores.length + disks.length > 0) return;
  onTestFinished(async () => {
    for (const disk of disks.splice(0)) disk.release();
    for (const store of stores.splice(0)) await store.close();
    for (const dir of dirs.splice(0)) fs.rmSync(dir, { recursive: true, force: true });
  });
}

export function newDir(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'fieldline-store-'));
  takeDownAfterTest();
  dirs.push(dir);
  return dir;
}

export interface TestClock extends Clock {
  wall: number;
}

export function testClock(): TestClock {
  let ids = 0;
  let ticks = 0;
  return {
    wall: Date.UTC(2026, 2, 1),
    now() {
      return this.wall;
    },
    // A group that is put together by this clock does not take longer on a slow machine.
    monotonic: () => (ticks += 0.01),
    newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}`,
  };
}

/** Closed after the test, unless the test closes it. */
export async function openStore(options: Partial<OpenOptions> = {}): Promise<SiteStore> {
  const store = await openSiteStore({
    dir: options.dir ?? newDir(),
    clock: testClock(),
    log: silentLogger(),
    ...options,
  });
  takeDownAfterTest();
  stores.push(store);
  return store;
}

export function anEvent(idempotencyKey: string, changes: Partial<NewEvent> = {}): NewEvent {
  return {
    tenantCode: 'north',
    idempotencyKey,
    type: 'vehicle.intrusion',
    kind: 'alert',
    source: 'video',
    severity: 'high',
    occurredAt: 1_760_000_000_000,
    isTest: false,
    nodeKey: 'cam-1',
    doc: '{"title":"a truck"}',
    ...changes,
  };
}

export function aVerdict(eventId: number, changes: Partial<WriteVerdict> = {}): WriteVerdict {
  return {
    eventId,
    tenantCode: null,
    verdict: 'confirmed',
    by: 'li',
    byKind: 'human',
    note: null,
    mergedInto: null,
    judged: null,
    disposition: null,
    decisionId: null,
    actor: 'admin',
    ...changes,
  };
}

/** Lets everything run that is ready; more turns than any step of the store needs. */
export async function turns(count = 8): Promise<void> {
  for (let i = 0; i < count; i += 1) await new Promise<void>((resolve) => setImmediate(resolve));
}

interface Pending {
  fd: number;
  finish(): void;
  fail(error: Error): void;
}

/** A disk whose syncs wait until they are let go. */
export class HeldDisk implements SyncLayer {
  /** Called for and not yet answered, oldest first. */
  pending: Pending[] = [];
  calls = 0;
  /** Whether syncs wait. */
  held = false;
  readonly paths = new Map<number, string>();

  constructor() {
    takeDownAfterTest();
    disks.push(this);
  }

  open(file: string): number {
    const fd = fs.openSync(file, 'r+');
    this.paths.set(fd, file);
    return fd;
  }

  fdatasync(fd: number): Promise<void> {
    this.calls += 1;
    if (!this.held) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const done = (settle: () => void) => () => {
        this.pending = this.pending.filter((one) => one !== entry);
        settle();
      };
      const entry: Pending = { fd, finish: done(resolve), fail: (error) => done(() => reject(error))() };
      this.pending.push(entry);
    });
  }

  close(fd: number): void {
    fs.closeSync(fd);
  }

  /** Lets all go, and those to come. */
  release(): void {
    this.held = false;
    for (const one of this.pending.slice()) one.finish();
  }
}

/** The files as they stand, as after a crash of the process alone. */
export function copyFiles(dir: string): string {
  const copy = newDir();
  for (const name of ['site.db', 'site.db-wal']) {
    if (fs.existsSync(path.join(dir, name))) fs.copyFileSync(path.join(dir, name), path.join(copy, name));
  }
  return copy;
}
