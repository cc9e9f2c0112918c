import { Checkbox, Flex, Input, Select, Tag } from 'antd';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { taskStates, taskTypes, type TaskFilters } from './filters.ts';
import { words } from './words.ts';

type Change = (patch: Partial<TaskFilters>) => void;

/** The filters of the list; each acts at the hub and stands in the address. */
export function FilterBar({ filters, change }: { filters: TaskFilters; change: Change }) {
  const say = useWords(words);
  const { identity } = useSession();
  const { state, type, event, mine, overdue } = filters;
  return (
    <Flex gap="small" wrap align="center" role="search" aria-label={say('title')}>
      <Select
        mode="multiple"
        className="filter-choice"
        placeholder={say('stateFilter')}
        aria-label={say('state')}
        allowClear
        popupMatchSelectWidth={false}
        value={state ?? []}
        options={taskStates.map((value) => ({ value, label: say(value) }))}
        onChange={(chosen) => change({ state: chosen.length === 0 ? undefined : chosen })}
      />
      <Select
        className="filter-choice"
        placeholder={say('type')}
        aria-label={say('type')}
        allowClear
        value={type ?? null}
        options={taskTypes.map((value) => ({ value, label: say(value) }))}
        onChange={(chosen) => change({ type: chosen ?? undefined })}
      />
      <Typed name="organisation" filters={filters} change={change} />
      <Typed name="site" filters={filters} change={change} />
      {identity.tenantCode === null && <Typed name="tenant" filters={filters} change={change} />}
      <Checkbox
        checked={mine === 'yes'}
        onChange={({ target }) => change({ mine: target.checked ? 'yes' : undefined })}
      >
        {say('mine')}
      </Checkbox>
      <Checkbox
        checked={overdue === 'yes'}
        onChange={({ target }) => change({ overdue: target.checked ? 'yes' : undefined })}
      >
        {say('overdueOnly')}
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
  filters,
  change,
}: {
  name: 'organisation' | 'site' | 'tenant';
  filters: TaskFilters;
  change: Change;
}) {
  const say = useWords(words);
  const value = filters[name];
  const set = (typed: string): void => {
    const next = typed.trim() === '' ? undefined : typed.trim();
    if (next !== value) change({ [name]: next });
  };
  return (
    <Input
      key={value}
      className="filter-short"
      placeholder={say(name)}
      aria-label={say(name)}
      defaultValue={value}
      maxLength={128}
      allowClear
      onPressEnter={({ currentTarget }) => set(currentTarget.value)}
      onBlur={({ currentTarget }) => set(currentTarget.value)}
      onClear={() => set('')}
    />
  );
}
