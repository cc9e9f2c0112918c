import fs from 'node:fs';
import { closeEngine, createEngine, type Engine } from './compose/engine.ts';
import { createPorts } from './compose/ports.ts';
import { createHealth, createStoreNote } from './compose/watch.ts';
import { StoreEpoch } from './engine/epoch.ts';
import type { StoreFiles } from './engine/files.ts';
import type { StoreLock } from './engine/lock.ts';
import { readRestoredNote, RESTORED } from './engine/restored-note.ts';
import { clearLossNote } from './engine/store-note.ts';
import type { OpenOptions, SiteStore, StoreFacts } from './site-store.ts';

/** A write that became durable within this long shows that the disk still takes them, ms. */
const WRITE_COUNTS_MS = 30_000;

/** Puts the store together on files that are open. */
export function assemble(
  options: OpenOptions,
  files: StoreFiles,
  { lock, salvaged, passed, lost }: { lock: StoreLock } & Omit<SiteStore['opened'], 'upgrade' | 'restored'>,
): SiteStore {
  const { clock } = options;
  const engine = createEngine(options, files);
  const { group, meta, eventIndex } = engine;
  const ports = createPorts(engine, options);
  for (const port of [ports.events, ports.changes, ports.verdicts]) group.joinTransactions(port);
  const epoch = new StoreEpoch(group, meta, files.walFd, () => clock.newId());
  const probe = (): Promise<void> => group.write(() => meta.set('probed_at', clock.now()));
  const health = createHealth(options, engine, probe);
  const note = createStoreNote(options, engine, ports);
  note.write();
  eventIndex.loop.start();

  const close = async (): Promise<void> => {
    await Promise.all([health.loop.stop(), note.loop.stop()]);
    if (!group.hasFailed) note.write();
    if (await closeEngine(engine, options)) lock.release();
  };
  let closing: Promise<void> | null = null;
  return {
    ...ports,
    epoch: () => epoch.current,
    renewEpoch: (nextIdAfter) => epoch.renew(() => ports.events.continueAfter(nextIdAfter)),
    probe,
    seemsWritable: async () => {
      if (!group.tookWithin(WRITE_COUNTS_MS)) await probe();
    },
    integrity: () => health.view(),
    startHealth: (onPassed) => {
      health.start(onPassed);
      note.loop.start();
    },
    opened: {
      ...{ salvaged, passed, lost, upgrade: files.upgrade },
      restored: readRestoredNote(meta.text(RESTORED)),
    },
    clearRestoredNote: () => group.write(() => meta.set(RESTORED, '')),
    clearLossNote: () => clearLossNote(options.dir),
    failed: group.failed,
    facts: () => factsOf(engine),
    close: () => (closing ??= close()),
  };
}

function factsOf({ files, group, checkpointer, keyIndex, eventIndex }: Engine): StoreFacts {
  return {
    walBytes: checkpointer.walBytes,
    dbBytes: fs.fstatSync(files.dbFd).size,
    dbFreeBytes: (files.main.pragma('freelist_count', { simple: true }) as number) * 4096,
    ...group.counts,
    checkpoints: checkpointer.rounds,
    walBytesWritten: checkpointer.walBytesWritten,
    keysInMemory: keyIndex.pending,
    eventsBeyondIndex: eventIndex.pending,
  };
}
