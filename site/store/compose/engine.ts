import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { keysAfter, newestEvent } from '../adapter/event-statements.ts';
import { lastChangeOf } from '../adapter/verdict-statements.ts';
import { Checkpointer, defaultLimits } from '../engine/checkpoint.ts';
import type { StoreFiles } from '../engine/files.ts';
import { GroupCommit } from '../engine/group-commit.ts';
import { HighWaterMark } from '../engine/high-water-mark.ts';
import { Meta } from '../engine/meta.ts';
import { diskSync } from '../engine/sync.ts';
import { defaultIndexLimits, EventIndex } from '../event-index/event-index.ts';
import { defaultKeyLimits, KeyIndex } from '../key-index/key-index.ts';
import type { OpenOptions } from '../site-store.ts';

/** What the ports of the store write with: transactions, numbers and indexes. */
export interface Engine {
  files: StoreFiles;
  orm: BetterSQLite3Database;
  group: GroupCommit;
  checkpointer: Checkpointer;
  meta: Meta;
  keyIndex: KeyIndex;
  /** Of the event ids. */
  eventIds: HighWaterMark;
  /** Of the change numbers of verdicts. */
  changeNumbers: HighWaterMark;
  eventIndex: EventIndex;
}

/** Everything in the files must be durable. */
export function createEngine(options: OpenOptions, files: StoreFiles): Engine {
  const { clock, log, sync = diskSync } = options;
  const { main, pin, dbFd, walFd } = files;
  const monotonic = (): number => clock.monotonic();
  const group = new GroupCommit(main, { sync, walFd, log, monotonic });
  const limits = options.checkpoint ?? defaultLimits;
  const checkpointer = new Checkpointer({ group, pin, sync, dbFd, limits, log, monotonic });
  const meta = new Meta(main);
  const keyIndex = new KeyIndex({
    group,
    meta,
    storedAfter: keysAfter(main),
    limits: options.keyIndex ?? defaultKeyLimits,
    log,
  });
  group.joinTransactions(keyIndex);
  const eventIds = new HighWaterMark(newestEvent(main, meta).id);
  const changeNumbers = new HighWaterMark(lastChangeOf(main)().changeNo);
  group.joinSyncs(eventIds);
  group.joinSyncs(changeNumbers);
  const eventIndex = new EventIndex({
    group,
    meta,
    events: eventIds,
    changes: changeNumbers,
    limits: options.eventIndex ?? defaultIndexLimits,
    log,
  });
  group.joinTransactions(eventIndex);
  group.joinSyncs(eventIndex);
  const orm = drizzle({ client: main });
  return { files, orm, group, checkpointer, meta, keyIndex, eventIds, changeNumbers, eventIndex };
}

/** @returns false when a sync had failed and everything was left as it is */
export async function closeEngine(engine: Engine, { log, sync = diskSync }: OpenOptions): Promise<boolean> {
  const { files, group, checkpointer, keyIndex, eventIndex } = engine;
  await eventIndex.close();
  await keyIndex.close();
  await checkpointer.settled();
  await group.drain();
  await checkpointer.settled();
  if (group.hasFailed) return false;
  try {
    await checkpointer.round();
  } catch (error) {
    if (group.hasFailed) return false;
    log.warn({ err: error }, 'the last checkpoint failed; the next start recovers from the WAL');
  }
  files.pin.close();
  files.main.close();
  sync.close(files.walFd);
  sync.close(files.dbFd);
  return true;
}
