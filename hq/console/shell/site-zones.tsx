import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answerOf, api } from '../api/client.ts';
import { useSession } from '../session/session.tsx';
import { TimeProvider } from '../time/time.tsx';

/** A site hardly ever moves to another zone, ms. */
const FRESH_MS = 300_000;

/** Knows the zone of every site that the user sees events of. */
export function SiteZones({ children }: { children: ReactNode }) {
  const { can } = useSession();
  const { data: zones } = useQuery({
    queryKey: ['zones'],
    queryFn: async () => {
      const { items } = await answerOf(api.GET('/api/core/uplink/zones'));
      return new Map(items.map(({ instance, zone }) => [instance, zone] as const));
    },
    enabled: can('events.view'),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  });
  return <TimeProvider sites={zones ?? NONE}>{children}</TimeProvider>;
}

const NONE: ReadonlyMap<string, string> = new Map();
