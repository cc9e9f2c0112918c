import { Flex, type TableColumnsType, Tag } from 'antd';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { SiteName } from '../site/name.tsx';
import { AlarmSeverity, AlarmText, TakenBy } from './labels.tsx';
import type { Alarm } from './queries.ts';
import { AlarmActs, type Settle } from './settle.tsx';
import { words } from './words.ts';

/** For a phone: all of it in one column. @param settle asks what is to be said of it */
export function useNarrowColumns(settle: Settle): TableColumnsType<Alarm> {
  const say = useWords(words);
  return [
    {
      key: 'alarm',
      title: say('alarm'),
      render: (_, alarm) => (
        <Flex vertical gap={4} className="wrap">
          <Flex gap={4} wrap align="center">
            <Standing alarm={alarm} />
            <span className="quiet">
              <SiteName of={alarm.instance} />
              {alarm.tenantCode !== null && <bdi> · {alarm.tenantCode}</bdi>}
            </span>
          </Flex>
          <AlarmText alarm={alarm} />
          <span className="quiet">
            {say('since')} <Time at={alarm.raisedAt} site={alarm.instance} />
          </span>
          <TakenBy alarm={alarm} />
          <AlarmActs alarm={alarm} settle={settle} />
        </Flex>
      ),
    },
  ];
}

function Standing({ alarm: { severity, clearedAt } }: { alarm: Alarm }) {
  const say = useWords(words);
  return clearedAt === null ? <AlarmSeverity severity={severity} /> : <Tag>{say('over')}</Tag>;
}

export function useColumns(settle: Settle): TableColumnsType<Alarm> {
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
          <TakenBy alarm={alarm} />
        </Flex>
      ),
    },
    {
      key: 'place',
      title: say('place'),
      render: (_, { instance, tenantCode }) => (
        <Flex vertical className="name-cell">
          <span className="breaks">
            <SiteName of={instance} />
          </span>
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
            key: 'acts',
            render: (_: unknown, alarm: Alarm) => <AlarmActs alarm={alarm} settle={settle} />,
          },
        ]
      : []),
  ];
}
