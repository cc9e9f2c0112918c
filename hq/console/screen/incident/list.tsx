import { useNavigate } from '@tanstack/react-router';
import { Button, Flex } from 'antd';
import { useState } from 'react';
import { defineList } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useColumns, useNarrowColumns } from './columns.tsx';
import { decisionWords } from './decision-words.ts';
import { FilterBar } from './filter-bar.tsx';
import { incidentFilters } from './filters.ts';
import { nameOf } from './labels.tsx';
import { MergeDialog } from './merge.tsx';
import { type Incident, useIncidents } from './queries.ts';
import { words } from './words.ts';

const Incidents = defineList<Incident>({
  keyOf: ({ id }) => String(id),
  useColumns: () => useColumns(useSession().identity.tenantCode === null),
  useNarrowColumns,
  useOpen: () => {
    const navigate = useNavigate();
    return ({ id }) => void navigate({ to: '/incidents/$id', params: { id: String(id) } });
  },
});

/** Which events are one matter? */
export function IncidentList() {
  const say = useWords(words);
  const { can } = useSession();
  const { filters, change, clear } = useFilters(incidentFilters);
  const list = useIncidents(filters);
  const [ids, choose] = useState<string[]>([]);
  const chosen = list.rows.filter(({ id }) => ids.includes(String(id)));
  const manages = can('incidents.manage');
  return (
    <Page title={say('title')} under={say('under')}>
      <FilterBar filters={filters} change={change} />
      {manages && chosen.length > 0 && <Merging chosen={chosen} clear={() => choose([])} />}
      <Incidents
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
                  getCheckboxProps: (group: Incident) => ({ 'aria-label': nameOf(group) }),
                },
              }
            : {}
        }
      />
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
function unmergeable(groups: readonly Incident[]): 'oneKeeper' | 'notClosed' | 'oneLayer' | null {
  if (groups.some(({ state }) => state === 'closed')) return 'notClosed';
  if (new Set(groups.map(({ instance }) => instance)).size > 1) return 'oneKeeper';
  const kinds = new Set(groups.map(({ tenantCode, layer }) => `${layer} ${tenantCode}`));
  return kinds.size > 1 ? 'oneLayer' : null;
}
