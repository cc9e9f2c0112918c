// Who is known to be sent: the organisations that tasks were given to lately.
import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';

/** The newest tasks, of which the organisations are taken. */
const LOOKED_AT = 500;
const FRESH_MS = 300_000;
const NONE: readonly string[] = [];

/** Those that most tasks went to first. @param tenant undefined: of every tenant */
export function useKnownOrganisations(tenant: string | undefined, enabled = true): readonly string[] {
  const { data = NONE } = useQuery({
    queryKey: ['known-organisations', tenant],
    queryFn: async () => {
      const query = { limit: LOOKED_AT, ...(tenant && { tenant_code: tenant }) };
      const { items } = await answerOf(api.GET('/api/core/objects/tasks', { params: { query } }));
      const times = new Map<string, number>();
      for (const { assigneeOrg } of items)
        if (assigneeOrg !== null) times.set(assigneeOrg, (times.get(assigneeOrg) ?? 0) + 1);
      return [...times].toSorted(([a, x], [b, y]) => y - x || a.localeCompare(b)).map(([name]) => name);
    },
    staleTime: FRESH_MS,
    enabled,
  });
  return data;
}
