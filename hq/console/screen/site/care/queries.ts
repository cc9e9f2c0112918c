import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../../api/client.ts';
import { LIVE } from '../../../api/queries.ts';

export type Requests = Answer<'/api/core/sites/{instance}/requests', 'get'>;
export type Line = Requests['items'][number];

export const careKey = (instance: string) => ['site', instance, 'care'] as const;

/** What a site was asked for, the newest first. */
export const useRequests = (instance: string) =>
  useQuery({
    ...LIVE,
    queryKey: careKey(instance),
    queryFn: () =>
      answerOf(api.GET('/api/core/sites/{instance}/requests', { params: { path: { instance } } })),
  });

/** A request with the text of its answer. */
export const useAnswer = ({ instance, id }: Pick<Line, 'instance' | 'id'>) =>
  useQuery({
    queryKey: [...careKey(instance), id],
    queryFn: () =>
      answerOf(api.GET('/api/core/sites/{instance}/requests/{id}', { params: { path: { instance, id } } })),
  });

/** Where a browser takes the file of an answer from. */
export const fileAddress = ({ instance, id }: Pick<Line, 'instance' | 'id'>): string =>
  `/api/core/sites/${encodeURIComponent(instance)}/requests/${encodeURIComponent(id)}/file`;
