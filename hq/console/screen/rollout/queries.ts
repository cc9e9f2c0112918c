import type { paths } from '@fieldline/client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { useGrowing } from '../../list/growing.ts';
import type { RolloutSiteFilters } from './filters.ts';

export type Rollout = Answer<'/api/core/rollouts/{id}', 'get'>;
export type RolloutSite = Answer<'/api/core/rollouts/{id}/sites', 'get'>['items'][number];
export type Step = RolloutSite['step'];
type Body<Path extends '/api/core/rollouts' | '/api/core/rollouts/preview'> =
  paths[Path]['post']['requestBody']['content']['application/json'];
export type NewRollout = Body<'/api/core/rollouts'>;
export type PreviewRequest = Body<'/api/core/rollouts/preview'>;
export type FailedWay = NonNullable<
  paths['/api/core/rollouts/{id}/resume']['post']['requestBody']
>['content']['application/json']['failed'];

export const ROLLOUTS = ['rollouts'] as const;

/** Rollouts, the newest first. */
export const useRollouts = () =>
  useGrowing<Rollout>({
    key: [...ROLLOUTS, 'all'],
    idOf: ({ id }) => id,
    fetch: (cursor) =>
      answerOf(
        api.GET('/api/core/rollouts', {
          params: { query: { limit: 20, ...(cursor === null ? {} : { cursor: String(cursor) }) } },
        }),
      ),
  });

export const useRollout = (id: string) =>
  useQuery({
    ...LIVE,
    queryKey: [...ROLLOUTS, 'one', id],
    queryFn: () => answerOf(api.GET('/api/core/rollouts/{id}', { params: { path: { id } } })),
  });

/** The sites of a rollout, in the order in which they are begun. */
export const useRolloutSites = (id: string, { wave, step, failed, q }: RolloutSiteFilters) =>
  useGrowing<RolloutSite>({
    key: [...ROLLOUTS, 'sites', id, wave, step, failed, q],
    idOf: ({ instance }) => instance,
    fetch: (cursor) =>
      answerOf(
        api.GET('/api/core/rollouts/{id}/sites', {
          params: {
            path: { id },
            query: {
              limit: 100,
              ...(wave === undefined ? {} : { wave }),
              ...(step === undefined ? {} : { step }),
              ...(failed === undefined ? {} : { failed: 'true' as const }),
              ...(q === undefined ? {} : { q }),
              ...(cursor === null ? {} : { cursor: String(cursor) }),
            },
          },
        }),
      ),
  });

/** Which sites a rollout would have, in which waves; null: it is not said yet which. */
export const usePreview = (asked: PreviewRequest | null) =>
  useQuery({
    queryKey: [...ROLLOUTS, 'preview', asked],
    queryFn: () => answerOf(api.POST('/api/core/rollouts/preview', { body: asked as PreviewRequest })),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  });

/** @throws what `answerOf` throws: 404, 409 release_incomplete, sites_held */
export const startRollout = (body: NewRollout): Promise<Rollout> =>
  answerOf(api.POST('/api/core/rollouts', { body }));

export const pauseRollout = (id: string): Promise<Rollout> =>
  answerOf(api.POST('/api/core/rollouts/{id}/pause', { params: { path: { id } } }));

export const resumeRollout = (id: string, failed: FailedWay): Promise<Rollout> =>
  answerOf(api.POST('/api/core/rollouts/{id}/resume', { params: { path: { id } }, body: { failed } }));

export const abortRollout = (id: string): Promise<Rollout> =>
  answerOf(api.POST('/api/core/rollouts/{id}/abort', { params: { path: { id } } }));
