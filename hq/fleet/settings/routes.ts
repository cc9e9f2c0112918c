import * as z from 'zod/mini';
import { code } from '../../../common/core/event/schema.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { groupName } from '../../receiver/fleet/schema.ts';
import type { SiteSettings } from './port.ts';
import { groupSettingsChange, settingFormView, siteSettingsChange, siteSettingsView } from './schema.ts';
import type { SettingsService } from './service.ts';
import { forms, viewOf } from './view.ts';

const OPEN = { access: ['admin', 'session'], permission: 'sites.configure', tag: 'Sites' } as const;
const params = z.strictObject({ instance: code(128) });
const oneReply = z.object({ forms: z.array(settingFormView), settings: siteSettingsView });
const groupReply = z.object({ forms: z.array(settingFormView), items: z.array(siteSettingsView) });

const STATES =
  '`waiting`: the site has not told yet what became of this version. `trying`: it is in use there, and the ' +
  'site has not reached headquarters since. `in_force`: it has. `taken_back`: it did not within five ' +
  'minutes, or stopped before, and what was before is in use again; `reason` says which. `refused`: the ' +
  "site's own reader does not take it, with all of its `faults`. ";
const CHANGE =
  'Only the names of `forms` can be set, within their bounds. What is not named stays, null leaves a ' +
  'setting to the program again. Where nothing changes the site tells all the same what is in use there. ' +
  'What a technician has set in the environment of the site wins. A caller who is limited to a tenant ' +
  'reaches those sites alone that bring nothing of another.';

/** What can be set at sites from here. */
export const settingsRoutes = (service: SettingsService): Route[] => [
  getRoute(service),
  changeRoute(service),
  groupRoute(service),
  changeGroupRoute(service),
];

const one = (settings: SiteSettings) => ({ body: { forms, settings: viewOf(settings) } });
const several = (all: readonly SiteSettings[]) => ({ body: { forms, items: all.map(viewOf) } });

const getRoute = (service: SettingsService): Route =>
  route({
    ...OPEN,
    method: 'GET',
    path: '/api/core/sites/{instance}/settings',
    params,
    summary: 'What is set at a site from headquarters, and what is in use there',
    description:
      STATES +
      '`inUse` is what the site told last, with whose value it is: `standard` that of the program, ' +
      '`headquarters`, or `technician` that of its environment; null: it has not told yet. `overruled`: a ' +
      'technician has set another value than headquarters.',
    replies: { 200: { description: 'The settings', schema: oneReply } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params: { instance } }) => one(await service.get(instance, actor.tenantCode)),
  });

const changeRoute = (service: SettingsService): Route =>
  route({
    ...OPEN,
    method: 'PATCH',
    path: '/api/core/sites/{instance}/settings',
    params,
    body: siteSettingsChange,
    summary: 'Set something at a site',
    description: CHANGE,
    replies: { 200: { description: 'It waits for the site', schema: oneReply } },
    errors: { 404: 'not_found', 409: 'settings_changed' },
    handle: async (call) => {
      const { values: change, expected_version: expected = null } = call.body;
      const { tenantCode } = call.actor;
      return one(
        await service.change(call.params.instance, tenantCode, { change, expected, by: actorOf(call) }),
      );
    },
  });

const groupRoute = (service: SettingsService): Route =>
  route({
    ...OPEN,
    method: 'GET',
    path: '/api/core/site-groups/settings',
    query: z.strictObject({ group: groupName }),
    summary: 'What is set at the sites of a group from headquarters',
    description: STATES,
    replies: { 200: { description: 'By site', schema: groupReply } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, query: { group } }) => several(await service.ofGroup(group, actor.tenantCode)),
  });

const changeGroupRoute = (service: SettingsService): Route =>
  route({
    ...OPEN,
    method: 'PATCH',
    path: '/api/core/site-groups/settings',
    body: groupSettingsChange,
    summary: 'Set something at all sites that are in a group now, at all or none',
    description: CHANGE,
    replies: { 200: { description: 'It waits for the sites', schema: groupReply } },
    errors: { 404: 'not_found' },
    handle: async (call) => {
      const { group, values: change } = call.body;
      const { tenantCode } = call.actor;
      return several(await service.changeGroup(group, tenantCode, { change, by: actorOf(call) }));
    },
  });
