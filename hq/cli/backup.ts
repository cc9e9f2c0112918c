import path from 'node:path';
import { systemClock } from '../../common/clock.ts';
import { createLogger } from '../../common/log.ts';
import { say, sayer } from '../../common/message.ts';
import { readSecret } from '../../common/secret/secret.ts';
import { size } from '../../common/terminal/amounts.ts';
import { noteBackup } from '../../common/terminal/backup-note.ts';
import { UsageError } from '../../common/terminal/command.ts';
import { EXIT } from '../../common/terminal/exit.ts';
import { isThere } from '../../common/terminal/there.ts';
import { formatTime } from '../../common/time.ts';
import { makeBackup, partsOf } from '../backup/backup.ts';
import { backupMessages, copyReasons } from '../backup/backup-messages.ts';
import { rowsIn } from '../backup/manifest.ts';
import { restoreBackup } from '../backup/restore.ts';
import { RestoreRefused } from '../backup/whole.ts';
import type { HubConfig, OriginalsConfig } from '../config.ts';
import { backupTexts } from './backup-messages.ts';
import type { HubContext } from './context.ts';
import { withDatabase } from './database.ts';

/** `backup`: copies the database, also while the hub runs. */
export async function backup(
  {
    file,
    copy,
    'without-secrets': withoutSecrets,
  }: { file: string; copy: boolean; 'without-secrets': boolean },
  { terminal, config, language }: HubContext,
): Promise<number> {
  const w = sayer(backupTexts, language);
  const target = path.resolve(file);
  if (isThere(target)) throw new UsageError(w('fileExists', { file: target }));
  if (isThere(partsOf(target))) throw new UsageError(w('partsExist', { folder: partsOf(target) }));
  if (!isThere(path.dirname(target))) throw new UsageError(w('noFolder', { dir: path.dirname(target) }));
  const secretsDir = path.join(config.dataDir, 'secrets');
  const log = createLogger('fieldline-hq', config.logLevel);
  const { bytes, manifest, byCopy } = await withDatabase(config, log, (url) =>
    makeBackup({
      url,
      target,
      instance: config.instance,
      secretsDir: withoutSecrets ? null : secretsDir,
      masterKey: readSecret(
        config.masterKeyRef ?? `file:${path.join(secretsDir, 'master-key')}`,
        config.secrets,
      ),
      copyOnly: copy,
      log,
      now: systemClock.now(),
    }),
  );
  const unnoted = noteBackup(config.dataDir, {
    at: manifest.at,
    bytes,
    events: rowsIn(manifest, 'events'),
    verified: true,
  });
  const keyElsewhere = config.masterKeyRef === null ? [] : [w('keyElsewhere')];
  terminal.out(
    [
      w('made', { file: target, size: size(bytes), events: rowsIn(manifest, 'events') }),
      ...(manifest.dump ? [w('byDump', { tool: manifest.dump.tool })] : []),
      ...(byCopy ? [say(copyReasons, byCopy, language)] : []),
      ...(withoutSecrets ? [w('withoutSecrets')] : [w('withSecrets'), ...keyElsewhere]),
      ...(unnoted === null ? [] : [w('notNoted', { reason: unnoted })]),
      w('notIn', { evidence: path.join(config.dataDir, 'evidence'), originals: placeOf(config.originals) }),
      '',
    ].join('\n'),
  );
  return EXIT.well;
}

/** `restore`: puts a backup into an empty database. */
export async function restore(
  { file }: { file: string },
  { terminal, config, language, time }: HubContext,
): Promise<number> {
  const w = sayer(backupTexts, language);
  const source = path.resolve(file);
  if (!isThere(source)) throw new UsageError(w('noFile', { file: source }));
  const log = createLogger('fieldline-hq', config.logLevel);
  const manifest = await withDatabase(config, log, (url) =>
    restoreBackup({
      url,
      source,
      dataDir: config.dataDir,
      masterKey: masterKeyOf(config),
      epoch: systemClock.newId(),
      now: formatTime(systemClock.now()),
    }),
  ).catch((error: unknown) => {
    throw error instanceof RestoreRefused
      ? new UsageError(say(backupMessages, error.fault, language))
      : error;
  });
  terminal.out(
    [
      w('restored', {
        events: rowsIn(manifest, 'events'),
        instance: manifest.instance,
        at: time(manifest.at),
      }),
      w('after'),
      '',
    ].join('\n'),
  );
  return EXIT.well;
}

const masterKeyOf = ({ masterKeyRef, secrets }: HubConfig): string | null =>
  masterKeyRef === null ? null : readSecret(masterKeyRef, secrets);

const placeOf = (originals: OriginalsConfig): string =>
  originals.kind === 'directory' ? originals.dir : `${originals.endpoint}/${originals.bucket}`;
