import { PrinterOutlined } from '@ant-design/icons';
import { Alert, Button, Card, Checkbox, Flex, Skeleton, Statistic } from 'antd';
import { Choice } from '../../list/choice.tsx';
import { useFilters } from '../../list/filter.ts';
import { Period } from '../../list/period.tsx';
import { AsOf } from '../../page/fault.tsx';
import { Nothing } from '../../page/nothing.tsx';
import { useSession } from '../../session/session.tsx';
import { Time, useTimeText } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { words as eventWords } from '../event/words.ts';
import { reportFilters, severities } from '../report/filters.ts';
import { TenantChoice, useKnownTenants } from '../report/tenant.tsx';
import { SiteGroupChoice } from '../site/group-choice.tsx';
import { Charts } from './charts.tsx';
import { Cameras } from './course/cameras.tsx';
import { Course } from './course/course.tsx';
import { SitesBeside, TimeFigures } from './course/times.tsx';
import { courseWords } from './course/words.ts';
import { DraftReport } from './draft/draft.tsx';
import { Exports } from './exports.tsx';
import { ModelCalls } from './model-calls.tsx';
import {
  useCameraCounts,
  useCounts,
  useHourCounts,
  useTimes,
  useWindow,
  type Window,
  windowBefore,
} from './queries.ts';
import { type Counted, type Figures, figures, sum, withoutTests } from './sums.ts';
import { words } from './words.ts';

const NOTHING: Counted = { events: [], undated: [], tasks: [], knowledge: [] };

/** How did the period go, beside the one before it? */
export function Statistics() {
  const say = useWords(words);
  const event = useWords(eventWords);
  const text = useTimeText();
  const { identity } = useSession();
  const { filters, change } = useFilters(reportFilters);
  const known = useKnownTenants();
  const tenant = identity.tenantCode ?? filters.tenant ?? known[0];
  const span = useWindow(filters);
  const { severity, group } = filters;
  const [query, earlier] = [
    useCounts({ tenant, span, severity, group }),
    useCounts({ tenant, span: windowBefore(span), severity, group }),
  ];
  const tests = filters.test === 'yes';
  const now = query.data && withoutTests(query.data, tests);
  const before = earlier.data ? withoutTests(earlier.data, tests) : NOTHING;
  const empty = now && now.events.length + now.tasks.length + now.knowledge.length === 0;
  return (
    <>
      <Flex gap="small" wrap align="center" role="search" aria-label={say('events')}>
        <Period span={filters} change={change} />
        <TenantChoice value={tenant} change={(chosen) => change({ tenant: chosen, group: undefined })} />
        <SiteGroupChoice value={group} tenant={tenant} change={(chosen) => change({ group: chosen })} />
        <Choice
          many
          label={event('severity')}
          value={severity}
          options={severities.map((value) => ({ value, label: event(value) }))}
          change={(chosen) => change({ severity: chosen })}
        />
        <Checkbox
          checked={tests}
          onChange={({ target }) => change({ test: target.checked ? 'yes' : undefined })}
        >
          {say('withTests')}
        </Checkbox>
        {now && tenant !== undefined && (
          <>
            <Exports {...{ tenant, span, tests, severity, group }} counts={now} />
            <PrintButton />
            <DraftReport tenant={tenant} group={group} plan={filters.shifts ?? 'two'} />
          </>
        )}
      </Flex>
      {tenant === undefined && <Alert type="info" showIcon title={say('choose')} />}
      <AsOf query={query} />
      {tenant !== undefined && query.isPending && <Skeleton active />}
      {query.data && now && tenant !== undefined && (
        <>
          <span className="quiet">
            {say('span', { since: text.full(span.since), until: text.full(span.until) })} · {say('asOf')}{' '}
            <Time at={query.data.asOf} />
            {group !== undefined && ` · ${say('ofGroup', { group })}`}
          </span>
          {now.undated.length > 0 && (
            <span className="quiet">{say('undated', { count: sum(now.undated) })}</span>
          )}
          {empty ? (
            <Nothing none={say('none')} />
          ) : (
            <>
              <KeyFigures now={now} before={before} />
              <More tenant={tenant} span={span} now={now} tests={tests} />
              <Charts tenant={tenant} now={now} before={before} />
            </>
          )}
        </>
      )}
      {tenant !== undefined && <ModelCalls tenant={tenant} />}
    </>
  );
}

function PrintButton() {
  const say = useWords(courseWords);
  return (
    <Button icon={<PrinterOutlined />} onClick={() => window.print()}>
      {say('print')}
    </Button>
  );
}

interface MoreProps {
  tenant: string;
  span: Window;
  now: Counted;
  tests: boolean;
}

/** How it lay in time, which cameras and sites it came from, and how long people took. */
function More({ tenant, span, now, tests }: MoreProps) {
  const text = useTimeText();
  const { filters, change } = useFilters(reportFilters);
  const { severity, group } = filters;
  const asked = { tenant, span, severity, group, tests };
  const earlier = { ...asked, span: windowBefore(span) };
  const hours = useHourCounts(asked);
  const [cameras, camerasBefore] = [useCameraCounts(asked), useCameraCounts(earlier)];
  const [times, timesBefore] = [useTimes(asked), useTimes(earlier)];
  const fileName = [
    tenant,
    ...(group === undefined ? [] : [group]),
    ...[span.since, span.until].map((at) => text.full(at).slice(0, 16)),
  ].join('-');
  return (
    <>
      {[times, hours, cameras].map((query, index) => (
        <AsOf key={index} query={query} />
      ))}
      {times.data && <TimeFigures now={times.data.all} before={timesBefore.data?.all} />}
      {hours.data && (
        <Course
          hours={hours.data.items}
          span={span}
          fileName={fileName}
          plan={filters.shifts ?? 'two'}
          choosePlan={(plan) => change({ shifts: plan === 'three' ? plan : undefined })}
        />
      )}
      {cameras.data && (
        <Cameras
          tenant={tenant}
          span={span}
          now={cameras.data}
          before={camerasBefore.data}
          fileName={fileName}
        />
      )}
      {times.data && <SitesBeside counted={now} times={times.data} fileName={fileName} />}
    </>
  );
}

const SHOWN = ['events', 'open', 'falseAlarms', 'tasks', 'overdue', 'escalated'] as const;

/** What a manager asks first, with the figure of the period before below each. */
function KeyFigures({ now, before }: { now: Counted; before: Counted }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const [present, earlier] = [figures(now.events, now.tasks), figures(before.events, before.tasks)];
  const write = (name: keyof Figures, { [name]: value }: Figures): string => {
    if (value === null) return '–';
    if (name !== 'falseAlarms') return number(value, language);
    return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(value);
  };
  return (
    <div className="figures">
      {SHOWN.map((name) => (
        <Card key={name} size="small">
          <Statistic title={say(name)} value={write(name, present)} />
          <span className="quiet">{say('was', { count: write(name, earlier) })}</span>
        </Card>
      ))}
    </div>
  );
}
