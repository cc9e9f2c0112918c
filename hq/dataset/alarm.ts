import type { AlarmPort } from '../../common/core/alarm/port.ts';

const kinds = ['contract', 'pull'] as const;

/** Key of the alarm that a dataset broke its contract, or that it could not be pulled. */
export const alarmKey = (kind: (typeof kinds)[number], sourceId: string, dataset: string): string =>
  `dataset_${kind}:${sourceId}:${dataset}`;

/**
 * Clears what stands of the datasets of a source, whichever process of headquarters raised it. @param now
 * epoch ms
 */
export async function clearAlarms(
  alarms: AlarmPort,
  of: { sourceId: string; datasets: readonly string[] },
  now: number,
): Promise<void> {
  for (const dataset of of.datasets)
    for (const kind of kinds) await alarms.clear(alarmKey(kind, of.sourceId, dataset), null, now);
}
