import { useNavigate } from '@tanstack/react-router';
import { Button, Flex } from 'antd';
import { useState } from 'react';
import { defineList } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
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

const Tasks = defineList<Task>({
  keyOf: ({ id }) => String(id),
  useColumns: () => useColumns(useSession().identity.tenantCode === null),
  useNarrowColumns,
  useOpen: () => {
    const navigate = useNavigate();
    return ({ id }) => void navigate({ to: '/tasks/$id', params: { id: String(id) } });
  },
});

/** Who must act by when? */
export function TaskList() {
  const say = useWords(words);
  const { can, identity } = useSession();
  const { filters, change, clear } = useFilters(taskFilters);
  const list = useTasks(filters, identity.name);
  const [ids, choose] = useState<string[]>([]);
  // A row that is no longer shown is not changed unseen.
  const chosen = list.rows.filter(({ id }) => ids.includes(String(id)));
  const manages = can('tasks.manage');
  return (
    <Page title={say('title')} under={say('under')}>
      <FilterBar filters={filters} change={change} />
      {manages && <Batch chosen={chosen} clear={() => choose([])} />}
      <Tasks
        list={list}
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
