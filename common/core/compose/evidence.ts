import type { HttpClient } from '../../http/outbound/client.ts';
import { coreAlarmMessages } from '../alarm/alarm-messages.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import type { EventRecord } from '../event/record.ts';
import type { EvidenceFiles } from '../evidence/files.ts';
import { EvidenceFolderAlarm } from '../evidence/folder-alarm.ts';
import { evidenceMetrics } from '../evidence/metrics.ts';
import { EvidenceOrphans } from '../evidence/orphans.ts';
import type { EvidenceLimits, PictureShrinker, RemoteEvidence } from '../evidence/port.ts';
import { EvidenceReader } from '../evidence/reader.ts';
import { evidenceRetentionHook } from '../evidence/retention-hook.ts';
import { EvidenceRoomAlarms } from '../evidence/room/alarms.ts';
import { evidenceRoutes } from '../evidence/routes.ts';
import { EvidenceService } from '../evidence/service.ts';
import { EvidenceUploader } from '../evidence/uploader.ts';
import type { RetentionHook } from '../retention/port.ts';
import type { CoreBase, CorePart, CoreSecrets } from './part.ts';

export interface EvidenceOptions {
  files: EvidenceFiles;
  limits: EvidenceLimits;
  /** Files of events that arose elsewhere, where sites call. */
  far?: RemoteEvidence;
  /** Makes small pictures, where that is done. */
  small?: PictureShrinker;
  /** Whether a file of an event that is not here can come no more. */
  neverComes?: (event: EventRecord, name: string) => boolean;
  /** Called when a file has come. */
  onStored?: () => void;
}

export interface Evidence extends CorePart {
  /** Removes the files of events that retention has deleted. */
  retentionHook: RetentionHook;
  service: EvidenceService;
}

/**
 * Evidence files: taken in, served, swept, and brought to the storage of consumers that ask for them.
 * @param client reaches that storage
 */
export function createEvidence(
  base: CoreBase,
  secrets: CoreSecrets,
  client: HttpClient,
  options: EvidenceOptions,
): Evidence {
  const { stores, clock } = base;
  const { files, far } = options;
  const uploader = createUploader(base, secrets, client, options);
  const room = createRoomAlarms(base, options.limits);
  const service = new EvidenceService({
    evidence: stores.evidence,
    events: stores.events,
    files,
    limits: options.limits,
    clock,
    onStored: () => {
      uploader.loop.kick();
      options.onStored?.();
    },
    onFull: () => room.refused(),
  });
  const reader = new EvidenceReader({
    evidence: stores.evidence,
    events: stores.events,
    files,
    far,
    small: options.small,
    arriving: (eventId, name) => service.isArriving(eventId, name),
    neverComes: options.neverComes,
  });
  tellDamaged(base, files);
  const watching = [createOrphans(base, files, service), room, createFolderAlarm(base, files)];
  return {
    service,
    retentionHook: evidenceRetentionHook(stores.evidence, files),
    routes: evidenceRoutes(service, reader, stores.evidenceJobs, base.names),
    metrics: evidenceMetrics(stores, service, uploader, files),
    start: () => {
      sweepHalfReceived(base, files);
      uploader.start();
      for (const { loop } of watching) loop.start();
    },
    stop: async () => {
      await Promise.all([uploader.stop(), ...watching.map(({ loop }) => loop.stop())]);
    },
  };
}

function createUploader(
  { stores, clock, log }: CoreBase,
  secrets: CoreSecrets,
  client: HttpClient,
  { files, far }: EvidenceOptions,
): EvidenceUploader {
  return new EvidenceUploader({
    jobs: stores.evidenceJobs,
    evidence: stores.evidence,
    events: stores.events,
    files,
    client,
    secrets: secrets.sources,
    far,
    clock,
    log,
  });
}

const createFolderAlarm = (
  { stores: { alarms }, instance: self, clock, log }: CoreBase,
  files: EvidenceFiles,
): EvidenceFolderAlarm => new EvidenceFolderAlarm({ files, alarms, self, clock, log });

const createRoomAlarms = (
  { stores, clock, log, instance, names }: CoreBase,
  limits: EvidenceLimits,
): EvidenceRoomAlarms =>
  new EvidenceRoomAlarms({
    evidence: stores.evidence,
    alarms: stores.alarms,
    limits,
    self: instance,
    names,
    clock,
    log,
  });

function createOrphans(
  { stores, clock, log, instance }: CoreBase,
  files: EvidenceFiles,
  service: EvidenceService,
): EvidenceOrphans {
  return new EvidenceOrphans({
    events: stores.events,
    evidence: stores.evidence,
    files,
    arriving: (eventId) => service.isArriving(eventId),
    fileTime: () => Date.now(),
    alarms: stores.alarms,
    self: instance,
    now: () => clock.now(),
    log,
  });
}

/** Raises the alarm for each file whose bytes on the disk have changed. */
function tellDamaged({ stores, clock, log, instance }: CoreBase, files: EvidenceFiles): void {
  files.onDamaged(({ eventId, sha256 }, found) => {
    const path = files.nameOf(eventId, sha256);
    log.error({ eventId, path }, 'an evidence file has other bytes on the disk than were received');
    const message = {
      code: 'evidence_damaged',
      params: { event: eventId, files: found, path },
    } as const;
    stores.alarms
      .raise(
        {
          key: 'evidence_damaged',
          instance,
          tenantCode: null,
          severity: 'warning',
          ...alarmText(coreAlarmMessages, message, { eventId, path, files: found }),
        },
        clock.now(),
      )
      .catch((error: unknown) =>
        log.warn({ err: error, eventId }, 'the alarm of a damaged file was not written'),
      );
  });
}

/** Removes what an earlier run left half received, and says when the folder is not the one that was used. */
function sweepHalfReceived({ log }: CoreBase, files: EvidenceFiles): void {
  const swept = files.sweep(Date.now());
  void files
    .present()
    .then(
      (there) =>
        there ||
        log.error(
          'the folder of the evidence files is not the one that they were stored in; evidence is ' +
            'refused until it is mounted again',
        ),
    );
  if (swept > 0) log.info({ files: swept }, 'evidence files that were left half received were removed');
}
