import { Typography } from 'antd';
import { useCallback } from 'react';
import { defineList } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
import { useWords } from '../../word/language.tsx';
import { useColumns } from './columns.tsx';
import { DeliveryDetail } from './detail.tsx';
import { FilterBar } from './filter-bar.tsx';
import { deliveryFilters } from './filters.ts';
import { type Delivery, useDeliveries } from './queries.ts';
import { words } from './words.ts';

const Deliveries = defineList<Delivery, (id: string) => void>({
  keyOf: ({ id }) => id,
  useColumns,
  useOpen: (open) => (delivery) => open(delivery.id),
});

/** What was delivered to one webhook, newest first. */
export function DeliveryList({ webhook }: { webhook: string }) {
  const say = useWords(words);
  const { filters, change, clearOf } = useFilters(deliveryFilters);
  const { delivery, ...narrow } = filters;
  const list = useDeliveries(webhook, narrow);
  const open = useCallback((id: string | undefined) => change({ delivery: id }), [change]);
  return (
    <>
      <Typography.Title level={2} className="section">
        {say('title')}
      </Typography.Title>
      <FilterBar filters={filters} change={change} />
      <Deliveries
        list={list}
        acts={open}
        none={say('none')}
        clear={clearOf('status', 'event', 'code', 'since', 'until')}
      />
      <DeliveryDetail id={delivery} close={() => open(undefined)} open={open} />
    </>
  );
}
