import { Table, Typography } from 'antd';
import { useCallback } from 'react';
import { useFilters } from '../../list/filter.ts';
import { MoreRows, NewRows } from '../../list/growing-rows.tsx';
import { useRows } from '../../list/rows.ts';
import { AsOf } from '../../page/fault.tsx';
import { Nothing } from '../../page/page.tsx';
import { useWords } from '../../word/language.tsx';
import { useColumns } from './columns.tsx';
import { DeliveryDetail } from './detail.tsx';
import { FilterBar } from './filter-bar.tsx';
import { deliveryFilters } from './filters.ts';
import { useDeliveries, type Delivery } from './queries.ts';
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
      <AsOf query={list.query} />
      <NewRows list={list} />
      <Table<Delivery>
        {...rows.table}
        columns={useColumns()}
        dataSource={list.rows}
        loading={list.loading}
        size="small"
        scroll={{ x: 'max-content' }}
        pagination={false}
        locale={{
          emptyText: <Nothing none={say('none')} clear={active ? () => change(NONE) : undefined} />,
        }}
      />
      <MoreRows list={list} />
      <DeliveryDetail id={delivery} close={() => open(undefined)} open={open} />
    </>
  );
}
