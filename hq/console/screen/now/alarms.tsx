import { Flex } from 'antd';
import { useState } from 'react';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { AlarmSeverity, AlarmText, TakenBy } from '../alarm/labels.tsx';
import { type Alarm, useAlarms } from '../alarm/queries.ts';
import { AlarmActs, type Settle, SettleAlarm, type Settling } from '../alarm/settle.tsx';
import { useSiteName } from '../site/name.tsx';
import { Section } from './section.tsx';
import { LIMIT } from './severe.ts';
import { words } from './words.ts';

const SHOWN = 10;
const keyOf = ({ key, instance }: Alarm): string => `${instance} ${key}`;

export function Alarms() {
  const say = useWords(words);
  const alarms = useAlarms({}, LIMIT, ['now', 'alarms']);
  const [settling, settle] = useState<Settling | null>(null);
  return (
    <>
      <Section
        title={say('alarms')}
        query={alarms}
        keyOf={keyOf}
        line={(alarm) => <AlarmLine alarm={alarm} settle={settle} />}
        to="/admin"
        search={{ tab: 'alarms' }}
        urgent={alarms.data?.items.some(({ severity }) => severity === 'critical') ?? false}
        shown={SHOWN}
      />
      <SettleAlarm
        key={settling ? `${settling.how} ${keyOf(settling.alarm)}` : ''}
        settling={settling}
        close={() => settle(null)}
      />
    </>
  );
}

function AlarmLine({ alarm, settle }: { alarm: Alarm; settle: Settle }) {
  const say = useWords(words);
  const siteName = useSiteName();
  const { severity, instance, tenantCode, raisedAt, lastAt, count } = alarm;
  return (
    <Flex gap="small" align="start" justify="space-between">
      <div className="wrap">
        <Flex gap="small" wrap align="center">
          <AlarmSeverity severity={severity} />
          <bdi className="quiet">{[siteName(instance), tenantCode].filter(Boolean).join(' · ')}</bdi>
        </Flex>
        <AlarmText alarm={alarm} />
        <Flex gap="small" wrap className="quiet">
          <span>
            {say('since')} <Time at={raisedAt} site={instance} />
          </span>
          {count > 1 && (
            <span>
              {say('times', { count })}, {say('last')} <Time at={lastAt} site={instance} ago />
            </span>
          )}
          <TakenBy alarm={alarm} />
        </Flex>
      </div>
      <AlarmActs alarm={alarm} settle={settle} />
    </Flex>
  );
}
