import { AutoComplete } from 'antd';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useSites } from '../site/queries.ts';
import { words } from './words.ts';

/** Tenants that this user may know of, by the sites; for a user of a tenant their own alone. */
export function useKnownTenants(): readonly string[] {
  const { identity, can } = useSession();
  const { data: sites } = useSites({ enabled: identity.tenantCode === null && can('uplink.view') });
  if (identity.tenantCode !== null) return [identity.tenantCode];
  return [...new Set(sites?.flatMap(({ tenants }) => tenants))].toSorted();
}

/** For headquarters: whose it is about. */
export function TenantChoice({
  value,
  change,
}: {
  value: string | undefined;
  change: (tenant: string | undefined) => void;
}) {
  const say = useWords(words);
  const { identity } = useSession();
  const known = useKnownTenants();
  if (identity.tenantCode !== null) return null;
  const set = (typed: string): void => {
    const next = typed.trim() || undefined;
    if (next !== value) change(next);
  };
  return (
    <AutoComplete
      key={value}
      className="filter-choice"
      placeholder={say('tenant')}
      aria-label={say('tenant')}
      defaultValue={value}
      options={known.map((one) => ({ value: one }))}
      maxLength={64}
      allowClear
      onSelect={set}
      onClear={() => set('')}
      onBlur={({ target }) => set((target as HTMLInputElement).value)}
      onInputKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') set((currentTarget as HTMLInputElement).value);
      }}
    />
  );
}
