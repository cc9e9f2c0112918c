import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { SLOW } from '../../api/queries.ts';

export const PLANS = ['plans'] as const;
export type Plan = Answer<'/api/core/plans', 'get'>['items'][number];
export type Pin = Plan['pins'][number];

/** The drawings of sites that the user may see, by site and name. */
export const usePlans = () =>
  useQuery({
    ...SLOW,
    queryKey: PLANS,
    queryFn: async () => (await answerOf(api.GET('/api/core/plans'))).items,
  });

/** Where a browser takes the picture from; another one has another address. */
export const pictureOf = ({ id, picture }: Plan): string =>
  `/api/core/plans/${encodeURIComponent(id)}/picture#${picture.sha256.slice(0, 12)}`;
