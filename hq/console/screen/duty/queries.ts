import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { SLOW } from '../../api/queries.ts';
import { useSession } from '../../session/session.tsx';

export type Rota = Answer<'/api/core/duty/rotas', 'get'>['items'][number];
export type Span = Rota['gaps'][number];

export const ROTAS = ['rotas'] as const;

export const useRotas = () =>
  useQuery({
    ...SLOW,
    queryKey: ROTAS,
    queryFn: async () => (await answerOf(api.GET('/api/core/duty/rotas'))).items,
  });

/** Who is on duty within the next two weeks. @param shown whether somebody looks at it */
export const useSpans = ({ id, updatedAt }: Rota, shown: boolean) =>
  useQuery({
    queryKey: [...ROTAS, 'spans', id, updatedAt],
    queryFn: async () =>
      (await answerOf(api.GET('/api/core/duty/rotas/{id}/spans', { params: { path: { id } } }))).items,
    enabled: shown,
  });

/** Whom a rota of this tenant can name. @param tenant null: one of the operators */
export function useDutyPeople(tenant: string | null | undefined) {
  const { can } = useSession();
  return useQuery({
    queryKey: ['duty-people', tenant],
    queryFn: async () => {
      const query = tenant ? { tenant_code: tenant } : {};
      return (await answerOf(api.GET('/api/core/duty/people', { params: { query } }))).items;
    },
    enabled: can('duty.manage') && tenant !== undefined,
  });
}
