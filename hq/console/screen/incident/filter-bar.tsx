import { Checkbox, Flex, Input, Select, Tag } from 'antd';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { incidentStates, layers, type IncidentFilters } from './filters.ts';
import { words } from './words.ts';

type Change = (patch: Partial<IncidentFilters>) => void;

/** The filters of the list; each acts at the hub and stands in the address. */
export function FilterBar({ filters, change }: { filters: IncidentFilters; change: Change }) {
  const say = useWords(words);
  const { identity } = useSession();
  const { state, layer, event, test } = filters;
  const common = { className: 'filter-choice', allowClear: true, popupMatchSelectWidth: false };
  return (
    <Flex gap="small" wrap align="center" role="search" aria-label={say('title')}>
      <Select
        {...common}
        placeholder={say('state')}
        aria-label={say('state')}
        value={state ?? null}
        options={incidentStates.map((value) => ({ value, label: say(value) }))}
        onChange={(chosen) => change({ state: chosen ?? undefined })}
      />
      <Select
        {...common}
        placeholder={say('layer')}
        aria-label={say('layer')}
        value={layer ?? null}
        options={layers.map((value) => ({ value, label: say(value) }))}
        onChange={(chosen) => change({ layer: chosen ?? undefined })}
      />
      <Typed name="place" label={say('placeFilter')} filters={filters} change={change} />
      <Typed name="site" label={say('site')} filters={filters} change={change} />
      {identity.tenantCode === null && (
        <Typed name="tenant" label={say('tenant')} filters={filters} change={change} />
      )}
      <Checkbox
        checked={test === 'yes'}
        onChange={({ target }) => change({ test: target.checked ? 'yes' : undefined })}
      >
        {say('withTests')}
      </Checkbox>
      {event !== undefined && (
        <Tag closable onClose={() => change({ event: undefined })}>
          {say('eventFilter', { id: event })}
        </Tag>
      )}
    </Flex>
  );
}

function Typed({
  name,
  label,
  filters,
  change,
}: {
  name: 'place' | 'site' | 'tenant';
  label: string;
  filters: IncidentFilters;
  change: Change;
}) {
  const value = filters[name];
  const set = (typed: string): void => {
    const next = typed.trim() === '' ? undefined : typed.trim();
    if (next !== value) change({ [name]: next });
  };
  return (
    <Input
      key={value}
      className="filter-short"
      placeholder={label}
      aria-label={label}
      defaultValue={value}
      maxLength={128}
      allowClear
      onPressEnter={({ currentTarget }) => set(currentTarget.value)}
      onBlur={({ currentTarget }) => set(currentTarget.value)}
      onClear={() => set('')}
    />
  );
}
