import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';

export type Release = Answer<'/api/core/releases/{version}', 'get'>;
export type Architecture = Release['packages'][number]['architecture'];

export const RELEASES = ['releases'] as const;
/** More than anybody keeps: older ones are removed. */
const MOST = 200;

/** Versions that were uploaded, the newest first. */
export const useReleases = ({ enabled = true } = {}) =>
  useQuery({
    ...LIVE,
    queryKey: RELEASES,
    queryFn: async () =>
      (await answerOf(api.GET('/api/core/releases', { params: { query: { limit: MOST } } }))).items,
    enabled,
  });

/** @throws what `answerOf` throws: 409 release_in_use */
export const removeRelease = (version: string): Promise<unknown> =>
  answerOf(api.DELETE('/api/core/releases/{version}', { params: { path: { version } } }));
