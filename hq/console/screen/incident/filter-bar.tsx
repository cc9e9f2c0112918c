import { Checkbox, Flex, Tag } from 'antd';
import { Choice } from '../../list/choice.tsx';
import { Typed } from '../../list/typed.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { type IncidentFilters, incidentStates, layers } from './filters.ts';
import { words } from './words.ts';

type Change = (patch: Partial<IncidentFilters>) => void;

/** The filters of the list; each acts at the hub and stands in the address. */
export function FilterBar({ filters, change }: { filters: IncidentFilters; change: Change }) {
  const say = useWords(words);
  const { identity } = useSession();
  const { state, layer, event, test } = filters;
  const typed = (name: 'place' | 'site' | 'tenant', label: string) => (
    <Typed
      label={label}
      value={filters[name]}
      change={(value) => change({ [name]: value })}
      maxLength={128}
    />
  );
  return (
    <Flex gap="small" wrap align="center" role="search" aria-label={say('title')}>
      <Choice
        label={say('state')}
        value={state}
        options={incidentStates.map((value) => ({ value, label: say(value) }))}
        change={(chosen) => change({ state: chosen })}
      />
      <Choice
        label={say('layer')}
        value={layer}
        options={layers.map((value) => ({ value, label: say(value) }))}
        change={(chosen) => change({ layer: chosen })}
      />
      {typed('place', say('placeFilter'))}
      {typed('site', say('site'))}
      {identity.tenantCode === null && typed('tenant', say('tenant'))}
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
