import { useNavigate } from '@tanstack/react-router';
import { Button, Flex, Grid, Table } from 'antd';
import { useState } from 'react';
import { useFilters } from '../../list/filter.ts';
import { MoreRows, NewRows } from '../../list/growing-rows.tsx';
import { useRows } from '../../list/rows.ts';
import { AsOf } from '../../page/fault.tsx';
import { Nothing, Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { BatchDialog } from './batch.tsx';
import { useColumns, useNarrowColumns } from './columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { taskFilters, type TaskFilters } from './filters.ts';
import { moves, movesOf, type Move } from './moves.ts';
import { useTasks, type Task } from './queries.ts';
import { words } from './words.ts';

const EMPTY: { [K in keyof Required<TaskFilters>]: undefined } = {
  state: undefined,
  type: undefined,
  organisation: undefined,
  site: undefined,
  tenant: undefined,
  event: undefined,
  mine: undefined,
  overdue: undefined,
};

/** Who must act by when? */
export function TaskList() {
  const say = useWords(words);
  const { can, identity } = useSession();
  const navigate = useNavigate();
  const { filters, change, active } = useFilters(taskFilters);
  const list = useTasks(filters, identity.name);
  const [ids, choose] = useState<string[]>([]);
  const rows = useRows({
    rows: list.rows,
    keyOf: ({ id }) => String(id),
    open: ({ id }) => void navigate({ to: '/tasks/$id', params: { id: String(id) } }),
  });
  // A row that is no longer shown is not changed unseen.
  const chosen = list.rows.filter(({ id }) => ids.includes(String(id)));
  const manages = can('tasks.manage');
  const { md: wide = false } = Grid.useBreakpoint();
  const [columns, narrow] = [useColumns(identity.tenantCode === null), useNarrowColumns()];
  return (
    <Page title={say('title')} under={say('under')}>
      <FilterBar filters={filters} change={change} />
      <AsOf query={list.query} />
      {manages && <Batch chosen={chosen} clear={() => choose([])} />}
      <NewRows list={list} />
      <Table<Task>
        {...rows.table}
        columns={wide ? columns : narrow}
        dataSource={list.rows}
        loading={list.loading}
        size="small"
        {...(wide ? { scroll: { x: 'max-content' } } : {})}
        pagination={false}
        {...(manages && {
          rowSelection: {
            selectedRowKeys: ids,
            onChange: (keys) => choose(keys.map(String)),
            getTitleCheckboxProps: () => ({ 'aria-label': say('title') }),
            getCheckboxProps: ({ title }: Task) => ({ 'aria-label': title }),
          },
        })}
        locale={{
          emptyText: <Nothing none={say('none')} clear={active ? () => change(EMPTY) : undefined} />,
        }}
      />
      <MoreRows list={list} />
    </Page>
  );
}

/** What can be done with at least one of those chosen. */
function Batch({ chosen, clear }: { chosen: readonly Task[]; clear: () => void }) {
  const say = useWords(words);
  const [begun, begin] = useState<{ move: Move; tasks: readonly Task[] } | null>(null);
  const possible = moves.filter((move) => chosen.some((task) => movesOf(task).includes(move)));
  const end = (): void => {
    begin(null);
    clear();
  };
  return (
    <>
      {chosen.length > 0 && (
        <Flex gap="small" wrap align="center">
          <span>{say('chosen', { count: chosen.length })}</span>
          {possible.map((move) => (
            <Button key={move} size="small" onClick={() => begin({ move, tasks: chosen })}>
              {say(move)}
            </Button>
          ))}
        </Flex>
      )}
      {begun && <BatchDialog {...begun} close={() => begin(null)} end={end} />}
    </>
  );
}
