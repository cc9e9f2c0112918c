import type { Clock } from '../../common/clock.ts';
import type { DatasetService } from '../../common/dataset/service.ts';
import { counter, type Metric } from '../../common/metrics.ts';
import { usedOf } from './decide.ts';
import type { SourcePort } from './port.ts';
import type { Puller } from './puller.ts';
import type { LandedShare } from './record.ts';
import { lagOf } from './service.ts';

/** Of the datasets that this hub pulls. */
export function pullMetrics(
  puller: Puller,
  { sources, most, clock }: { sources: SourcePort; most: LandedShare; clock: Clock },
): Metric[] {
  return [
    ...keptMetrics(sources, most),
    counter(
      'fieldline_dataset_full_total',
      'Runs of a dataset that ended since its tenant has all the room that it may have',
      () => puller.counts.full,
    ),
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

/** What datasets take. */
function keptMetrics(sources: SourcePort, most: LandedShare): Metric[] {
  const ofTenants = (name: string, help: string, value: (kept: LandedShare) => number): Metric => ({
    name,
    help,
    type: 'gauge',
    read: async () =>
      (await sources.kept()).map((kept) => ({ labels: { tenant: kept.tenantCode }, value: value(kept) })),
  });
  return [
    ofTenants('fieldline_dataset_kept_rows', 'Rows of pulled datasets that are kept', ({ rows }) => rows),
    ofTenants('fieldline_dataset_kept_bytes', 'What they take on the disk, about', ({ bytes }) => bytes),
    ofTenants(
      'fieldline_dataset_room_used_ratio',
      'Part of what they may take, by rows or bytes, whichever is nearer to its end',
      (kept) => usedOf(kept, most),
    ),
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
