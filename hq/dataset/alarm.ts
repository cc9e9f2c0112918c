import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import type { AlarmPort, RaiseAlarm } from '../../common/core/alarm/port.ts';
import { hubMessages } from '../hub-messages.ts';
import { ContractBroken } from './contract.ts';
import { SourceFailed } from './fetch.ts';
import type { Source, Trouble } from './record.ts';
import { ShareFull } from './room.ts';
import type { SourceMessage } from './source-messages.ts';

/** Characters of the reason of a failed pull that an alarm shows. */
const MAX_REASON = 800;
/** Characters of an error that are kept with its dataset. */
const MAX_MESSAGE = 1_000;

const kinds = ['contract', 'pull', 'ahead', 'full'] as const;
type Kind = (typeof kinds)[number];

/**
 * Key of the alarm that a dataset broke its contract, that it could not be pulled, that it has rows of a
 * time to come, or that there is no room for more of it.
 */
export const alarmKey = (kind: Kind, sourceId: string, dataset: string): string =>
  `dataset_${kind}:${sourceId}:${dataset}`;

/** Key of the alarm that a source as a whole cannot be pulled. */
export const sourceAlarmKey = (sourceId: string): string => `dataset_source:${sourceId}`;

/**
 * Clears the standing alarms of datasets of a source, whichever process of headquarters raised them. @param
 * of `kinds`: all unless given @param now epoch ms
 */
export async function clearAlarms(
  alarms: AlarmPort,
  of: { sourceId: string; datasets: readonly string[]; kinds?: readonly Kind[] | undefined },
  now: number,
): Promise<void> {
  for (const dataset of of.datasets)
    for (const kind of of.kinds ?? kinds) await alarms.clear(alarmKey(kind, of.sourceId, dataset), null, now);
}

/** The text of what was thrown, cut to what is stored. */
export const messageOf = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, MAX_MESSAGE);

/** What is kept of what was thrown. */
export const troubleOf = (thrown: unknown): Trouble => {
  const reason = reasonOf(thrown);
  return { text: messageOf(thrown), told: typeof reason === 'string' ? null : reason };
};

/** Why, for whoever reads either language; what else was thrown is in the words of its own program. */
const reasonOf = (thrown: unknown): SourceMessage | string =>
  thrown instanceof ContractBroken || thrown instanceof SourceFailed || thrown instanceof ShareFull
    ? thrown.told
    : messageOf(thrown).slice(0, MAX_REASON);

/**
 * The alarm for a dataset that could not be pulled: critical when the source broke its contract, or when
 * there is no room for more.
 */
export function failureAlarm(of: {
  source: Source;
  dataset: string;
  /** Failed runs in a row. */
  failures: number;
  thrown: unknown;
  instance: string;
}): RaiseAlarm {
  const { source, dataset, failures, thrown, instance } = of;
  const broken = thrown instanceof ContractBroken;
  const full = thrown instanceof ShareFull;
  return {
    key: alarmKey(broken ? 'contract' : full ? 'full' : 'pull', source.id, dataset),
    instance,
    tenantCode: source.tenantCode,
    shared: true,
    severity: broken || full ? 'critical' : 'warning',
    ...alarmText(
      hubMessages,
      {
        code: 'dataset_failed',
        params: { source: source.name, dataset, reason: reasonOf(thrown) },
      },
      { source: source.id, dataset, failures, ...(broken ? { code: thrown.code, ...thrown.details } : {}) },
    ),
  };
}

/** The one alarm for a source that cannot be pulled, whatever the dataset. */
export function sourceAlarm(of: {
  source: Source;
  /** Failed runs in a row. */
  failures: number;
  thrown: unknown;
  instance: string;
}): RaiseAlarm {
  const { source, failures, thrown, instance } = of;
  const datasets = source.datasets.map(({ dataset }) => dataset);
  return {
    key: sourceAlarmKey(source.id),
    instance,
    tenantCode: source.tenantCode,
    shared: true,
    severity: thrown instanceof ContractBroken ? 'critical' : 'warning',
    ...alarmText(
      hubMessages,
      {
        code: 'dataset_source_failed',
        params: {
          source: source.name,
          count: datasets.length,
          reason: reasonOf(thrown),
        },
      },
      { source: source.id, datasets, failures },
    ),
  };
}
