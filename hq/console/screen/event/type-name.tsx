import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { useLanguage } from '../../word/language.tsx';

export type EventType = Answer<'/api/agent/rules/event-types', 'get'>['items'][number];

/** The types of events as a tenant has them: their names, and how grave each is. @param tenant '' for none */
export const useEventTypes = (tenant: string) =>
  useQuery({
    queryKey: ['rules', 'event-types', tenant],
    queryFn: () =>
      answerOf(api.GET('/api/agent/rules/event-types', { params: { query: { tenant_code: tenant } } })),
    staleTime: Infinity,
    enabled: tenant !== '',
  });

/**
 * What a type of event is called, in the language at hand; its code where it has no name.
 * @param tenant whose names count
 */
export function useTypeName(tenant: string): (type: string) => string {
  const { language } = useLanguage();
  const { data } = useEventTypes(tenant);
  return useMemo(() => {
    const names = new Map(data?.items.map((one) => [one.type, language === 'zh' ? one.nameZh : one.nameEn]));
    return (type) => names.get(type) ?? type;
  }, [data, language]);
}

/** Types of events in words, with their codes for who points at them. */
export function TypeNames({ tenant, types }: { tenant: string; types: readonly string[] }) {
  const named = useTypeName(tenant);
  return <bdi title={types.join(', ')}>{[...new Set(types.map(named))].join(', ')}</bdi>;
}
