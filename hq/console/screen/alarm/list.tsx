import { Checkbox, Flex, Select } from 'antd';
import { useState } from 'react';
import { defineList, whole } from '../../list/define.tsx';
import { filters, oneOf, text, useFilters } from '../../list/filter.ts';
import { useWords } from '../../word/language.tsx';
import { TenantChoice } from '../report/tenant.tsx';
import { SiteChoice } from '../site/choice.tsx';
import { useColumns, useNarrowColumns } from './columns.tsx';
import { type Alarm, useAlarms } from './queries.ts';
import { type Settle, SettleAlarm, type Settling } from './settle.tsx';
import { words } from './words.ts';

const alarmFilters = filters({
  severity: oneOf(['warning', 'critical'] as const),
  instance: text,
  tenant: text,
  cleared: oneOf(['shown'] as const),
});

/** Most alarms that are shown. */
const LIMIT = 200;
const keyOf = ({ instance, key }: Alarm): string => `${instance} ${key}`;

const Alarms = defineList<Alarm, Settle>({ keyOf, useColumns, useNarrowColumns });

/** What needs a person, worst first. */
export function AlarmList() {
  const say = useWords(words);
  const { filters, clearOf } = useFilters(alarmFilters);
  const alarms = useAlarms(filters, LIMIT);
  const [settling, settle] = useState<Settling | null>(null);
  return (
    <Flex vertical gap="middle">
      <AlarmFilterBar />
      <Alarms
        list={whole(alarms, alarms.data?.items)}
        acts={settle}
        none={say('none')}
        clear={clearOf('severity', 'instance', 'tenant')}
      />
      {alarms.data?.hasMore && <span className="quiet">{say('more')}</span>}
      <SettleAlarm
        key={settling ? `${settling.how} ${keyOf(settling.alarm)}` : ''}
        settling={settling}
        close={() => settle(null)}
      />
    </Flex>
  );
}

function AlarmFilterBar() {
  const say = useWords(words);
  const { filters, change } = useFilters(alarmFilters);
  return (
    <Flex gap="small" wrap align="center">
      <Select<Alarm['severity']>
        className="filter-choice"
        placeholder={say('severity')}
        aria-label={say('severity')}
        allowClear
        value={filters.severity ?? null}
        options={(['critical', 'warning'] as const).map((value) => ({ value, label: say(value) }))}
        onChange={(severity?: Alarm['severity']) => change({ severity })}
      />
      <SiteChoice
        label={say('findInstance')}
        value={filters.instance}
        change={(instance) => change({ instance })}
      />
      <TenantChoice value={filters.tenant} change={(tenant) => change({ tenant })} />
      <Checkbox
        checked={filters.cleared === 'shown'}
        onChange={({ target }) => change({ cleared: target.checked ? 'shown' : undefined })}
      >
        {say('withCleared')}
      </Checkbox>
    </Flex>
  );
}
