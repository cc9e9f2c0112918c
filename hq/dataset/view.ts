// How sources and their datasets are shown.
import type * as z from 'zod/mini';
import { translate } from '../../common/message.ts';
import { formatTime, formatTimeOrNull } from '../../common/time.ts';
import type { DatasetState, Source } from './record.ts';
import type { datasetView, sourceView } from './schema.ts';
import { lagOf } from './service.ts';
import { sourceReasons } from './source-messages.ts';

/** A source as it is shown. @param now epoch ms */
export function viewSource(source: Source, now: number): z.infer<typeof sourceView> {
  const { overlapMs, createdAt, updatedAt, nextRunAt, datasets, ...same } = source;
  return {
    ...same,
    overlapSeconds: overlapMs / 1000,
    createdAt: formatTime(createdAt),
    updatedAt: formatTime(updatedAt),
    nextRunAt: formatTimeOrNull(nextRunAt),
    lastErrorZh: sourceInChinese(source),
    datasets: datasets.map((state) => stateOf(state, now)),
  };
}

function stateOf(state: DatasetState, now: number): z.infer<typeof datasetView> {
  const {
    dataset,
    processor,
    mode,
    cursor,
    contract,
    offered,
    lastError,
    failures,
    rowsTotal,
    changedTotal,
    duplicateTotal,
    rowsKept,
    bytesKept,
  } = state;
  return {
    dataset,
    processor,
    mode,
    cursor,
    contract,
    offered,
    lastError,
    lastErrorZh: inChinese(state),
    failures,
    rowsTotal,
    changedTotal,
    duplicateTotal,
    rowsKept,
    bytesKept,
    lagSeconds: lagOf(state, now),
    lastRun:
      state.runStartedAt === null
        ? null
        : {
            startedAt: formatTime(state.runStartedAt),
            endedAt: formatTimeOrNull(state.runEndedAt),
            rows: state.runRows,
            position: state.runCursor ?? cursor,
          },
    lastSuccessAt: formatTimeOrNull(state.lastSuccessAt),
    completedAt: formatTimeOrNull(state.completedAt),
  };
}

const inChinese = ({ lastErrorTold: told }: DatasetState): string | null =>
  told && translate(sourceReasons, told, 'zh');

/** What a source tells is of one of its datasets, or of all. */
function sourceInChinese({ lastError, datasets }: Source): string | null {
  for (const state of datasets) {
    const zh = inChinese(state);
    if (zh === null || lastError === null) continue;
    if (lastError === state.lastError) return zh;
    if (lastError === `${state.dataset}: ${state.lastError}`) return `${state.dataset}：${zh}`;
  }
  return null;
}
