import { useParams } from '@tanstack/react-router';
import { Tabs } from 'antd';
import { Refused } from '../../../api/fault.ts';
import { useFilters } from '../../../list/filter.ts';
import { AsOf } from '../../../page/fault.tsx';
import { LinkButton } from '../../../page/link-button.tsx';
import { Outcome } from '../../../page/outcome.tsx';
import { Page } from '../../../page/page.tsx';
import { useSession } from '../../../session/session.tsx';
import { useWords } from '../../../word/language.tsx';
import { Looking } from '../care/looking.tsx';
import { SiteKeys } from '../key/keys.tsx';
import { type SiteDetail, useSite } from '../queries.ts';
import { Rename } from '../rename.tsx';
import { Settings } from '../setting/section.tsx';
import { SiteState } from '../state.tsx';
import { words as siteWords } from '../words.ts';
import { Cameras } from './cameras.tsx';
import { Course } from './course.tsx';
import { Facts } from './facts.tsx';
import { siteTab } from './filters.ts';
import { Flows } from './flows.tsx';
import { Parked } from './parked.tsx';
import { Policies } from './policies.tsx';
import { words } from './words.ts';

/** Why is this site not well, and is anything lost? */
export function SitePage() {
  const say = useWords(words);
  const sayList = useWords(siteWords);
  const { can } = useSession();
  const { instance = '' } = useParams({ strict: false });
  const query = useSite(instance);
  if (query.error instanceof Refused && query.error.status === 404)
    return (
      <Page title={instance}>
        <Outcome
          kind="info"
          title={say('gone')}
          actions={<LinkButton to="/sites">{sayList('title')}</LinkButton>}
        />
      </Page>
    );
  return (
    <Page
      title={query.data?.site.displayName ?? instance}
      under={query.data && <SiteState site={query.data.site} />}
      actions={
        query.data && (
          <>
            {can('events.view') && (
              <LinkButton to="/plans" search={{ site: instance }}>
                {say('plans')}
              </LinkButton>
            )}
            <Rename site={query.data.site} />
          </>
        )
      }
    >
      <AsOf query={query} />
      {query.data && <Told detail={query.data} />}
    </Page>
  );
}

function Told({ detail }: { detail: SiteDetail }) {
  const say = useWords(words);
  const { can } = useSession();
  const { filters, change } = useFilters(siteTab);
  const { site, cameras, hours } = detail;
  const parked = site.flows.reduce((sum, { at, failed }) => sum + (at === 'site' ? failed : 0), 0);
  const counted = (name: 'parked' | 'cameras', count: number): string =>
    count === 0 ? say(name) : say('counted', { name: say(name), count });
  return (
    <>
      <Facts detail={detail} />
      <Tabs
        activeKey={filters.tab ?? 'flow'}
        onChange={(key) => change(siteTab({ tab: key }))}
        items={[
          { key: 'flow', label: say('flow'), children: <Flows site={site} /> },
          { key: 'parked', label: counted('parked', parked), children: <Parked detail={detail} /> },
          {
            key: 'cameras',
            label: counted('cameras', cameras?.length ?? 0),
            children: <Cameras detail={detail} />,
          },
          { key: 'day', label: say('day'), children: <Course instance={site.instance} day={hours} /> },
          { key: 'policies', label: say('policies'), children: <Policies instance={site.instance} /> },
          ...(can('sites.configure')
            ? [
                {
                  key: 'settings',
                  label: say('settings'),
                  children: <Settings instance={site.instance} />,
                },
              ]
            : []),
          { key: 'keys', label: say('keys'), children: <SiteKeys instance={site.instance} /> },
          ...(can('sites.look_in')
            ? [{ key: 'care', label: say('care'), children: <Looking detail={detail} /> }]
            : []),
        ]}
      />
    </>
  );
}
