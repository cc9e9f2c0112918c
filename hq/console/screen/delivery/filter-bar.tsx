import { DatePicker, Flex, Input, Select } from 'antd';
import dayjs from 'dayjs';
import { useWords } from '../../word/language.tsx';
import { eventNames, eventWords } from '../webhook/event-words.ts';
import { deliveryStates, type DeliveryFilters } from './filters.ts';
import { words } from './words.ts';

interface Filtering {
  filters: DeliveryFilters;
  change: (patch: Partial<DeliveryFilters>) => void;
}

/** Each acts at the hub and stands in the address. */
export function FilterBar({ filters, change }: Filtering) {
  const say = useWords(words);
  const kind = useWords(eventWords);
  return (
    <Flex gap="small" wrap align="center" role="search" aria-label={say('title')}>
      <Period filters={filters} change={change} />
      <Select
        className="filter-choice"
        placeholder={say('status')}
        aria-label={say('status')}
        allowClear
        value={filters.status ?? null}
        options={deliveryStates.map((value) => ({ value, label: say(value) }))}
        onChange={(status) => change({ status: status ?? undefined })}
      />
      <Select
        className="filter-choice"
        placeholder={say('event')}
        aria-label={say('event')}
        allowClear
        value={filters.event ?? null}
        options={eventNames.map((value) => ({ value, label: kind(value) }))}
        onChange={(event) => change({ event: event ?? undefined })}
      />
      <Input
        key={filters.code}
        className="filter-code"
        placeholder={say('code')}
        aria-label={say('code')}
        inputMode="numeric"
        maxLength={3}
        allowClear
        defaultValue={filters.code}
        onPressEnter={({ currentTarget: { value } }) => change({ code: codeOf(value) })}
        onBlur={({ currentTarget: { value } }) => {
          if (codeOf(value) !== filters.code) change({ code: codeOf(value) });
        }}
        onClear={() => change({ code: undefined })}
      />
    </Flex>
  );
}

const codeOf = (typed: string): number | undefined => {
  const code = Number(typed);
  return Number.isInteger(code) && code >= 100 && code <= 599 ? code : undefined;
};

/** Asked when it is chosen. */
const last = (hours: number) => (): [dayjs.Dayjs, null] => [dayjs().subtract(hours, 'hour'), null];

/** In the time of this browser, with its offset, as the picker shows it. */
function Period({ filters: { since, until }, change }: Filtering) {
  const say = useWords(words);
  return (
    <DatePicker.RangePicker
      showTime={{ format: 'HH:mm' }}
      format="YYYY-MM-DD HH:mm Z"
      allowEmpty={[true, true]}
      className="filter-period"
      aria-label={say('time')}
      placeholder={[say('from'), say('until')]}
      value={[since === undefined ? null : dayjs(since), until === undefined ? null : dayjs(until)]}
      presets={[
        { label: say('lastHour'), value: last(1) },
        { label: say('lastDay'), value: last(24) },
        { label: say('lastWeek'), value: last(7 * 24) },
      ]}
      onChange={(range) => change({ since: range?.[0]?.toISOString(), until: range?.[1]?.toISOString() })}
    />
  );
}
