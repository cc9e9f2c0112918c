import type { Clock } from '../../clock.ts';
import type { Logger } from '../../log.ts';
import { Loop } from '../../loop.ts';
import { coreAlarmMessages } from '../alarm/alarm-messages.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import type { AlarmPort } from '../alarm/port.ts';
import type { EvidenceFiles } from './files.ts';

const LOOK_EVERY_MS = 30_000;
const KEY = 'evidence_folder';

/** Tells while the folder of the evidence files cannot be used: pictures are refused, and wait elsewhere. */
export class EvidenceFolderAlarm {
  readonly loop: Loop;
  #options: FolderAlarmOptions;

  constructor(options: FolderAlarmOptions) {
    this.#options = options;
    const { clock, log } = options;
    this.loop = new Loop({
      name: 'folder of evidence',
      interval: LOOK_EVERY_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: () => this.look(),
    });
  }

  async look(): Promise<void> {
    const { files, alarms, self, clock } = this.#options;
    const fault = await files.folderFault();
    if (fault === null) {
      await alarms.clear(KEY, self, clock.now());
      return;
    }
    const text = alarmText(coreAlarmMessages, { code: `evidence_folder_${fault}`, params: {} });
    await alarms.raise(
      { key: KEY, instance: self, tenantCode: null, severity: 'critical', ...text },
      clock.now(),
    );
  }
}

export interface FolderAlarmOptions {
  files: Pick<EvidenceFiles, 'folderFault'>;
  alarms: AlarmPort;
  self: string;
  clock: Clock;
  log: Logger;
}
