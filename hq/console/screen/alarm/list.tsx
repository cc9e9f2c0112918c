import { Checkbox, Flex, Select } from 'antd';
import { useState } from 'react';
import { DataTable, PAGED } from '../../list/data-table.tsx';
import { filters, oneOf, text, useFilters } from '../../list/filter.ts';
import { useRows } from '../../list/rows.ts';
import { AsOf } from '../../page/fault.tsx';
import { Nothing } from '../../page/page.tsx';
import { useWords } from '../../word/language.tsx';
import { TenantChoice } from '../report/tenant.tsx';
import { SiteChoice } from '../site/choice.tsx';
import { useColumns, useNarrowColumns } from './columns.tsx';
import { type Alarm, useAlarms } from './queries.ts';
import { SettleAlarm, type Settling } from './settle.tsx';
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

/** What needs a person, worst first. */
export function AlarmList() {
  const say = useWords(words);
  const { filters, change } = useFilters(alarmFilters);
  const alarms = useAlarms(filters, LIMIT);
  const [settling, settle] = useState<Settling | null>(null);
  const shown = alarms.data?.items ?? [];
  const rows = useRows({ rows: shown, keyOf });
  const [columns, narrow] = [useColumns(settle), useNarrowColumns(settle)];
  const { severity, instance, tenant } = filters;
  const narrowed = [severity, instance, tenant].some((one) => one !== undefined);
  const widen = (): void => change({ severity: undefined, instance: undefined, tenant: undefined });
  return (
    <Flex vertical gap="middle">
      <AsOf query={alarms} />
      <AlarmFilterBar />
      <DataTable<Alarm>
        {...rows.table}
        columns={columns}
        narrow={narrow}
        dataSource={shown}
        query={alarms}
        pagination={PAGED}
        locale={{ emptyText: <Nothing none={say('none')} clear={narrowed ? widen : undefined} /> }}
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
