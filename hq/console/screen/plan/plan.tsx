import { PlusOutlined } from '@ant-design/icons';
import { Link } from '@tanstack/react-router';
import { Alert, Button, Flex, Skeleton } from 'antd';
import { useState } from 'react';
import { Choice } from '../../list/choice.tsx';
import { useFilters } from '../../list/filter.ts';
import { AsOf } from '../../page/fault.tsx';
import { Nothing } from '../../page/nothing.tsx';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { useCameraName } from '../camera/name.tsx';
import { useTypeName } from '../event/type-name.tsx';
import { type UnjudgedRow, useUnjudged } from '../review/queries.ts';
import { SiteChoice } from '../site/choice.tsx';
import { useSiteName } from '../site/name.tsx';
import { useSite } from '../site/queries.ts';
import { AddPlan } from './add.tsx';
import { Arrange } from './arrange.tsx';
import { Drawing } from './drawing.tsx';
import { planFilters } from './filters.ts';
import { litBy } from './lit.ts';
import { type Plan, usePlan, usePlans } from './queries.ts';
import { RemovePlan } from './remove.tsx';
import { words } from './words.ts';

/** Rows of what waits that a plan looks at. */
const ROWS = 200;

/** Where on the site does it burn? */
export function Plans() {
  const say = useWords(words);
  const siteName = useSiteName();
  const { can } = useSession();
  const { filters, change } = useFilters(planFilters);
  const [adding, add] = useState(false);
  const query = usePlans();
  const ofSite = query.data?.filter(({ instance }) => !filters.site || instance === filters.site) ?? [];
  const chosen = ofSite.find(({ id }) => id === filters.plan) ?? ofSite[0];
  const one = usePlan(chosen?.id ?? '');
  return (
    <Page
      title={say('title')}
      under={say('under')}
      actions={
        can('sites.manage') && (
          <Button type="primary" icon={<PlusOutlined />} onClick={() => add(true)}>
            {say('add')}
          </Button>
        )
      }
    >
      <Flex gap="small" wrap>
        <SiteChoice
          label={say('site')}
          value={filters.site}
          change={(site) => change({ site, plan: undefined })}
        />
        <Choice
          label={say('plan')}
          value={chosen?.id}
          options={ofSite.map((one) => ({ value: one.id, label: `${siteName(one.instance)} · ${one.name}` }))}
          change={(id) => change({ plan: id })}
        />
      </Flex>
      <AsOf query={query} />
      {chosen && <AsOf query={one} />}
      {(query.isPending || (chosen && one.isPending)) && <Skeleton active />}
      {query.data && !chosen && <Nothing none={say(filters.site ? 'noneOf' : 'none')} />}
      {chosen && one.data && <OnePlan key={chosen.id} plan={one.data} />}
      <AddPlan
        open={adding}
        site={filters.site}
        close={() => add(false)}
        added={({ id, instance }) => change({ site: instance, plan: id })}
      />
    </Page>
  );
}

function OnePlan({ plan }: { plan: Plan }) {
  const say = useWords(words);
  const { can } = useSession();
  const [doing, act] = useState<'remove' | null>(null);
  // As it was when somebody began: what others change meanwhile is not written over by who saves.
  const [arranged, arrange] = useState<Plan | null>(null);
  const { instance, tenantCode } = plan;
  const waiting = useUnjudged({ site: instance, tenant: tenantCode }, ROWS);
  const { items = [], rows = 0, events = 0, more = false } = waiting.data ?? {};
  const { onPlan, elsewhere } = litBy(items, plan.pins);
  // A camera is quiet only where all that waits was looked at.
  const whole = waiting.data !== undefined && !more && rows === items.length;
  return (
    <Flex vertical gap="middle">
      {can('sites.manage') && arranged === null && (
        <Flex gap="small" wrap>
          <Button onClick={() => arrange(plan)}>{say('arrange')}</Button>
          <Button danger onClick={() => act('remove')}>
            {say('remove')}
          </Button>
        </Flex>
      )}
      <AsOf query={waiting} />
      {waiting.data && !whole && <More events={events} />}
      {arranged ? (
        <ArrangeKnown plan={arranged} rows={items} close={() => arrange(null)} />
      ) : (
        <Drawing plan={plan} lit={onPlan} whole={whole} />
      )}
      {elsewhere.length > 0 && <Elsewhere rows={elsewhere} />}
      <RemovePlan plan={doing === 'remove' ? plan : null} close={() => act(null)} />
    </Flex>
  );
}

function More({ events }: { events: number }) {
  const say = useWords(words);
  const { language } = useLanguage();
  return <Alert type="warning" showIcon title={say('more', { events: number(events, language) })} />;
}

/** With the cameras that the site told of, and those with alerts that wait. */
function ArrangeKnown({
  plan,
  rows,
  close,
}: {
  plan: Plan;
  rows: readonly UnjudgedRow[];
  close: () => void;
}) {
  const { can } = useSession();
  const { data } = useSite(plan.instance, { enabled: can('uplink.view') });
  const told = data?.cameras?.flatMap(({ refs }) => refs.map(({ ref }) => ref)) ?? [];
  const heard = rows.flatMap(({ cameraRef }) => cameraRef ?? []);
  return <Arrange plan={plan} known={[...new Set([...told, ...heard])].toSorted()} close={close} />;
}

/** Nothing is lit by an alert whose camera is not on the plan: it is said beside it. */
function Elsewhere({ rows }: { rows: readonly UnjudgedRow[] }) {
  const say = useWords(words);
  const typeName = useTypeName(rows[0]?.tenantCode ?? '');
  const cameraName = useCameraName();
  return (
    <section>
      <span>{say('elsewhere')}</span>
      <ul className="lines">
        {rows.map((row) => (
          <li key={`${row.cameraRef} ${row.type} ${row.ids[0]}`}>
            <Link to="/events/$id" params={{ id: String(row.ids[0]) }}>
              {cameraName(row) ?? say('noCamera')} · {typeName(row.type)} · {row.count}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
