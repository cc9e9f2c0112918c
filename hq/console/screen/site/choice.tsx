import { useMemo } from 'react';
import { Offered } from '../../list/offered.tsx';
import { useSiteList } from './name.tsx';

/** The sites to choose from, by what people call them. */
export function useSiteOffers(): readonly { value: string; label: string }[] {
  const sites = useSiteList();
  return useMemo(
    () => sites.map(({ instance, displayName }) => ({ value: instance, label: displayName ?? instance })),
    [sites],
  );
}

/** A filter for one site, with those that are known. */
export function SiteChoice({
  label,
  value,
  change,
}: {
  label: string;
  value: string | undefined;
  change: (site: string | undefined) => void;
}) {
  const sites = useSiteList();
  const options = sites.map(({ instance, displayName }) => ({
    value: instance,
    ...(displayName === null ? {} : { label: displayName }),
  }));
  return <Offered label={label} value={value} options={options} change={change} />;
}
