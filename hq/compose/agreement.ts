// The hubs of one database need one folder of evidence and one place of originals (hq/store/README.md,
// "Several hubs"). One that has another is not let in beside them; alone, it works and says so: events do not
// wait for a folder.
import os from 'node:os';
import { setTimeout as after } from 'node:timers/promises';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import type { EvidenceFiles } from '../../common/core/evidence/files.ts';
import { Loop } from '../../common/loop.ts';
import { databaseMessages } from '../database-messages.ts';
import type { OriginalStorage } from '../policy/original/original.ts';
import { runsWith } from '../store/engine/news.ts';
import type { Base } from './base.ts';

/** How often it is seen whether the originals lie where those of the others do, ms. */
const LOOK_MS = 30_000;
/** How long a start waits for the place of the originals, ms. */
const START_MS = 5_000;

/** Another hub would bring files to where this one does not look. */
export class PlaceDiffers extends Error {
  override name = 'PlaceDiffers';
  readonly forPeople = true;
}

type Code = 'evidence_folder_other' | 'originals_other';

async function tell({ config, store, clock, log }: Base, code: Code, folder: string | null): Promise<void> {
  const host = os.hostname();
  const key = `${code}:${host}:${config.dataDir}`;
  if (folder === null) return void (await store.alarms.clear(key, config.instance, clock.now()));
  const text = alarmText(databaseMessages, { code, params: { folder } }, { folder, host });
  log.error({ alarm: code, folder }, text.message);
  const kind = { instance: config.instance, tenantCode: null, severity: 'critical' as const };
  await store.alarms.raise({ key, ...kind, ...text }, clock.now());
}

/**
 * Raises an alarm as long as the folder of evidence here is another than that of the database.
 * @throws PlaceDiffers while another hub runs with that folder
 */
export function agreeOnEvidence(base: Base, files: EvidenceFiles): Promise<void> {
  const { store } = base;
  const code = 'evidence_folder_other';
  // Two hubs that start at once do not overlook each other.
  return store.facts.alone('evidence_mark', async () => {
    const agreed = await store.facts.agree('evidence_mark', files.mark);
    if (agreed === files.mark) {
      await tell(base, code, null);
      return store.news.show('evidence', agreed);
    }
    const folder = files.directory;
    if (await runsWith(store.pool, 'evidence', agreed))
      throw new PlaceDiffers(
        `Another hub of this database is running with another folder of evidence than ${folder}: files of ` +
          'sites come in pieces to any hub, and would neither be finished nor found. Mount the folder of ' +
          'the others there, or make it a symbolic link to it.',
      );
    return tell(base, code, folder);
  });
}

async function late(): Promise<never> {
  await after(START_MS, undefined, { ref: false });
  throw new Error(`the place of the originals did not answer within ${START_MS / 1000} s`);
}

/**
 * The same for the originals of policy files. The first of them marks their place, so that it is looked at
 * again and again. @throws PlaceDiffers
 */
export async function agreeOnOriginals(base: Base, storage: OriginalStorage): Promise<Loop> {
  const { store, clock, log } = base;
  let told: string | null = null;
  const look = async (starts: boolean): Promise<void> => {
    const standing = await (starts ? Promise.race([storage.standing(), late()]) : storage.standing());
    const mark = await store.facts.get('originals_mark');
    const other = standing === 'other' ? storage.name : null;
    if (standing === 'agreed' && mark !== null) await store.news.show('originals', mark);
    if (starts && other !== null && mark !== null && (await runsWith(store.pool, 'originals', mark)))
      throw new PlaceDiffers(
        `Another hub of this database is running with other originals of policy files than ${other}: what ` +
          'is uploaded to one would be missing at the other. Give CORE_DOC_DIR the folder of the others, ' +
          'or CORE_DOC_S3_BUCKET their bucket.',
      );
    if (starts || told !== other) await tell(base, 'originals_other', other);
    told = other;
  };
  await store.facts
    .alone('originals_mark', () => look(true))
    .catch((error: unknown) => {
      if (error instanceof PlaceDiffers) throw error;
      // A folder or bucket that cannot be reached now says which it is when it is back.
      log.warn({ err: error }, 'it is not seen yet whether the originals of policy files lie where they did');
    });
  return new Loop({
    ...{ name: 'originals of policy files', interval: LOOK_MS, log, monotonic: () => clock.monotonic() },
    round: () => look(false),
  });
}
