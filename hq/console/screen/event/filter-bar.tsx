import { FilterOutlined } from '@ant-design/icons';
import { Button, Checkbox, Flex } from 'antd';
import { useState } from 'react';
import { useWide } from '../../app/asked.ts';
import { Choice } from '../../list/choice.tsx';
import { Offered } from '../../list/offered.tsx';
import { Period } from '../../list/period.tsx';
import { Typed } from '../../list/typed.tsx';
import { useWords } from '../../word/language.tsx';
import { TenantChoice } from '../report/tenant.tsx';
import { SiteChoice } from '../site/choice.tsx';
import { SiteGroupChoice } from '../site/group-choice.tsx';
import { type EventFilters, severities, sources, verdicts } from './filters.ts';
import { useKnownLately, useKnownTypes } from './known.ts';
import { words } from './words.ts';

type Change = (patch: Partial<EventFilters>) => void;

/** The filters of the list; each acts at the hub and stands in the address. */
export function FilterBar({ filters, change }: { filters: EventFilters; change: Change }) {
  const say = useWords(words);
  const wide = useWide('md');
  const [open, setOpen] = useState(false);
  const set = Object.values(filters).filter((value) => value !== undefined).length;
  if (wide) return <Fields filters={filters} change={change} />;
  return (
    <Flex vertical gap="small">
      <Button icon={<FilterOutlined />} aria-expanded={open} onClick={() => setOpen(!open)}>
        {set === 0 ? say('filters') : say('filtersSet', { count: set })}
      </Button>
      {open && <Fields filters={filters} change={change} />}
    </Flex>
  );
}

function Fields({ filters, change }: { filters: EventFilters; change: Change }) {
  const say = useWords(words);
  const types = useKnownTypes(filters.tenant);
  const { cameras, places, opened } = useKnownLately(filters);
  return (
    <Flex gap="small" wrap align="center" role="search" aria-label={say('title')}>
      <Typed label={say('words')} className="filter-text" value={filters.q} change={(q) => change({ q })} />
      <Period span={filters} change={change} />
      <Choice
        many
        label={say('severity')}
        value={filters.severity}
        options={severities.map((value) => ({ value, label: say(value) }))}
        change={(severity) => change({ severity })}
      />
      <VerdictChoice of="verdict" filters={filters} change={change} />
      <VerdictChoice of="standing" filters={filters} change={change} />
      <VerdictChoice of="corrected" filters={filters} change={change} />
      <SiteChoice label={say('site')} value={filters.site} change={(site) => change({ site })} />
      <SiteGroupChoice value={filters.group} tenant={filters.tenant} change={(group) => change({ group })} />
      <Offered label={say('type')} value={filters.type} options={types} change={(type) => change({ type })} />
      <Offered
        label={say('camera')}
        value={filters.camera}
        options={cameras}
        opened={opened}
        change={(camera) => change({ camera })}
      />
      <Choice
        label={say('source')}
        value={filters.source}
        options={sources.map((value) => ({ value, label: say(value) }))}
        change={(source) => change({ source })}
      />
      <Offered
        label={say('place')}
        value={filters.place}
        options={places}
        opened={opened}
        change={(place) => change({ place })}
      />
      <TenantChoice value={filters.tenant} change={(tenant) => change({ tenant, group: undefined })} />
      <Checkbox
        checked={filters.test === 'yes'}
        onChange={({ target }) => change({ test: target.checked ? 'yes' : undefined })}
      >
        {say('withTests')}
      </Checkbox>
    </Flex>
  );
}

interface VerdictChoiceProps {
  of: 'verdict' | 'standing' | 'corrected';
  filters: EventFilters;
  change: Change;
}

function VerdictChoice({ of, filters, change }: VerdictChoiceProps) {
  const say = useWords(words);
  return (
    <Choice
      label={say(of)}
      value={filters[of]}
      options={[
        { value: 'none' as const, label: say(of === 'corrected' ? 'uncorrected' : 'unjudged') },
        ...verdicts.map((value) => ({ value, label: say(value) })),
      ]}
      change={(value) => change({ [of]: value })}
    />
  );
}
