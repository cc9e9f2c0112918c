import { counter, gauge, type Metric } from '../../metrics.ts';
import type { PushPort } from './port.ts';
import type { PushSender } from './sender.ts';

export function pushMetrics(port: PushPort, sender: PushSender): Metric[] {
  const { counts } = sender;
  return [
    counter('fieldline_pushes_total', 'Pushes that a consumer took', () => counts.pushes),
    counter('fieldline_pushed_events_total', 'Events in them', () => counts.events),
    counter('fieldline_pushes_failed_total', 'Pushes that failed', () => counts.failed),
    counter(
      'fieldline_push_receipt_faults_total',
      'Entries of push receipts that could not be followed',
      () => counts.receiptFaults,
    ),
    gauge(
      'fieldline_pushes_failing',
      'Consumers whose last push failed',
      async () => (await port.states()).filter((state) => state.failures > 0).length,
    ),
  ];
}
