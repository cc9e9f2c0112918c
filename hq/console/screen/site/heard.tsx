import { Link } from '@tanstack/react-router';
import { Flex, Input, type TableColumnsType } from 'antd';
import { useMemo } from 'react';
import { defineList, whole } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
import { Page } from '../../page/page.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { siteFilters } from './filters.ts';
import { type SiteStateRow, useSiteStates } from './queries.ts';
import { SiteState } from './state.tsx';
import { words } from './words.ts';

const Heard = defineList<SiteStateRow>({ keyOf: ({ instance }) => instance, useColumns });

/** For whoever sees events but not the inside of the uplink: which site is heard, and since when not? */
export function SitesHeard() {
  const say = useWords(words);
  const sites = useSiteStates();
  const { filters, change, clear } = useFilters(siteFilters);
  const wanted = filters.q?.toLowerCase() ?? '';
  const shown = (sites.data ?? []).filter(({ instance, displayName }) =>
    [instance, displayName ?? ''].some((name) => name.toLowerCase().includes(wanted)),
  );
  return (
    <Page title={say('title')} under={say('heardUnder')}>
      <Flex gap="small" wrap align="center">
        <Input.Search
          key={filters.q}
          className="filter-text"
          placeholder={say('findSite')}
          aria-label={say('findSite')}
          defaultValue={filters.q}
          allowClear
          onSearch={(q) => change({ q: q === '' ? undefined : q })}
        />
        <span className="quiet">{say('count', { count: shown.length })}</span>
      </Flex>
      <Heard list={whole(sites, shown)} none={say('none')} clear={clear} />
    </Page>
  );
}

const ORDER = { silent: 0, late: 1, away: 2, current: 3 } as const;

function useColumns(): TableColumnsType<SiteStateRow> {
  const say = useWords(words);
  return useMemo(
    () => [
      {
        key: 'state',
        title: say('state'),
        render: (_, site) => <SiteState site={site} />,
        sorter: (a, b) => ORDER[a.state] - ORDER[b.state],
        defaultSortOrder: 'ascend',
      },
      {
        key: 'instance',
        title: say('site'),
        render: (_, { instance, displayName }) => (
          <Link to="/events" search={{ site: instance }} className="name" title={instance}>
            {displayName ?? instance}
          </Link>
        ),
        sorter: (a, b) => a.instance.localeCompare(b.instance),
      },
      {
        key: 'seen',
        title: say('lastHeard'),
        render: (_, { instance, lastSeenAt }) =>
          lastSeenAt === null ? say('neverHeard') : <Time at={lastSeenAt} site={instance} />,
      },
    ],
    [say],
  );
}
