import { StoreNoteKeeper } from '../engine/store-note.ts';
import { diskReads } from '../engine/sync.ts';
import { StorageHealth } from '../health/health.ts';
import type { OpenOptions } from '../site-store.ts';
import type { Engine } from './engine.ts';
import type { Ports } from './ports.ts';

/** @param write takes a write of its own and makes it durable */
export function createHealth(
  options: OpenOptions,
  { files, group }: Engine,
  write: () => Promise<unknown>,
): StorageHealth {
  const health = new StorageHealth({
    dir: options.dir,
    sqlite: files.main,
    fds: [files.dbFd, files.walFd],
    reads: options.reads ?? diskReads,
    write,
    giveUp: (error) => void group.fail(error),
    clock: options.clock,
    log: options.log,
    firstAfterMs: options.integrityAfterMs,
    pausesMs: options.faultPausesMs,
  });
  files.statementFaults.on('fault', (error, kind) => health.statementFailed(error, kind));
  return health;
}

/** The note beside the store of what it holds. */
export function createStoreNote(
  { dir, clock, log }: OpenOptions,
  { files, meta }: Engine,
  { events, uplink }: Ports,
): StoreNoteKeeper {
  const cameras = files.main
    .prepare<[], number>("SELECT count(*) FROM keys WHERE purpose = 'node' AND removed_at IS NULL")
    .pluck();
  const look = () => {
    const lastEventId = events.highWaterMark;
    const { cursor, lastAckAt } = uplink.channel('events');
    // The events need not be read: what was not sent is never deleted.
    const unsent = lastAckAt === null ? null : lastEventId - Math.max(cursor, meta.number('ids_began_after'));
    return { lastEventId, unsent, cameras: cameras.get() ?? 0 };
  };
  return new StoreNoteKeeper({ dir, look, now: () => clock.now(), monotonic: () => clock.monotonic(), log });
}
