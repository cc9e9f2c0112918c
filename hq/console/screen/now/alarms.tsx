import { CheckOutlined } from '@ant-design/icons';
import { Button, Flex } from 'antd';
import { useState } from 'react';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { ClearAlarm } from '../alarm/clear.tsx';
import { AlarmSeverity, AlarmText } from '../alarm/labels.tsx';
import { type Alarm, useAlarms } from '../alarm/queries.ts';
import { LIMIT } from './queries.ts';
import { Section } from './section.tsx';
import { words } from './words.ts';

const SHOWN = 10;
const keyOf = ({ key, instance }: Alarm): string => `${instance} ${key}`;

export function Alarms() {
  const say = useWords(words);
  const { can } = useSession();
  const alarms = useAlarms({}, LIMIT, ['now', 'alarms']);
  const [clearing, clear] = useState<Alarm | null>(null);
  return (
    <>
      <Section
        title={say('alarms')}
        query={alarms}
        keyOf={keyOf}
        line={(alarm) => (
          <AlarmLine alarm={alarm} clear={can('alarms.clear') ? () => clear(alarm) : undefined} />
        )}
        to="/admin"
        search={{ tab: 'alarms' }}
        urgent={alarms.data?.items.some(({ severity }) => severity === 'critical') ?? false}
        shown={SHOWN}
      />
      <ClearAlarm key={clearing ? keyOf(clearing) : ''} alarm={clearing} close={() => clear(null)} />
    </>
  );
}

function AlarmLine({ alarm, clear }: { alarm: Alarm; clear: (() => void) | undefined }) {
  const say = useWords(words);
  const { severity, instance, tenantCode, raisedAt, lastAt, count } = alarm;
  return (
    <Flex gap="small" align="start" justify="space-between">
      <div className="wrap">
        <Flex gap="small" wrap align="center">
          <AlarmSeverity severity={severity} />
          <bdi className="quiet">{[instance, tenantCode].filter(Boolean).join(' · ')}</bdi>
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
        </Flex>
      </div>
      {clear && (
        <Button size="small" icon={<CheckOutlined />} onClick={clear}>
          {say('clear')}
        </Button>
      )}
    </Flex>
  );
}
