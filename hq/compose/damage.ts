import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import { Loop } from '../../common/loop.ts';
import { databaseMessages } from '../database-messages.ts';
import type { Base, HubModule } from './base.ts';

const LOOK_EVERY_MS = 60_000;
/** A fault that is met again after so long is told again: somebody may have cleared the alarm. ms */
const FORGET_AFTER_MS = 3_600_000;
/** Between two readings of all small tables, ms. */
const READ_EVERY_MS = 86_400_000;
const ALARM = 'database_damaged';
const FAULT_CHARS = 300;

/** Tells of damage in the database, whoever came upon it, and reads now and then what nobody else reads. */
export function damageOf({ config, store, clock, log, lifecycle }: Base): HubModule {
  const unsaid: string[] = [];
  let [forgotAt, readAt] = [clock.monotonic(), -Infinity];
  const raise = async (fault: string): Promise<void> => {
    const params = { fault: fault.slice(0, FAULT_CHARS) };
    const text = alarmText(databaseMessages, { code: ALARM, params });
    const alarm = { key: ALARM, instance: config.instance, tenantCode: null, severity: 'critical' } as const;
    await store.alarms.raise({ ...alarm, shared: true, ...text }, clock.now());
  };
  const round = async (): Promise<void> => {
    for (let fault = unsaid[0]; fault !== undefined; fault = unsaid[0]) {
      await raise(fault);
      unsaid.shift();
    }
    const now = clock.monotonic();
    if (now - forgotAt >= FORGET_AFTER_MS) {
      forgotAt = now;
      store.damage.forget();
    }
    if (now - readAt < READ_EVERY_MS) return;
    readAt = now;
    await store.readTables();
  };
  const loop = new Loop({
    name: 'damage of the database',
    interval: LOOK_EVERY_MS,
    log,
    monotonic: () => clock.monotonic(),
    round,
  });
  store.damage.onFault((fault) => {
    log.error({ fault }, 'the database cannot read a part of what it holds');
    unsaid.push(fault);
    loop.kick();
  });
  lifecycle.onStop('damage of the database', () => loop.stop());
  return { routes: [], metrics: [], start: () => loop.start() };
}
