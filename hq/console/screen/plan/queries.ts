import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { SLOW } from '../../api/queries.ts';

export const PLANS = ['plans'] as const;
export type Plan = Answer<'/api/core/plans/{id}', 'get'>;
export type Pin = Plan['pins'][number];

/** A drawing is hardly ever made anew, ms. */
const FRESH_MS = 300_000;

/** The drawings of sites that the user may see, by site and name. */
export const usePlans = () =>
  useQuery({
    queryKey: [...PLANS, 'list'],
    queryFn: async () => (await answerOf(api.GET('/api/core/plans'))).items,
    staleTime: FRESH_MS,
  });

/** @param id '' for none */
export const usePlan = (id: string) =>
  useQuery({
    ...SLOW,
    queryKey: [...PLANS, 'one', id],
    queryFn: () => answerOf(api.GET('/api/core/plans/{id}', { params: { path: { id } } })),
    enabled: id !== '',
  });

/** The plans on which a camera stands. @param camera null: it has no name */
export const usePlansOf = (tenant: string, instance: string, camera: string | null) =>
  useQuery({
    queryKey: [...PLANS, 'of', tenant, instance, camera],
    queryFn: async () => {
      const query = { tenant_code: tenant, instance, camera_ref: camera ?? '' };
      return (await answerOf(api.GET('/api/core/plans', { params: { query } }))).items;
    },
    staleTime: FRESH_MS,
    enabled: camera !== null,
  });

/** Where a browser takes the picture from; another one has another address. */
export const pictureOf = ({ id, picture }: Plan): string =>
  `/api/core/plans/${encodeURIComponent(id)}/picture#${picture.sha256.slice(0, 12)}`;
