// What the filters offer: the sites, the types and the cameras that are known.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import type { Offer } from '../../list/offered.tsx';
import { useSession } from '../../session/session.tsx';
import { useLanguage } from '../../word/language.tsx';
import { type CameraOf, useCameraName } from '../camera/name.tsx';
import { useKnownTenants } from '../report/tenant.tsx';
import { useEventTypes } from './type-name.tsx';

/**
 * Types that have a name, the gravest first.
 * @param tenant whose names; undefined: those of the first that is known
 */
export function useKnownTypes(tenant: string | undefined): readonly Offer[] {
  const { identity } = useSession();
  const { language } = useLanguage();
  const known = useKnownTenants();
  const { data } = useEventTypes(identity.tenantCode ?? tenant ?? known[0] ?? '');
  return useMemo(
    () =>
      (data?.items ?? [])
        .filter(({ type }) => !type.includes('*'))
        .map(({ type, nameZh, nameEn }) => ({
          value: type,
          label: (language === 'zh' ? nameZh : nameEn) ?? type,
        })),
    [data, language],
  );
}

/** The newest events, of which cameras and places are taken. */
const LOOKED_AT = 200;
const FRESH_MS = 300_000;
const NONE: Lately = { cameras: [], places: [] };

interface Lately {
  cameras: readonly CameraOf[];
  places: readonly Offer[];
}

/** What brought something lately; it is asked for once somebody wants to choose. */
export function useKnownLately(of: { site?: string | undefined; tenant?: string | undefined }) {
  const [wanted, want] = useState(false);
  const { site, tenant } = of;
  const { data = NONE } = useQuery({
    queryKey: ['known-lately', site, tenant],
    queryFn: async (): Promise<Lately> => {
      const query = {
        limit: LOOKED_AT,
        ...(site && { instance: site }),
        ...(tenant && { tenant_code: tenant }),
      };
      const { items } = await answerOf(api.GET('/api/core/events/list', { params: { query } }));
      return {
        cameras: items,
        places: offersOf(items.map(({ siteRef }) => [siteRef, undefined])),
      };
    },
    staleTime: FRESH_MS,
    enabled: wanted,
  });
  const cameraName = useCameraName();
  const { places } = data;
  const cameras = useMemo(
    () => offersOf(data.cameras.map((one) => [one.cameraRef ?? undefined, cameraName(one) ?? undefined])),
    [data, cameraName],
  );
  return { cameras, places, opened: () => want(true) };
}

/** Each once, by what it is called. */
function offersOf(named: (readonly [value: string | undefined, label: string | undefined])[]): Offer[] {
  const known = new Map(
    named.flatMap(([value, label]) => (value === undefined ? [] : [[value, label ?? value] as const])),
  );
  return [...known]
    .map(([value, label]) => ({ value, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
}
