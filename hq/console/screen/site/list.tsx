import { PlusOutlined, QuestionCircleOutlined } from '@ant-design/icons';
import { useNavigate } from '@tanstack/react-router';
import { Button, Checkbox, Flex, Input, Select } from 'antd';
import { useMemo, useState } from 'react';
import { defineList, whole } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
import { LinkButton } from '../../page/link-button.tsx';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useColumns, useNarrowColumns } from './columns.tsx';
import { type SiteFilters, siteFilters, siteStates } from './filters.ts';
import { SitesHeard } from './heard.tsx';
import { NewSite } from './key/new-site.tsx';
import { type SiteLine, useSites } from './queries.ts';
import { needsCare } from './state.tsx';
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
  const sites = useSites();
  const { filters, change, clear } = useFilters(siteFilters);
  const { can } = useSession();
  const [adding, add] = useState(false);
  const shown = useMemo(() => chosen(sites.data ?? [], filters), [sites.data, filters]);
  return (
    <Page
      title={say('title')}
      under={say('under')}
      actions={
        <>
          <LinkButton to="/site-states" icon={<QuestionCircleOutlined />}>
            {say('explain')}
          </LinkButton>
          {can('sites.manage') && (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => add(true)}>
              {say('add')}
            </Button>
          )}
        </>
      }
    >
      <Flex gap="small" wrap align="center">
        <Input.Search
          key={filters.q}
          className="filter-text"
          placeholder={say('find')}
          aria-label={say('find')}
          defaultValue={filters.q}
          allowClear
          onSearch={(q) => change({ q: q === '' ? undefined : q })}
        />
        <Select
          mode="multiple"
          className="filter-choice"
          placeholder={say('stateFilter')}
          aria-label={say('stateFilter')}
          allowClear
          value={filters.state ?? []}
          options={siteStates.map((value) => ({ value, label: say(value) }))}
          onChange={(state) => change({ state: state.length === 0 ? undefined : state })}
        />
        <Checkbox
          checked={filters.needs === 'care'}
          onChange={({ target }) => change({ needs: target.checked ? 'care' : undefined })}
        >
          {say('care')}
        </Checkbox>
        <span className="quiet">{say('count', { count: shown.length })}</span>
      </Flex>
      <Sites list={whole(sites, shown)} none={say('none')} clear={clear} />
      {adding && <NewSite close={() => add(false)} />}
    </Page>
  );
}

function chosen(sites: readonly SiteLine[], { q, state, needs }: SiteFilters): SiteLine[] {
  const wanted = q?.toLowerCase();
  return sites.filter(
    (site) =>
      (wanted === undefined ||
        [site.instance, site.displayName ?? '', ...site.tenants].some((one) =>
          one.toLowerCase().includes(wanted),
        )) &&
      (state === undefined || state.includes(site.state)) &&
      (needs === undefined || needsCare(site)),
  );
}
