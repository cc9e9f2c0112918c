import type { Clock } from '../../common/clock.ts';
import type { DatasetService } from '../../common/dataset/service.ts';
import { counter, type Metric } from '../../common/metrics.ts';
import type { SourcePort } from './port.ts';
import type { Puller } from './puller.ts';
import { lagOf } from './service.ts';

/** Of the datasets that this hub pulls. */
export function pullMetrics(puller: Puller, sources: SourcePort, clock: Clock): Metric[] {
  return [
    counter('fieldline_dataset_pages_total', 'Pages of datasets landed', () => puller.counts.pages),
    counter('fieldline_dataset_rows_total', 'Rows in them', () => puller.counts.rows),
    counter(
      'fieldline_dataset_rows_changed_total',
      'Rows that were new or newer, and were processed',
      () => puller.counts.changed,
    ),
    counter(
      'fieldline_dataset_rows_known_total',
      'Rows that were known already',
      () => puller.counts.duplicates,
    ),
    counter(
      'fieldline_dataset_refused_total',
      'Runs of a dataset that did not keep the contract',
      () => puller.counts.refused,
    ),
    counter(
      'fieldline_dataset_failed_total',
      'Runs of a dataset that failed otherwise',
      () => puller.counts.failed,
    ),
    {
      name: 'fieldline_dataset_lag_seconds',
      help: 'How far what has landed is behind the present; absent until the first pull is complete',
      type: 'gauge',
      read: async () =>
        (await sources.list(null)).flatMap((source) =>
          source.datasets.flatMap((state) => {
            const lag = lagOf(state, clock.now());
            return lag === null
              ? []
              : [
                  {
                    labels: { source: source.name, tenant: source.tenantCode, dataset: state.dataset },
                    value: lag,
                  },
                ];
          }),
        ),
    },
    {
      name: 'fieldline_dataset_failures',
      help: 'Runs in a row that failed',
      type: 'gauge',
      read: async () =>
        (await sources.list(null)).flatMap((source) =>
          source.datasets.map(({ dataset, failures }) => ({
            labels: { source: source.name, tenant: source.tenantCode, dataset },
            value: failures,
          })),
        ),
    },
  ];
}

/** Of the datasets that this hub serves. */
export function servedMetrics({ counts }: DatasetService): Metric[] {
  return [
    counter('fieldline_dataset_served_pages_total', 'Pages of datasets served', () => counts.pages),
    counter('fieldline_dataset_served_rows_total', 'Rows in them', () => counts.rows),
    counter('fieldline_dataset_calls_limited_total', 'Calls refused for their rate', () => counts.limited),
    counter('fieldline_dataset_queries_overdue_total', 'Queries given up after 10 s', () => counts.overdue),
  ];
}
