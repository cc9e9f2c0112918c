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
import { useColumns, useNarrowColumns } from './columns.tsx';
import { decisionWords } from './decision-words.ts';
import { FilterBar } from './filter-bar.tsx';
import { incidentFilters, type IncidentFilters } from './filters.ts';
import { nameOf } from './labels.tsx';
import { MergeDialog } from './merge.tsx';
import { useIncidents, type Incident } from './queries.ts';
import { words } from './words.ts';

const EMPTY: { [K in keyof Required<IncidentFilters>]: undefined } = {
  state: undefined,
  layer: undefined,
  place: undefined,
  site: undefined,
  tenant: undefined,
  event: undefined,
  test: undefined,
};

/** Which events are one matter? */
export function IncidentList() {
  const say = useWords(words);
  const { can, identity } = useSession();
  const navigate = useNavigate();
  const { filters, change, active } = useFilters(incidentFilters);
  const list = useIncidents(filters);
  const [ids, choose] = useState<string[]>([]);
  const rows = useRows({
    rows: list.rows,
    keyOf: ({ id }) => String(id),
    open: ({ id }) => void navigate({ to: '/incidents/$id', params: { id: String(id) } }),
  });
  const chosen = list.rows.filter(({ id }) => ids.includes(String(id)));
  const manages = can('incidents.manage');
  const { md: wide = false } = Grid.useBreakpoint();
  const [columns, narrow] = [useColumns(identity.tenantCode === null), useNarrowColumns()];
  return (
    <Page title={say('title')} under={say('under')}>
      <FilterBar filters={filters} change={change} />
      <AsOf query={list.query} />
      {manages && chosen.length > 0 && <Merging chosen={chosen} clear={() => choose([])} />}
      <NewRows list={list} />
      <Table<Incident>
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
            getCheckboxProps: (group: Incident) => ({ 'aria-label': nameOf(group) }),
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

function Merging({ chosen, clear }: { chosen: readonly Incident[]; clear: () => void }) {
  const say = useWords(words);
  const sayWhy = useWords(decisionWords);
  const [groups, begin] = useState<readonly Incident[] | null>(null);
  const why = unmergeable(chosen);
  return (
    <Flex gap="small" wrap align="center">
      <span>{say('chosen', { count: chosen.length })}</span>
      {chosen.length > 1 && (
        <Button size="small" disabled={why !== null} onClick={() => begin(chosen)}>
          {say('merge')}
        </Button>
      )}
      {why !== null && <span className="quiet">{sayWhy(why)}</span>}
      {groups && (
        <MergeDialog
          groups={groups}
          close={() => {
            begin(null);
            clear();
          }}
        />
      )}
    </Flex>
  );
}

/** Why these cannot become one group, as the hub would say it. */
function unmergeable(groups: readonly Incident[]): 'ofSite' | 'notClosed' | 'oneLayer' | null {
  if (groups.some(({ state }) => state === 'closed')) return 'notClosed';
  if (groups.some(({ instance }) => instance !== null)) return 'ofSite';
  const kinds = new Set(groups.map(({ tenantCode, layer }) => `${layer} ${tenantCode}`));
  return kinds.size > 1 ? 'oneLayer' : null;
}
