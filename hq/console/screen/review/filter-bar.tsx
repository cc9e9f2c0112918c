import { Flex } from 'antd';
import { Choice } from '../../list/choice.tsx';
import { Offered } from '../../list/offered.tsx';
import { useWords } from '../../word/language.tsx';
import { severities } from '../event/filters.ts';
import { useKnownTypes } from '../event/known.ts';
import { words as eventWords } from '../event/words.ts';
import { TenantChoice } from '../report/tenant.tsx';
import { SiteChoice } from '../site/choice.tsx';
import { SiteGroupChoice } from '../site/group-choice.tsx';
import type { ReviewFilters } from './filters.ts';
import { words } from './words.ts';

/** The filters of the queue; each acts at the hub and stands in the address. */
export function FilterBar({
  filters: { severity, type, site, group, tenant },
  change,
}: {
  filters: ReviewFilters;
  change: (patch: Partial<ReviewFilters>) => void;
}) {
  const say = useWords(words);
  const sayEvent = useWords(eventWords);
  const types = useKnownTypes(tenant);
  return (
    <Flex gap="small" wrap align="center" role="search" aria-label={say('title')}>
      <Choice
        many
        label={say('severity')}
        value={severity}
        options={severities.map((value) => ({ value, label: sayEvent(value) }))}
        change={(chosen) => change({ severity: chosen })}
      />
      <Offered
        label={say('type')}
        value={type}
        options={types}
        change={(chosen) => change({ type: chosen })}
      />
      <SiteChoice label={say('site')} value={site} change={(chosen) => change({ site: chosen })} />
      <SiteGroupChoice value={group} tenant={tenant} change={(chosen) => change({ group: chosen })} />
      <TenantChoice value={tenant} change={(chosen) => change({ tenant: chosen, group: undefined })} />
    </Flex>
  );
}
