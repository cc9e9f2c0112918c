import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import { Loop } from '../../common/loop.ts';
import { hubMessages } from '../hub-messages.ts';
import type { LeftOut } from '../store/adapter/stepped-over.ts';
import type { WorkName } from '../store/engine/stepped-over.ts';
import type { Base, HubModule } from './base.ts';

const LOOK_EVERY_MS = 15_000;
const CODE = 'rows_left_out';
const MOST_ALARMS = 100_000;

type Needed = Pick<Base, 'store' | 'clock' | 'log' | 'lifecycle'> & { config: { instance: string } };

/** Tells of rows that background work over all tenants had to leave out: an alarm by work and tenant. */
export function steppedOverOf(base: Needed): HubModule {
  const { config, store, clock, log, lifecycle } = base;
  const self = config.instance;
  /** Keys of the alarms that stand, with how many rows they told of; null: not read since the start. */
  let told: Map<string, number> | null = null;
  const standing = async (): Promise<Map<string, number>> => {
    const filter = { tenantCode: null, includeCleared: false, instance: self, keys: [`${CODE}:`] };
    return new Map((await store.alarms.list(filter, MOST_ALARMS)).map(({ key }) => [key, 0]));
  };
  const round = async (): Promise<{ again: false }> => {
    told ??= await standing();
    const left = await store.steppedOver.leftOut();
    const now = new Map(left.map((one) => [keyOf(one), one.rows]));
    for (const one of left) if (told.get(keyOf(one)) !== one.rows) await tell(base, one);
    for (const key of told.keys()) if (!now.has(key)) await store.alarms.clear(key, self, clock.now());
    told = now;
    return { again: false };
  };
  const loop = new Loop({
    name: 'rows left out',
    interval: LOOK_EVERY_MS,
    log,
    monotonic: () => clock.monotonic(),
    round,
  });
  lifecycle.onStop('rows left out', () => loop.stop());
  const gauge = {
    name: 'fieldline_rows_left_out',
    help: 'Rows that background work could not take and goes on without, by work',
    type: 'gauge' as const,
    read: async () =>
      (await store.steppedOver.leftOut()).map(({ work, tenantCode, rows }) => ({
        labels: { work, tenant: tenantCode },
        value: rows,
      })),
  };
  return { routes: [], metrics: [gauge], start: () => loop.start() };
}

const keyOf = ({ work, tenantCode }: LeftOut): string => `${CODE}:${work.replaceAll(' ', '_')}:${tenantCode}`;

const workMessage = (work: WorkName) => ({ code: `work_${work.replaceAll(' ', '_')}`, params: {} });

async function tell({ config, store, clock }: Needed, one: LeftOut): Promise<void> {
  const { work, tenantCode, rows, rowId, reason } = one;
  const params = { work: workMessage(work), count: rows, row: rowId };
  await store.alarms.raise(
    {
      key: keyOf(one),
      instance: config.instance,
      tenantCode: tenantCode === '' ? null : tenantCode,
      severity: 'critical',
      ...alarmText(hubMessages, { code: CODE, params }, { work, rows, rowId, reason }),
    },
    clock.now(),
  );
}
