import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useFilters } from '../../list/filter.ts';
import { useSession } from '../../session/session.tsx';
import { eyesFilters } from './filters.ts';

/** Whose library, and with whose clearance it is read. */
export interface Eyes {
  tenant: string;
  /** The account that asks; undefined in a portal session, which always asks for itself. */
  subject: string | undefined;
  /** Every level, which headquarters may ask for and which is audited each time. */
  all: boolean;
  headers: Record<string, string>;
  query: { tenant_code: string; all_levels?: '1' };
  /** For keys of queries. */
  key: readonly [string, string, boolean];
}

export function useTenants() {
  return useQuery({
    queryKey: ['policy', 'tenants'],
    queryFn: async () => (await answerOf(api.GET('/api/core/kb/tenants'))).tenants ?? [],
    staleTime: 600_000,
  });
}

/** null while the tenants are not known, and where there is none. */
export function useEyes(): Eyes | null {
  const { identity } = useSession();
  const tenants = useTenants().data;
  const { filters } = useFilters(eyesFilters);
  const tenant = tenants?.find((one) => one === filters.tenant) ?? tenants?.[0];
  const console = identity.tenantCode === null;
  const all = console && filters.all === '1';
  const subject = console ? (filters.as ?? identity.name) : undefined;
  return useMemo(() => {
    if (tenant === undefined) return null;
    const headers: Record<string, string> = {};
    // Names of accounts may be Chinese, which headers are not.
    if (subject !== undefined && !all) headers['x-core-subject'] = encodeURIComponent(subject);
    return {
      tenant,
      subject,
      all,
      headers,
      query: { tenant_code: tenant, ...(all ? { all_levels: '1' as const } : {}) },
      key: [tenant, subject ?? '', all],
    };
  }, [tenant, subject, all]);
}
