// Which database this hub was started on last: another in its place, as an empty one behind a wrong address,
// would say that all is well and know of no site.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import { databaseMessages } from '../database-messages.ts';
import type { Base } from './base.ts';

const NOTE = 'hq.database';
const CODE = 'hub_database_other';

/** Tells the operators of a database that is not the one which this data directory goes with. */
export async function tellOtherDatabase({ config, store, clock, log }: Base): Promise<void> {
  const file = join(config.dataDir, NOTE);
  const known = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  const found = await store.facts.agree('database', clock.newId());
  if (known === found) return;
  if (known !== '') {
    const sites = (await store.sites.list()).length;
    const text = alarmText(databaseMessages, { code: CODE, params: { sites } }, { sites });
    log.error({ alarm: CODE, sites }, text.message);
    const alarm = { key: CODE, instance: config.instance, tenantCode: null, severity: 'critical' } as const;
    await store.alarms.raise({ ...alarm, shared: true, ...text }, clock.now());
  }
  // After the alarm: it is raised again where the start ends in between.
  writeFileSync(`${file}.new`, `${found}\n`, { mode: 0o640, flush: true });
  renameSync(`${file}.new`, file);
}
