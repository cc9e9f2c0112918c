// The hubs of one database need one folder of evidence (hq/store/README.md, "Several hubs"). One that has
// another is not let in beside them; alone, it works and says so: events are not to wait for a folder.
import os from 'node:os';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import type { EvidenceFiles } from '../../common/core/evidence/files.ts';
import { hubMessages } from '../hub-messages.ts';
import { runsWithFolder } from '../store/engine/news.ts';
import type { Base } from './base.ts';

const ALARM = 'evidence_folder_other';

/** Another hub would bring pieces of files to where this one does not look. */
export class EvidenceFolderDiffers extends Error {
  override name = 'EvidenceFolderDiffers';
  readonly forPeople = true;
}

/**
 * Raises an alarm as long as the folder of evidence here is another than that of the database.
 * @throws EvidenceFolderDiffers while another hub runs with that folder
 */
export async function agreeOnEvidence(
  { config, store, clock, log }: Base,
  files: EvidenceFiles,
): Promise<void> {
  const key = `${ALARM}:${os.hostname()}:${config.dataDir}`;
  const agreed = await store.facts.agree('evidence_mark', files.mark);
  if (agreed === files.mark) {
    await store.alarms.clear(key, config.instance, clock.now());
    return store.news.showFolder(agreed);
  }
  const folder = files.directory;
  if (await runsWithFolder(store.pool, agreed))
    throw new EvidenceFolderDiffers(
      `Another hub of this database is running with another folder of evidence than ${folder}: files of ` +
        'sites come in pieces to any hub, and would neither be finished nor found. Mount the folder of the ' +
        'others there, or make it a symbolic link to it.',
    );
  const text = alarmText(hubMessages, { code: ALARM, params: { folder } }, { folder, host: os.hostname() });
  log.error({ alarm: ALARM, folder }, text.message);
  const kind = { instance: config.instance, tenantCode: null, severity: 'critical' as const };
  await store.alarms.raise({ key, ...kind, ...text }, clock.now());
}
