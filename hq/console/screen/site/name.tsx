import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useSession } from '../../session/session.tsx';

/** A site is hardly ever named anew, ms. */
const FRESH_MS = 300_000;

export const siteNamesKey = ['site-names'] as const;

interface Named {
  instance: string;
  displayName: string | null;
}
const NONE: readonly Named[] = [];

/** The sites with what people call them, for whoever sees events of them. */
export function useSiteList(): readonly Named[] {
  const { can } = useSession();
  const { data = NONE } = useQuery({
    queryKey: siteNamesKey,
    queryFn: async (): Promise<readonly Named[]> =>
      (await answerOf(api.GET('/api/core/uplink/states'))).items,
    enabled: can('events.view'),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });
  return data;
}

/** What a site is called; its instance where it has no other name. */
export function useSiteName(): (instance: string) => string {
  const sites = useSiteList();
  return useMemo(() => {
    const names = new Map(sites.map(({ instance, displayName }) => [instance, displayName]));
    return (instance) => names.get(instance) ?? instance;
  }, [sites]);
}

/** A site as people call it, with its instance for who points at it. */
export function SiteName({ of }: { of: string }) {
  return <bdi title={of}>{useSiteName()(of)}</bdi>;
}
