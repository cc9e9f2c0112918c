import { PlusOutlined, QuestionCircleOutlined } from '@ant-design/icons';
import { useNavigate } from '@tanstack/react-router';
import { Button, Flex } from 'antd';
import { useEffect, useState } from 'react';
import { defineList } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
import { LinkButton } from '../../page/link-button.tsx';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useColumns, useNarrowColumns } from './columns.tsx';
import { FilterBar } from './filter-bar.tsx';
import { ordering, PAGE_SIZE, queryOf, siteFilters } from './filters.ts';
import { Regroup } from './group.tsx';
import { SitesHeard } from './heard.tsx';
import { NewSite } from './key/new-site.tsx';
import { type SiteLine, useFleet } from './queries.ts';
import { words } from './words.ts';

const Sites = defineList<SiteLine>({
  keyOf: ({ instance }) => instance,
  useColumns,
  useNarrowColumns,
  useOpen: () => {
    const navigate = useNavigate();
    return ({ instance }) => void navigate({ to: '/sites/$instance', params: { instance } });
  },
});

/** Which site is not well, and since when? Who may not look into the uplink sees only whether it is heard. */
export function SiteList() {
  return useSession().can('uplink.view') ? <Fleet /> : <SitesHeard />;
}

function Fleet() {
  const say = useWords(words);
  const { filters, change, clearOf } = useFilters(siteFilters);
  const fleet = useFleet(queryOf(filters));
  const { can } = useSession();
  const [adding, add] = useState(false);
  const [chosen, choose] = useState<readonly SiteLine[]>([]);
  const { items = [], total = 0 } = fleet.data ?? {};
  const manages = can('sites.manage');
  // A page that is there no more, of an old address or after a removal, must not read as "no sites".
  const beyond = !fleet.isPlaceholderData && items.length === 0 && total > 0;
  useEffect(() => {
    if (beyond) change({ page: undefined });
  }, [beyond, change]);
  return (
    <Page
      title={say('title')}
      under={say('under')}
      actions={
        <>
          <LinkButton to="/site-states" icon={<QuestionCircleOutlined />}>
            {say('explain')}
          </LinkButton>
          {manages && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => add(true)}>
              {say('add')}
            </Button>
          )}
        </>
      }
    >
      <FilterBar filters={filters} change={change} fleet={fleet.data} />
      {chosen.length > 0 && (
        <Flex gap="small" wrap align="center">
          <span>{say('chosen', { count: chosen.length })}</span>
          <Regroup chosen={chosen} groups={fleet.data?.groups ?? []} done={() => choose([])} />
        </Flex>
      )}
      <Sites
        list={{
          rows: items,
          query: { ...fleet, isPending: fleet.isPending || fleet.isPlaceholderData },
          numbered: {
            ...{ page: filters.page ?? 1, size: PAGE_SIZE, total },
            go: (page) => change({ page: page === 1 ? undefined : page }),
          },
          sorted: {
            by: filters.order ?? 'state',
            descending: filters.direction === 'descending',
            change: (order, descending) => change(ordering(order, descending)),
          },
        }}
        none={say('none')}
        clear={clearOf('q', 'state', 'group', 'tenant', 'needs')}
        more={
          manages
            ? {
                rowSelection: {
                  selectedRowKeys: chosen.map(({ instance }) => instance),
                  preserveSelectedRowKeys: true,
                  onChange: (_, rows) => choose(rows),
                  getTitleCheckboxProps: () => ({ 'aria-label': say('title') }),
                  getCheckboxProps: ({ instance, displayName }) => ({
                    'aria-label': displayName ?? instance,
                  }),
                },
              }
            : {}
        }
      />
      {adding && <NewSite close={() => add(false)} />}
    </Page>
  );
}
