import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';

export type Source = Answer<'/api/dataset/sources', 'get'>['items'][number];
export type Dataset = Source['datasets'][number];
export const SOURCES = ['sources'] as const;

export const useSources = () =>
  useQuery({
    ...LIVE,
    queryKey: SOURCES,
    queryFn: async () => (await answerOf(api.GET('/api/dataset/sources'))).items,
  });
