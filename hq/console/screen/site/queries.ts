import type { paths } from '@fieldline/client';
import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE, SLOW } from '../../api/queries.ts';
import { queryOf, siteFilters } from './filters.ts';

/** A site in the list of all. */
export type Fleet = Answer<'/api/core/uplink/sites', 'get'>;
export type SiteLine = Fleet['items'][number];
export type SiteStateRow = Answer<'/api/core/uplink/states', 'get'>['items'][number];
export type SiteDetail = Answer<'/api/core/uplink/status/{instance}', 'get'>;
export type Site = SiteDetail['site'];
export type Flow = Site['flows'][number];
export type SiteLibrary = Answer<'/api/core/kb/sites', 'get'>['items'][number];
export type Registered = Answer<'/api/core/sites', 'get'>['items'][number];

type FleetQuery = NonNullable<paths['/api/core/uplink/sites']['get']['parameters']['query']>;

const fleetOf = (query: FleetQuery) => ({
  ...LIVE,
  queryKey: ['sites', query],
  queryFn: () => answerOf(api.GET('/api/core/uplink/sites', { params: { query } })),
});

/** Sites in short, with what there is to choose from; what was shown before stays until they come. */
export const useFleet = (query: FleetQuery, { enabled = true } = {}) =>
  useQuery({ ...fleetOf(query), placeholderData: keepPreviousData, enabled });

/** Asks for them before their list is drawn, by what its address says. */
export const askFleet = (queries: QueryClient, search: Record<string, unknown>): Promise<void> =>
  queries.prefetchQuery(fleetOf(queryOf(siteFilters(search))));

/** What there is to choose sites by: their tenants and their groups. */
export const useFleetChoices = ({ enabled = true } = {}) =>
  useQuery({
    ...SLOW,
    queryKey: ['sites', 'choices'],
    queryFn: async () => {
      const { tenants, groups } = await answerOf(
        api.GET('/api/core/uplink/sites', { params: { query: { limit: 1 } } }),
      );
      return { tenants, groups };
    },
    enabled,
  });

/** Which sites are heard, for whoever sees events. */
export const useSiteStates = () =>
  useQuery({
    ...LIVE,
    queryKey: ['site-states'],
    queryFn: async () => (await answerOf(api.GET('/api/core/uplink/states'))).items,
  });

/** One site, with what it tells of itself. */
export const useSite = (instance: string, { enabled = true } = {}) =>
  useQuery({
    ...LIVE,
    enabled,
    queryKey: ['site', instance],
    queryFn: () =>
      answerOf(api.GET('/api/core/uplink/status/{instance}', { params: { path: { instance } } })),
  });

/** The policies in force at a site, by tenant. */
export const useLibraries = (instance: string) =>
  useQuery({
    ...SLOW,
    queryKey: ['site', instance, 'libraries'],
    queryFn: async () =>
      (await answerOf(api.GET('/api/core/kb/sites', { params: { query: { instance } } }))).items,
  });

/** The last week of a site by hours. */
export const useHours = (instance: string) =>
  useQuery({
    queryKey: ['site', instance, 'hours'],
    queryFn: async () =>
      (
        await answerOf(
          api.GET('/api/core/uplink/status/{instance}/hours', { params: { path: { instance } } }),
        )
      ).hours,
    refetchInterval: 60_000,
  });

/** Events of a site that are not stored here, because their key is of another event. */
export const useConflicts = (instance: string) =>
  useQuery({
    ...LIVE,
    queryKey: ['site', instance, 'conflicts'],
    queryFn: () => answerOf(api.GET('/api/core/uplink/conflicts', { params: { query: { instance } } })),
  });

/** The site in the registry, with its keys; null: it is not there any more. */
export const useRegistered = (instance: string) =>
  useQuery({
    queryKey: ['site', instance, 'registered'],
    queryFn: async () =>
      (await answerOf(api.GET('/api/core/sites', { params: { query: { instance } } }))).items[0] ?? null,
  });
