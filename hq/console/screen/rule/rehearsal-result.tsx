import { Link } from '@tanstack/react-router';
import { Alert, Flex, Tag } from 'antd';
import { DataTable } from '../../list/data-table.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { SeverityTag } from '../event/labels.tsx';
import { TypeNames } from '../event/type-name.tsx';
import { words as eventWords } from '../event/words.ts';
import { channels } from './filters.ts';
import type { Rehearsal } from './queries.ts';
import { rehearsalWords } from './rehearsal-words.ts';
import { words } from './words.ts';

type Count = Rehearsal['rules'][number];
type Example = Rehearsal['examples'][number];

/** What becomes of the events now, and what would with the draft. */
export function RehearsalResult({ rehearsal }: { rehearsal: Rehearsal }) {
  const say = useWords(rehearsalWords);
  const { language } = useLanguage();
  const { events, complete, first, last, changed, shadowed, examples } = rehearsal;
  if (events === 0) return <Alert type="info" showIcon title={say('noEvents')} />;
  return (
    <Flex vertical gap="middle">
      <Alert
        type={complete ? 'info' : 'warning'}
        showIcon
        title={say('changed', { changed: number(changed, language), events: number(events, language) })}
        description={
          <>
            {first && <Time at={first} />} – {last && <Time at={last} />}
            {!complete && <div>{say('incomplete')}</div>}
          </>
        }
      />
      {shadowed.map(({ name, by }) => (
        <Alert
          key={`${name} ${by.name}`}
          type="warning"
          showIcon
          title={<span className="wraps">{say('shadowed', { name, by: by.name })}</span>}
        />
      ))}
      <Outcomes rehearsal={rehearsal} />
      <ByRule rules={rehearsal.rules} />
      {examples.length > 0 && <Examples examples={examples} />}
    </Flex>
  );
}

const OUTCOMES = ['notify', 'dispatch', 'review', 'suppressed', 'observed', 'told'] as const;

function useComparing<T extends { before: number; after: number }>() {
  const say = useWords(rehearsalWords);
  const { language } = useLanguage();
  const signed = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' });
  const shown = (value: number) => <span className="number">{number(value, language)}</span>;
  return [
    {
      key: 'before',
      title: say('now'),
      align: 'end' as const,
      render: (_: unknown, { before }: T) => shown(before),
    },
    {
      key: 'after',
      title: say('then'),
      align: 'end' as const,
      render: (_: unknown, { after }: T) => shown(after),
    },
    {
      key: 'difference',
      title: say('difference'),
      align: 'end' as const,
      render: (_: unknown, { before, after }: T) => (
        <strong className="number">{before === after ? '' : signed.format(after - before)}</strong>
      ),
    },
  ];
}

function Outcomes({ rehearsal: { before, after } }: { rehearsal: Rehearsal }) {
  const say = useWords(rehearsalWords);
  const compared = useComparing<{ key: string; before: number; after: number }>();
  return (
    <DataTable
      rowKey="key"
      dataSource={OUTCOMES.map((key) => ({ key, before: before[key], after: after[key] }))}
      columns={[
        {
          key: 'outcome',
          title: say('outcome'),
          render: (_, { key }) => say(key as (typeof OUTCOMES)[number]),
        },
        ...compared,
      ]}
    />
  );
}

function ByRule({ rules }: { rules: readonly Count[] }) {
  const say = useWords(rehearsalWords);
  const compared = useComparing<Count>();
  return (
    <DataTable<Count>
      rowKey={({ tenantCode, name }) => JSON.stringify([tenantCode, name])}
      pagination={{ defaultPageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
      dataSource={[...rules]}
      columns={[
        {
          key: 'name',
          title: say('byRule'),
          render: (_, { name, draft }) => (
            <>
              <span className="name">{name ?? say('noRule')}</span>{' '}
              {draft && <Tag color="processing">{say('draft')}</Tag>}
            </>
          ),
        },
        ...compared,
      ]}
    />
  );
}

function Examples({ examples }: { examples: readonly Example[] }) {
  const say = useWords(rehearsalWords);
  return (
    <DataTable<Example>
      rowKey="eventId"
      pagination={{ defaultPageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
      dataSource={[...examples]}
      columns={[
        {
          key: 'event',
          title: say('example'),
          render: (_, { eventId, tenantCode, type, occurredAt, instance, severity }) => (
            <>
              <Link to="/events/$id" params={{ id: String(eventId) }} target="_blank">
                {eventId}
              </Link>{' '}
              <TypeNames tenant={tenantCode} types={[type]} /> <SeverityTag severity={severity} />
              <div>{occurredAt && <Time at={occurredAt} site={instance} />}</div>
            </>
          ),
        },
        { key: 'before', title: say('now'), render: (_, { before }) => <FateText fate={before} /> },
        {
          key: 'after',
          title: say('then'),
          render: (_, { after, changed }) => (changed ? <FateText fate={after} /> : say('same')),
        },
      ]}
    />
  );
}

type Fate = Rehearsal['examples'][number]['before'];

/** What becomes of an event: by which rule, and how. */
function FateText({ fate }: { fate: Fate }) {
  const say = useWords(rehearsalWords);
  const sayRule = useWords(words);
  const saySeverity = useWords(eventWords);
  const { ruleName, outcome, kind, severity, dueMinutes, assigneeOrg } = fate;
  const by = channels.filter((one) => fate.channels.includes(one)).map((one) => sayRule(one));
  const parts =
    outcome === 'task'
      ? [
          say(kind),
          saySeverity(severity),
          ...by,
          ...(assigneeOrg === null ? [] : [assigneeOrg]),
          ...(dueMinutes === null ? [] : [say('within', { minutes: dueMinutes })]),
          ...(fate.judgedBelow ? [say('judgedBelow')] : []),
        ]
      : [say(outcome)];
  return (
    <div className="said">
      <strong>{ruleName ?? say('noRule')}</strong>
      <div>{parts.join(' · ')}</div>
    </div>
  );
}
