import { Offered } from '../../list/offered.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useFleetChoices } from '../site/queries.ts';
import { words } from './words.ts';

/** Tenants that this user may know of, by the sites; for a user of a tenant their own alone. */
export function useKnownTenants(): readonly string[] {
  const { identity, can } = useSession();
  const { data: choices } = useFleetChoices({ enabled: identity.tenantCode === null && can('uplink.view') });
  if (identity.tenantCode !== null) return [identity.tenantCode];
  return choices?.tenants ?? [];
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
  return (
    <Offered
      label={say('tenant')}
      value={value}
      options={known.map((one) => ({ value: one }))}
      change={change}
      maxLength={64}
    />
  );
}
