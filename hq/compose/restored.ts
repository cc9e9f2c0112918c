// A database that was put back from a backup is told to the operators by the first hub that starts on it.
import * as z from 'zod/mini';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import { databaseMessages } from '../database-messages.ts';
import type { Base } from './base.ts';

const form = z.object({ at: z.string(), made: z.string() });
const CODE = 'hub_restored';

export async function tellRestored({ config, store, clock, log }: Base): Promise<void> {
  const note = await store.facts.get('restored');
  if (note === null) return;
  const params = form.parse(JSON.parse(note));
  const text = alarmText(databaseMessages, { code: CODE, params }, params);
  log.warn({ alarm: CODE, ...params }, text.message);
  const alarm = { key: CODE, instance: config.instance, tenantCode: null, severity: 'warning' } as const;
  await store.alarms.raise({ ...alarm, shared: true, ...text }, clock.now());
  await store.facts.remove('restored');
}
