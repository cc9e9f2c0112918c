import { Flex, Input } from 'antd';
import { Choice } from '../../list/choice.tsx';
import { Period } from '../../list/period.tsx';
import { useWords } from '../../word/language.tsx';
import { eventNames, eventWords } from '../webhook/event-words.ts';
import { type DeliveryFilters, deliveryStates } from './filters.ts';
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
      <Period span={filters} change={change} label={say('time')} />
      <Choice
        label={say('status')}
        value={filters.status}
        options={deliveryStates.map((value) => ({ value, label: say(value) }))}
        change={(status) => change({ status })}
      />
      <Choice
        label={say('event')}
        value={filters.event}
        options={eventNames.map((value) => ({ value, label: kind(value) }))}
        change={(event) => change({ event })}
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
