// The hubs of one database need one folder of evidence (hq/store/README.md, "Several hubs").
import os from 'node:os';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import type { EvidenceFiles } from '../../common/core/evidence/files.ts';
import { hubMessages } from '../hub-messages.ts';
import type { Base } from './base.ts';

const ALARM = 'evidence_folder_other';

/** Raises an alarm as long as the folder of evidence here is another than that of the database. */
export async function agreeOnEvidence(
  { config, store, clock, log }: Base,
  files: EvidenceFiles,
): Promise<void> {
  const key = `${ALARM}:${os.hostname()}:${config.dataDir}`;
  if ((await store.facts.agree('evidence_mark', files.mark)) === files.mark) {
    await store.alarms.clear(key, config.instance, clock.now());
    return;
  }
  const folder = files.directory;
  const text = alarmText(hubMessages, { code: ALARM, params: { folder } }, { folder, host: os.hostname() });
  log.error({ alarm: ALARM, folder }, text.message);
  const kind = { instance: config.instance, tenantCode: null, severity: 'critical' as const };
  await store.alarms.raise({ key, ...kind, ...text }, clock.now());
}
