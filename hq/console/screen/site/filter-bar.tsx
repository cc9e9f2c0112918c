import { Checkbox, Flex, Input, Select } from 'antd';
import { useWords } from '../../word/language.tsx';
import { type SiteFilters, siteStates } from './filters.ts';
import type { Fleet } from './queries.ts';
import { GroupSettings } from './setting/group.tsx';
import { words } from './words.ts';

/** Which sites are shown; how many there are of each kind stands beside it. */
export function FilterBar({
  filters,
  change,
  fleet,
}: {
  filters: SiteFilters;
  change: (patch: SiteFilters) => void;
  /** undefined: it has not come yet. */
  fleet: Fleet | undefined;
}) {
  const say = useWords(words);
  const set = (patch: SiteFilters): void => change({ ...patch, page: undefined });
  const { counts, groups = [], tenants = [], total } = fleet ?? {};
  const counted = (text: string, count: number | undefined): string =>
    count === undefined ? text : `${text} (${count})`;
  return (
    <Flex gap="small" wrap align="center">
      <Input.Search
        key={filters.q}
        className="filter-text"
        placeholder={say('find')}
        aria-label={say('find')}
        defaultValue={filters.q}
        maxLength={200}
        allowClear
        onSearch={(q) => set({ q: q.trim() === '' ? undefined : q.trim() })}
      />
      <Select
        mode="multiple"
        className="filter-choice"
        placeholder={say('stateFilter')}
        aria-label={say('stateFilter')}
        allowClear
        value={filters.state ?? []}
        options={siteStates.map((value) => ({ value, label: counted(say(value), counts?.[value]) }))}
        onChange={(state) => set({ state: state.length === 0 ? undefined : state })}
      />
      <Choice
        label={say('group')}
        value={filters.group}
        options={groups.map(({ name, sites }) => ({ value: name, label: counted(name, sites) }))}
        change={(group) => set({ group })}
      />
      <Choice
        label={say('tenant')}
        value={filters.tenant}
        options={tenants.map((value) => ({ value, label: value }))}
        change={(tenant) => set({ tenant })}
      />
      <Checkbox
        checked={filters.needs === 'care'}
        onChange={({ target }) => set({ needs: target.checked ? 'care' : undefined })}
      >
        {counted(say('care'), counts?.care)}
      </Checkbox>
      {filters.group !== undefined && <GroupSettings group={filters.group} />}
      {total !== undefined && <span className="quiet">{say('count', { count: total })}</span>}
    </Flex>
  );
}

/** One of those that the hub has; nothing where it has none. */
function Choice({
  label,
  value,
  options,
  change,
}: {
  label: string;
  value: string | undefined;
  options: { value: string; label: string }[];
  change: (value: string | undefined) => void;
}) {
  if (options.length === 0 && value === undefined) return null;
  return (
    <Select
      className="filter-choice"
      placeholder={label}
      aria-label={label}
      allowClear
      showSearch
      value={value ?? null}
      options={options}
      onChange={(chosen: string | null | undefined) => change(chosen ?? undefined)}
    />
  );
}
