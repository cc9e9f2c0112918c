import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import { Loop } from '../../common/loop.ts';
import { counter } from '../../common/metrics.ts';
import { hubMessages } from '../hub-messages.ts';
import type { Base, HubModule } from './base.ts';

const LOOK_EVERY_MS = 15_000;
/** Looks in a row that find the standby away or behind before somebody is told. */
const PATIENCE = 4;
const ALARM = 'database_replica';

/** Watches the standby that lists and statistics are read from, if there is one. */
export function replicaOf({ config, store, clock, log, lifecycle }: Base): HubModule[] {
  const { replica } = store;
  if (!replica) return [];
  let missed = 0;
  const round = async (): Promise<{ again: false }> => {
    await store.lookAtReplica();
    missed = replica.state === 'used' ? 0 : missed + 1;
    if (missed === 0) await store.alarms.clear(ALARM, config.instance, clock.now());
    if (missed === PATIENCE)
      await store.alarms.raise(
        {
          key: ALARM,
          instance: config.instance,
          tenantCode: null,
          severity: 'warning',
          ...alarmText(hubMessages, { code: ALARM, params: {} }, { state: replica.state }),
        },
        clock.now(),
      );
    return { again: false };
  };
  const loop = new Loop({
    name: 'standby for reads',
    interval: LOOK_EVERY_MS,
    log,
    monotonic: () => clock.monotonic(),
    round,
  });
  lifecycle.onStop('standby for reads', () => loop.stop());
  const reads = counter(
    'fieldline_database_list_reads_total',
    'Lists and statistics read from the standby (`used`), and from the primary because it was away or behind',
    () => Object.entries(replica.counts).map(([standby, value]) => ({ labels: { standby }, value })),
  );
  const used = {
    name: 'fieldline_database_standby_used',
    help: 'Whether lists and statistics are read from the standby',
    type: 'gauge' as const,
    read: () => (replica.state === 'used' ? 1 : 0),
  };
  return [{ routes: [], metrics: [reads, used], start: () => loop.start() }];
}
