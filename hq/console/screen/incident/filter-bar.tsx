import { Checkbox, Flex, Tag } from 'antd';
import { Choice } from '../../list/choice.tsx';
import { Offered } from '../../list/offered.tsx';
import { useWords } from '../../word/language.tsx';
import { useKnownLately } from '../event/known.ts';
import { TenantChoice } from '../report/tenant.tsx';
import { SiteChoice } from '../site/choice.tsx';
import { type IncidentFilters, incidentStates, layers } from './filters.ts';
import { words } from './words.ts';

type Change = (patch: Partial<IncidentFilters>) => void;

/** The filters of the list; each acts at the hub and stands in the address. */
export function FilterBar({ filters, change }: { filters: IncidentFilters; change: Change }) {
  const say = useWords(words);
  const { state, layer, event, test } = filters;
  const { places, opened } = useKnownLately(filters);
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
      <Offered
        label={say('placeFilter')}
        value={filters.place}
        options={places}
        opened={opened}
        change={(place) => change({ place })}
      />
      <SiteChoice label={say('site')} value={filters.site} change={(site) => change({ site })} />
      <TenantChoice value={filters.tenant} change={(tenant) => change({ tenant })} />
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
