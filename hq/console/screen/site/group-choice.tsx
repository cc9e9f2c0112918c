import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { SLOW } from '../../api/queries.ts';
import { Choice } from '../../list/choice.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { words } from './words.ts';

const NONE: readonly { name: string; sites: number }[] = [];

/** The groups that sites are looked after by, with how many sites of the tenant are in each. */
export function useSiteGroups(tenant: string | undefined) {
  const { can } = useSession();
  const { data = NONE } = useQuery({
    ...SLOW,
    queryKey: ['sites', 'groups', tenant],
    queryFn: async () => {
      const query = tenant === undefined ? {} : { tenant_code: tenant };
      return (await answerOf(api.GET('/api/core/site-groups', { params: { query } }))).items;
    },
    enabled: can('events.view'),
  });
  return data;
}

/** A filter for the sites of one group; nothing where sites are in no groups. */
export function SiteGroupChoice({
  value,
  tenant,
  change,
}: {
  value: string | undefined;
  /** Whose sites; undefined: of all. */
  tenant: string | undefined;
  change: (group: string | undefined) => void;
}) {
  const say = useWords(words);
  const groups = useSiteGroups(tenant);
  if (groups.length === 0 && value === undefined) return null;
  return (
    <Choice
      label={say('group')}
      value={value}
      options={groups.map(({ name, sites }) => ({ value: name, label: `${name} (${sites})` }))}
      change={change}
    />
  );
}
