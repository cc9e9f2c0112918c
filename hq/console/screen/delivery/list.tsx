import { Typography } from 'antd';
import { useCallback } from 'react';
import { useFilters } from '../../list/filter.ts';
import { ListTable } from '../../list/list-table.tsx';
import { useRows } from '../../list/rows.ts';
import { useWords } from '../../word/language.tsx';
import { useColumns } from './columns.tsx';
import { DeliveryDetail } from './detail.tsx';
import { FilterBar } from './filter-bar.tsx';
import { deliveryFilters } from './filters.ts';
import { type Delivery, useDeliveries } from './queries.ts';
import { words } from './words.ts';

const keyOf = ({ id }: Delivery): string => id;
const NONE = { status: undefined, event: undefined, code: undefined, since: undefined, until: undefined };

/** What was delivered to one webhook, newest first. */
export function DeliveryList({ webhook }: { webhook: string }) {
  const say = useWords(words);
  const { filters, change } = useFilters(deliveryFilters);
  const { delivery, ...narrow } = filters;
  const list = useDeliveries(webhook, narrow);
  const open = useCallback((id: string | undefined) => change({ delivery: id }), [change]);
  const rows = useRows({ rows: list.rows, keyOf, open: ({ id }) => open(id) });
  const active = Object.values(narrow).some((value) => value !== undefined);
  return (
    <>
      <Typography.Title level={2} className="section">
        {say('title')}
      </Typography.Title>
      <FilterBar filters={filters} change={change} />
      <ListTable<Delivery>
        list={list}
        rows={rows}
        columns={useColumns()}
        none={say('none')}
        clear={active ? () => change(NONE) : undefined}
      />
      <DeliveryDetail id={delivery} close={() => open(undefined)} open={open} />
    </>
  );
}
