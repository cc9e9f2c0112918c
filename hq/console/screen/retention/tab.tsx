import { Alert, Descriptions, Flex, Skeleton, type TableColumnsType, Typography } from 'antd';
import { DataTable } from '../../list/data-table.tsx';
import { Command } from '../../page/command.tsx';
import { AsOf } from '../../page/fault.tsx';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { Backup } from './backup.tsx';
import { Guards } from './guards.tsx';
import { type Retention, useRetention } from './queries.ts';
import { Scopes } from './scopes.tsx';
import { words } from './words.ts';

/** What is kept for how long, at what it stands, and what deletes? */
export function RetentionTab() {
  const { can } = useSession();
  const retention = useRetention();
  const { data } = retention;
  return (
    <Flex vertical gap="middle">
      <AsOf query={retention} />
      {retention.isPending && <Skeleton active />}
      {data && (
        <>
          {can('operation.view') && <Backup />}
          <Guards guards={data.guards} />
          <Lost lost={data.lost} />
          <Limits retention={data} />
          <HowSet />
          <Standing retention={data} />
        </>
      )}
      {can('policy.manage') && <Scopes />}
    </Flex>
  );
}

/** By configuration alone: who gets hold of a session can shorten nothing that is kept. */
function HowSet() {
  const say = useWords(words);
  return (
    <div className="quiet">
      {say('howSet')}
      <ul>
        <li>
          {say('howFile')} <Command text="/etc/fieldline-hq/hq.env" />
        </li>
        <li>
          {say('howRestart')} <Command text="sudo systemctl restart fieldline-hq" />
        </li>
        <li>{say('howSites')}</li>
      </ul>
    </div>
  );
}

interface Limit {
  kind: 'events' | 'audit' | 'alarms';
  under: 'eventsWith' | 'alarmsWith' | null;
  days: number | null;
  setting: string;
}

function Limits({ retention: { limits, deleted } }: { retention: Retention }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const of = (kind: Limit['kind'], days: number | null, under: Limit['under']): Limit => ({
    kind,
    under,
    days,
    setting: `CORE_RETENTION_${kind.toUpperCase()}_DAYS`,
  });
  const columns: TableColumnsType<Limit> = [
    {
      key: 'what',
      title: say('what'),
      render: (_, { kind, under }) => (
        <Flex vertical className="said">
          <strong>{say(kind)}</strong>
          {under && <span className="quiet">{say(under)}</span>}
        </Flex>
      ),
    },
    {
      key: 'kept',
      title: say('kept'),
      render: (_, { days }) =>
        days === null ? say('forEver') : say('days', { count: number(days, language) }),
    },
    {
      key: 'deleted',
      title: say('deleted'),
      align: 'end',
      render: (_, { kind }) => <span className="number">{number(deleted[kind] ?? 0, language)}</span>,
    },
    { key: 'setting', title: say('setting'), render: (_, { setting }) => <code>{setting}</code> },
  ];
  return (
    <DataTable<Limit>
      rowKey="kind"
      columns={columns}
      dataSource={[
        of('events', limits.eventsDays, 'eventsWith'),
        of('audit', limits.auditDays, null),
        of('alarms', limits.alarmsDays, 'alarmsWith'),
      ]}
    />
  );
}

/** What goes with its events, by the names that it is counted under. */
const ALONG = [
  'verdicts',
  'corrections',
  'changes',
  'feedback',
  'decisions',
  'evidence',
  'evidence_jobs',
  'incident_members',
  'incidents',
  'agent_decisions',
  'business_events',
  'notifications',
] as const;

function Standing({ retention }: { retention: Retention }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { oldest, newest, expired, held, lastRoundAt, lastRun, deleted, limits } = retention;
  const mark = (found: Retention['oldest']) =>
    limits.eventsDays === null ? (
      <span className="quiet">{say('notLimited')}</span>
    ) : found ? (
      <Time at={found.receivedAt} />
    ) : (
      <span className="quiet">{say('noEvents')}</span>
    );
  const along = ALONG.filter((kind) => (deleted[kind] ?? 0) > 0);
  const holding = held.filter(({ events }) => events > 0);
  const items = [
    { key: 'oldest', label: say('oldest'), children: mark(oldest) },
    { key: 'newest', label: say('newest'), children: mark(newest) },
    { key: 'expired', label: say('expired'), children: number(expired, language) },
    {
      key: 'held',
      label: say('held'),
      children:
        holding.length === 0
          ? say('nothingHeld')
          : holding.map(({ reason, events, from }) => (
              <div key={reason}>
                {say('heldLine', { why: say(reason), count: number(events, language), from })}
              </div>
            )),
    },
    {
      key: 'round',
      label: say('lastRound'),
      children: lastRoundAt === null ? say('never') : <Time at={lastRoundAt} ago />,
    },
    {
      key: 'run',
      label: say('lastRun'),
      children: lastRun === null ? say('never') : <Time at={lastRun.finishedAt} />,
    },
    ...(along.length === 0
      ? []
      : [
          {
            key: 'along',
            label: say('alsoDeleted'),
            children: along
              .map((kind) => `${say(kind)} ${number(deleted[kind] ?? 0, language)}`)
              .join(language === 'zh' ? '，' : ', '),
          },
        ]),
  ];
  return (
    <div>
      <Typography.Title level={2} className="section">
        {say('stands')}
      </Typography.Title>
      <Descriptions column={{ xs: 1, lg: 2 }} size="small" bordered items={items} />
    </div>
  );
}

function Lost({ lost }: { lost: Retention['lost'] }) {
  const say = useWords(words);
  const { language } = useLanguage();
  return lost.map(({ consumer, events }) => (
    <Alert
      key={consumer}
      type="warning"
      showIcon
      className="breaks"
      title={say('lost', { consumer, count: number(events, language) })}
    />
  ));
}
