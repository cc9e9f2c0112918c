import type { ReactNode } from 'react';
import { useSites, type Site } from '../screen/site/queries.ts';
import { useSession } from '../session/session.tsx';
import { TimeProvider } from '../time/time.tsx';

/** Knows the zone of every site that the user sees. */
export function SiteZones({ children }: { children: ReactNode }) {
  const { can } = useSession();
  const { data: zones } = useSites({ enabled: can('uplink.view'), select: zonesOf });
  return <TimeProvider sites={zones ?? NONE}>{children}</TimeProvider>;
}

const NONE: ReadonlyMap<string, string> = new Map();
const zonesOf = (sites: Site[]): ReadonlyMap<string, string> =>
  new Map(sites.flatMap(({ instance, report }) => (report?.zone ? [[instance, report.zone] as const] : [])));
