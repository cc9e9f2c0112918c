import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useSession } from '../../session/session.tsx';

/** A site is hardly ever named anew, ms. */
const FRESH_MS = 300_000;

export const siteNamesKey = ['site-names'] as const;

/** What people call each site, for whoever sees events of it. */
function useNames(): ReadonlyMap<string, string> | undefined {
  const { can } = useSession();
  const { data } = useQuery({
    queryKey: siteNamesKey,
    queryFn: async () => {
      const { items } = await answerOf(api.GET('/api/core/uplink/states'));
      return new Map(
        items.flatMap(({ instance, displayName }) =>
          displayName === null ? [] : [[instance, displayName] as const],
        ),
      );
    },
    enabled: can('events.view'),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });
  return data;
}

/** What a site is called; its instance where it has no other name. */
export function useSiteName(): (instance: string) => string {
  const names = useNames();
  return useCallback((instance) => names?.get(instance) ?? instance, [names]);
}

/** A site as people call it, with its instance for who points at it. */
export function SiteName({ of }: { of: string }) {
  return <bdi title={of}>{useSiteName()(of)}</bdi>;
}
