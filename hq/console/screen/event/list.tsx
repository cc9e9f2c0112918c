import { AuditOutlined } from '@ant-design/icons';
import { useNavigate } from '@tanstack/react-router';
import { Button } from 'antd';
import { useState } from 'react';
import { useKeys } from '../../keyboard/keys.ts';
import { defineList } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
import { useHere } from '../../list/rows.ts';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useColumns, useNarrowColumns } from './columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { eventFilters } from './filters.ts';
import { JudgeDialog } from './judge/dialog.tsx';
import { type Event, useEvents } from './queries.ts';
import { Searched } from './searched.tsx';
import { words } from './words.ts';

const keyOf = ({ id }: Event): string => String(id);

const Events = defineList<Event>({
  keyOf,
  useColumns: () => useColumns(useSession().identity.tenantCode === null),
  useNarrowColumns,
  useOpen: () => {
    const navigate = useNavigate();
    return ({ id }) => void navigate({ to: '/events/$id', params: { id: String(id) } });
  },
});

/** What happened, and who judged it? The workbench of who judges events one after another. */
export function EventList() {
  const say = useWords(words);
  const { can } = useSession();
  const { filters, change, clear } = useFilters(eventFilters);
  const list = useEvents(filters);
  const here = useHere();
  const current = list.rows.find((row) => keyOf(row) === here[0]);
  const judging = useJudging(list.rows, current, can('events.judge'));
  return (
    <Page
      title={say('title')}
      under={
        can('events.judge') ? (
          <>
            <span className="keys">{say('keysHint')}</span>
            <span className="no-keys">{say('under')}</span>
          </>
        ) : (
          say('under')
        )
      }
      actions={
        judging.allowed && (
          <Button icon={<AuditOutlined />} disabled={current?.verdict !== null} onClick={judging.begin}>
            {say('judgeRow')}
          </Button>
        )
      }
    >
      <FilterBar filters={filters} change={change} />
      {filters.q !== undefined && <Searched key={JSON.stringify(filters)} list={list} />}
      <Events list={list} here={here} none={say('none')} clear={clear} foot={filters.q === undefined} />
      <JudgeDialog event={judging.event} close={judging.close} next={judging.next} />
    </Page>
  );
}

/** Which event is judged; `v` begins with the row that the keyboard is on. */
function useJudging(rows: readonly Event[], current: Event | undefined, allowed: boolean) {
  // As it is when the dialog opens, also when the list is asked for anew and has it no more.
  const [event, judge] = useState<Event | null>(null);
  const begin = (): void => {
    if (current?.verdict === null) judge(current);
  };
  useKeys(allowed ? { v: begin } : {});
  const at = rows.findIndex(({ id }) => id === event?.id);
  const following = at < 0 ? undefined : rows.slice(at + 1).find(({ verdict }) => verdict === null);
  return {
    allowed,
    event,
    begin,
    close: () => judge(null),
    next: following && (() => judge(following)),
  };
}
