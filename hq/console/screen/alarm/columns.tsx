import { Button, Flex, type TableColumnsType, Tag } from 'antd';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { AlarmSeverity, AlarmText } from './labels.tsx';
import type { Alarm } from './queries.ts';
import { words } from './words.ts';

/** For a phone: all of it in one column. @param clear asks whether it was dealt with */
export function useNarrowColumns(clear: (alarm: Alarm) => void): TableColumnsType<Alarm> {
  const say = useWords(words);
  return [
    {
      key: 'alarm',
      title: say('alarm'),
      render: (_, alarm) => (
        <Flex vertical gap={4} className="wrap">
          <Flex gap={4} wrap align="center">
            <Standing alarm={alarm} />
            <bdi className="quiet">{[alarm.instance, alarm.tenantCode].filter(Boolean).join(' · ')}</bdi>
          </Flex>
          <AlarmText alarm={alarm} />
          <span className="quiet">
            {say('since')} <Time at={alarm.raisedAt} site={alarm.instance} />
          </span>
          <div>
            <Clear alarm={alarm} clear={clear} />
          </div>
        </Flex>
      ),
    },
  ];
}

function Standing({ alarm: { severity, clearedAt } }: { alarm: Alarm }) {
  const say = useWords(words);
  return clearedAt === null ? <AlarmSeverity severity={severity} /> : <Tag>{say('over')}</Tag>;
}

/** For who may, as long as it stands. */
function Clear({ alarm, clear }: { alarm: Alarm; clear: (alarm: Alarm) => void }) {
  const say = useWords(words);
  const { can } = useSession();
  if (alarm.clearedAt !== null || !can('alarms.clear')) return null;
  return (
    <Button size="small" onClick={() => clear(alarm)}>
      {say('clear')}
    </Button>
  );
}

export function useColumns(clear: (alarm: Alarm) => void): TableColumnsType<Alarm> {
  const say = useWords(words);
  const { language } = useLanguage();
  const { can } = useSession();
  return [
    {
      key: 'severity',
      title: say('severity'),
      render: (_, alarm) => <Standing alarm={alarm} />,
    },
    {
      key: 'alarm',
      title: say('alarm'),
      render: (_, alarm) => (
        <Flex vertical className="said">
          <AlarmText alarm={alarm} />
          <code className="quiet">{alarm.key}</code>
        </Flex>
      ),
    },
    {
      key: 'place',
      title: say('place'),
      render: (_, { instance, tenantCode }) => (
        <Flex vertical className="name-cell">
          <bdi className="breaks">{instance}</bdi>
          {tenantCode !== null && <bdi className="quiet breaks">{tenantCode}</bdi>}
        </Flex>
      ),
    },
    {
      key: 'since',
      title: say('since'),
      render: (_, { raisedAt, instance }) => <Time at={raisedAt} site={instance} />,
    },
    {
      key: 'last',
      title: say('last'),
      render: (_, { lastAt, clearedAt, instance }) =>
        clearedAt === null ? (
          <Time at={lastAt} site={instance} ago />
        ) : (
          <>
            {say('over')} <Time at={clearedAt} site={instance} />
          </>
        ),
    },
    {
      key: 'count',
      title: say('count'),
      align: 'end',
      render: (_, { count }) => <span className="number">{number(count, language)}</span>,
    },
    ...(can('alarms.clear')
      ? [
          {
            key: 'clear',
            render: (_: unknown, alarm: Alarm) => <Clear alarm={alarm} clear={clear} />,
          },
        ]
      : []),
  ];
}
