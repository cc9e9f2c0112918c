import { Checkbox, Flex, Tag } from 'antd';
import { useState } from 'react';
import { Choice } from '../../list/choice.tsx';
import { Offered } from '../../list/offered.tsx';
import { useWords } from '../../word/language.tsx';
import { TenantChoice } from '../report/tenant.tsx';
import { SiteChoice } from '../site/choice.tsx';
import { type TaskFilters, taskStates, taskTypes } from './filters.ts';
import { useKnownOrganisations } from './known.ts';
import { words } from './words.ts';

type Change = (patch: Partial<TaskFilters>) => void;

/** The filters of the list; each acts at the hub and stands in the address. */
export function FilterBar({ filters, change }: { filters: TaskFilters; change: Change }) {
  const say = useWords(words);
  const { state, type, event, mine, overdue } = filters;
  const [wanted, want] = useState(false);
  const organisations = useKnownOrganisations(filters.tenant, wanted);
  return (
    <Flex gap="small" wrap align="center" role="search" aria-label={say('title')}>
      <Choice
        many
        label={say('stateFilter')}
        value={state}
        options={taskStates.map((value) => ({ value, label: say(value) }))}
        change={(chosen) => change({ state: chosen })}
      />
      <Choice
        many
        label={say('type')}
        value={type}
        options={taskTypes.map((value) => ({ value, label: say(value) }))}
        change={(chosen) => change({ type: chosen })}
      />
      <Offered
        label={say('organisation')}
        value={filters.organisation}
        options={organisations.map((value) => ({ value }))}
        opened={() => want(true)}
        change={(organisation) => change({ organisation })}
      />
      <SiteChoice label={say('site')} value={filters.site} change={(site) => change({ site })} />
      <TenantChoice value={filters.tenant} change={(tenant) => change({ tenant })} />
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
