import { useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../../api/client.ts';
import { LIVE } from '../../../api/queries.ts';

type OfSite = Answer<'/api/core/sites/{instance}/settings', 'get'>;
export type SiteSettings = OfSite['settings'];
export type Setting = SiteSettings['settings'][number];
export type SettingForm = OfSite['forms'][number];
export type SettingName = SettingForm['name'];
export type Value = number | string;

/** What is set at a site from here, and what is in use there. */
export const useSettings = (instance: string) =>
  useQuery({
    ...LIVE,
    queryKey: ['settings', 'site', instance],
    queryFn: () =>
      answerOf(api.GET('/api/core/sites/{instance}/settings', { params: { path: { instance } } })),
  });

/** The same of each site of a group. */
export const useGroupSettings = (group: string) =>
  useQuery({
    ...LIVE,
    queryKey: ['settings', 'group', group],
    queryFn: () => answerOf(api.GET('/api/core/site-groups/settings', { params: { query: { group } } })),
  });

/** null: left to the program. */
export type Change = Partial<Record<SettingName, Value | null>>;

/** @throws what `answerOf` throws: 400, 404, 409 settings_changed */
export const changeSite = (instance: string, values: Change, version: number): Promise<OfSite> =>
  answerOf(
    api.PATCH('/api/core/sites/{instance}/settings', {
      params: { path: { instance } },
      body: { values: values as never, expected_version: version },
    }),
  );

/** @throws what `answerOf` throws: 400, 404 */
export const changeGroup = (group: string, values: Change): Promise<unknown> =>
  answerOf(api.PATCH('/api/core/site-groups/settings', { body: { group, values: values as never } }));
