import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { useSession } from '../../session/session.tsx';
import { useLanguage } from '../../word/language.tsx';

/**
 * What a type of event is called, in the language at hand; its code where it has no name, or for who may not
 * see the rules, which have the names.
 * @param tenant whose names count
 */
export function useTypeName(tenant: string): (type: string) => string {
  const { can } = useSession();
  const { language } = useLanguage();
  const { data } = useQuery({
    queryKey: ['event-types', tenant],
    queryFn: async () => {
      const query = { tenant_code: tenant };
      const { items } = await answerOf(api.GET('/api/agent/rules/event-types', { params: { query } }));
      return new Map(items.map((one) => [one.type, one] as const));
    },
    staleTime: Infinity,
    enabled: can('rules.view'),
  });
  return (type) => {
    const named = data?.get(type);
    return (language === 'zh' ? named?.nameZh : named?.nameEn) ?? type;
  };
}
