import { useNavigate } from '@tanstack/react-router';
import { Button, Flex } from 'antd';
import { useState } from 'react';
import { useFilters } from '../../list/filter.ts';
import { ListTable } from '../../list/list-table.tsx';
import { useRows } from '../../list/rows.ts';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { BatchDialog } from './batch.tsx';
import { useColumns, useNarrowColumns } from './columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { taskFilters } from './filters.ts';
import { type Move, moves, movesOf } from './moves.ts';
import { type Task, useTasks } from './queries.ts';
import { words } from './words.ts';

/** Who must act by when? */
export function TaskList() {
  const say = useWords(words);
  const { can, identity } = useSession();
  const navigate = useNavigate();
  const { filters, change, clear } = useFilters(taskFilters);
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
  const [columns, narrow] = [useColumns(identity.tenantCode === null), useNarrowColumns()];
  return (
    <Page title={say('title')} under={say('under')}>
      <FilterBar filters={filters} change={change} />
      {manages && <Batch chosen={chosen} clear={() => choose([])} />}
      <ListTable<Task>
        list={list}
        rows={rows}
        columns={columns}
        narrow={narrow}
        none={say('none')}
        clear={clear}
        more={
          manages
            ? {
                rowSelection: {
                  selectedRowKeys: ids,
                  onChange: (keys) => choose(keys.map(String)),
                  getTitleCheckboxProps: () => ({ 'aria-label': say('title') }),
                  getCheckboxProps: ({ title }: Task) => ({ 'aria-label': title }),
                },
              }
            : {}
        }
      />
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
