import { counter, type Metric } from '../../common/metrics.ts';
import type { OrderPort } from './order/port.ts';
import type { DecisionPort } from './port.ts';
import type { ReceiverCounts } from './service.ts';

/** What sites brought that could not be taken, and what waits for them. */
export function receiverMetrics(
  counts: ReceiverCounts,
  decisions: Pick<DecisionPort, 'counts'>,
  orders: Pick<OrderPort, 'counts'>,
): Metric[] {
  const sum = (of: Pick<DecisionPort, 'counts'>, pick: 'waiting' | 'refused') => async () =>
    [...(await of.counts()).values()].reduce((total, site) => total + site[pick], 0);
  return [
    counter(
      'fieldline_uplink_conflicts_total',
      'Items of sites whose key is of another event, since start',
      () => [
        { labels: { channel: 'events' }, value: counts.conflicts },
        { labels: { channel: 'verdicts' }, value: counts.foreign },
      ],
    ),
    counter(
      'fieldline_uplink_items_failed_total',
      'Items of sites that could not be stored for what they are, since start',
      () => [{ labels: {}, value: counts.failed }],
    ),
    {
      name: 'fieldline_uplink_decisions_waiting',
      help: 'Verdicts given here that their site has not answered',
      type: 'gauge',
      read: sum(decisions, 'waiting'),
    },
    {
      name: 'fieldline_uplink_decisions_refused',
      help: 'Verdicts given here that their site did not carry out',
      type: 'gauge',
      read: sum(decisions, 'refused'),
    },
    {
      name: 'fieldline_uplink_orders_waiting',
      help: 'Orders on tasks of sites that their site has not answered',
      type: 'gauge',
      read: sum(orders, 'waiting'),
    },
    {
      name: 'fieldline_uplink_orders_refused',
      help: 'Orders on tasks of sites that their site did not carry out',
      type: 'gauge',
      read: sum(orders, 'refused'),
    },
  ];
}
