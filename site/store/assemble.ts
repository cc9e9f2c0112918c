import fs from 'node:fs';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import type { Logger } from '../../common/log.ts';
import { SiteAdminKeys } from './port/admin-key.ts';
import { SiteAgent } from './port/agent.ts';
import { SiteAlarms } from './port/alarm.ts';
import { SiteAudit } from './port/audit.ts';
import { SiteChannels } from './port/channel.ts';
import { Checkpointer, defaultLimits } from './engine/checkpoint.ts';
import { SiteClockMarks } from './port/clock-mark.ts';
import { GroupCommit } from './engine/group-commit.ts';
import { HighWaterMark } from './engine/high-water-mark.ts';
import { SiteEvents } from './port/event.ts';
import { keysAfter, newestEvent } from './port/event-statements.ts';
import { defaultIndexLimits, EventIndex } from './event-index/event-index.ts';
import { SiteEvidence } from './port/evidence.ts';
import { SiteEvidenceWants } from './port/evidence-want.ts';
import { SiteEvidenceJobs } from './port/evidence-job.ts';
import { SiteFeedback } from './port/feedback.ts';
import type { StoreFiles } from './engine/files.ts';
import { StorageHealth } from './health/health.ts';
import { SiteHistory } from './port/history.ts';
import { SiteIncidents } from './port/incident.ts';
import { SiteKeys } from './port/key.ts';
import { defaultKeyLimits, KeyIndex } from './key-index/key-index.ts';
import { KnownNote, lossTold } from './engine/known.ts';
import type { StoreLock } from './engine/lock.ts';
import { SiteLoginAttempts } from './port/login-attempt.ts';
import { Meta } from './engine/meta.ts';
import { SiteNotifications } from './port/notification.ts';
import { SitePush } from './port/push.ts';
import { SiteRetention } from './retention/retention.ts';
import { SiteRules } from './port/rule.ts';
import { SiteSecrets } from './port/secret.ts';
import { SiteSessions } from './port/session.ts';
import { SiteShed } from './retention/eviction.ts';
import type { OpenOptions, SiteStore } from './site-store.ts';
import { SiteStats } from './event-index/stats.ts';
import { SiteSubscriptions } from './port/subscription.ts';
import { diskReads, diskSync, type SyncLayer } from './engine/sync.ts';
import { SiteTasks } from './port/task.ts';
import { SiteUplink } from './port/uplink.ts';
import { SiteVerdicts } from './port/verdict.ts';
import { lastChangeOf } from './port/verdict-statements.ts';
import { numberWork, SiteWork } from './port/work.ts';

/** A write of so long ago, ms, still shows that the disk takes them. */
const WRITE_STANDS_MS = 30_000;

/** Puts the ports together on files that are open. */
export function assemble(
  options: OpenOptions,
  files: StoreFiles,
  { lock, salvaged, passed, lost }: { lock: StoreLock } & Omit<SiteStore['opened'], 'upgrade'>,
): SiteStore {
  const { clock, log } = options;
  const sync = options.sync ?? diskSync;
  const { main, pin, dbFd, walFd } = files;
  const newId = () => clock.newId();
  const orm = drizzle({ client: main });
  const group = new GroupCommit(main, { sync, walFd, log, monotonic: () => clock.monotonic() });
  const checkpointer = new Checkpointer({
    group,
    pin,
    sync,
    dbFd,
    limits: options.checkpoint ?? defaultLimits,
    log,
    monotonic: () => clock.monotonic(),
  });
  const meta = new Meta(main);
  const keyIndex = new KeyIndex({
    group,
    meta,
    storedAfter: keysAfter(main),
    limits: options.keyIndex ?? defaultKeyLimits,
    log,
  });
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
  const events = new SiteEvents(group, meta, keyIndex, eventIndex, eventIds);
  const verdicts = new SiteVerdicts(group, events, changeNumbers);
  const audit = new SiteAudit(group, orm, () => clock.monotonic());
  const subscriptions = new SiteSubscriptions({ group, orm, events, audit, newId });
  numberWork(main, meta);
  const work = new SiteWork({ group, orm, meta, events });
  const tasks = new SiteTasks({ group, orm, events, audit, work });
  const notifications = new SiteNotifications(group, orm);
  const channels = new SiteChannels({ group, orm, audit });
  const uplink = new SiteUplink({ group, orm, events, verdicts, work, audit, newId });
  const evidenceJobs = new SiteEvidenceJobs(group, orm);
  const shared = {
    group,
    forgotten: keyIndex.forgotten,
    uplink,
    audit,
    subscriptions: () => subscriptions.all(),
    onForget: (eventIds: readonly number[]) => eventIndex.forget(eventIds),
  };
  const retention = new SiteRetention({ ...shared, meta });
  let epoch = firstEpoch(meta, files, newId);

  const renewEpoch = async (nextIdAfter: number) => {
    const next = newId();
    await group.write(() => {
      events.continueAfter(nextIdAfter);
      meta.set('epoch', next);
    });
    epoch = next;
    return next;
  };

  const probe = (): Promise<unknown> => group.write(() => meta.set('probed_at', clock.now()));
  const health = new StorageHealth({
    dir: options.dir,
    sqlite: main,
    fds: [dbFd, walFd],
    reads: options.reads ?? diskReads,
    write: probe,
    giveUp: (error) => void group.fail(error),
    clock,
    log,
    firstAfterMs: options.integrityAfterMs,
    pausesMs: options.faultPausesMs,
  });
  files.reports.failed = (error, fault) => health.statementFailed(error, fault);
  const cameras = main
    .prepare<[], number>("SELECT count(*) FROM keys WHERE purpose = 'node' AND removed_at IS NULL")
    .pluck();
  const known = new KnownNote({
    dir: options.dir,
    now: () => clock.now(),
    monotonic: () => clock.monotonic(),
    log,
    look: () => {
      const { cursor, lastAckAt } = uplink.channel('events');
      // Without a look at the events: what was not sent is never deleted.
      const unsent =
        lastAckAt === null ? null : events.highWaterMark - Math.max(cursor, meta.number('ids_began_after'));
      return { lastEventId: events.highWaterMark, unsent, cameras: cameras.get() ?? 0 };
    },
  });
  known.write();
  eventIndex.loop.start();
  let closing: Promise<unknown> | null = null;

  return {
    epoch: () => epoch,
    probe: async () => void (await probe()),
    seemsWritable: async () => {
      if (!group.tookWithin(WRITE_STANDS_MS)) await probe();
    },
    events,
    verdicts,
    subscriptions,
    keys: new SiteKeys({ group, orm, audit, newId }),
    adminKeys: new SiteAdminKeys({ group, orm, audit, newId }),
    feedback: new SiteFeedback(group, orm),
    audit,
    alarms: new SiteAlarms(group, orm),
    sessions: new SiteSessions({ group, orm, audit, newId }),
    tasks,
    notifications,
    channels,
    secrets: new SiteSecrets({ group, orm, audit }),
    agent: new SiteAgent({ group, orm, events, tasks, channels, notifications }),
    rules: new SiteRules({ group, orm, audit }),
    incidents: new SiteIncidents({ group, orm, events, audit, work }),
    loginAttempts: new SiteLoginAttempts(group, orm),
    push: new SitePush({ group, orm, audit }),
    evidence: new SiteEvidence({ group, orm, audit, offerFrom: options.offerEvidenceFrom ?? null }),
    evidenceJobs,
    stats: new SiteStats({ sqlite: main, index: eventIndex, monotonic: () => clock.monotonic() }),
    eventIndex,
    retention,
    history: new SiteHistory({ group, meta, events }),
    shed: new SiteShed({ ...shared, retention, countEvents: () => eventIndex.count() }),
    clockMarks: new SiteClockMarks(group),
    integrity: () => health.view(),
    startHealth: (onPassed) => {
      if (onPassed) health.onPassed = onPassed;
      health.loop.start();
      known.loop.start();
    },
    opened: { salvaged, passed, lost, upgrade: files.upgrade },
    lossTold: () => lossTold(options.dir),
    uplink,
    evidenceWants: new SiteEvidenceWants(group, evidenceJobs),
    work,
    renewEpoch,
    failed: group.failed,
    facts: () => ({
      walBytes: checkpointer.walBytes,
      dbBytes: fs.fstatSync(dbFd).size,
      dbFreeBytes: (main.pragma('freelist_count', { simple: true }) as number) * 4096,
      ...group.counts,
      checkpoints: checkpointer.rounds,
      walBytesWritten: checkpointer.walBytesWritten,
      keysInMemory: keyIndex.pending,
      eventsBeyondIndex: eventIndex.pending,
    }),
    close: async () => {
      closing ??= Promise.all([health.loop.stop(), known.loop.stop()])
        .then(() => {
          if (!group.hasFailed) known.write();
          return shut({ eventIndex, keyIndex, checkpointer, group, log }, files, sync);
        })
        .then((whole) => whole && lock.release());
      await closing;
    },
  };
}

interface Running {
  eventIndex: EventIndex;
  keyIndex: KeyIndex;
  checkpointer: Checkpointer;
  group: GroupCommit;
  log: Logger;
}

/** @returns false when a sync had failed and everything was left as it is */
async function shut(
  { eventIndex, keyIndex, checkpointer, group, log }: Running,
  files: StoreFiles,
  sync: SyncLayer,
): Promise<boolean> {
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

function firstEpoch(meta: Meta, files: StoreFiles, newId: () => string): string {
  const found = meta.text('epoch');
  if (found !== null) return found;
  const epoch = newId();
  meta.set('epoch', epoch);
  fs.fdatasyncSync(files.walFd);
  return epoch;
}
