import * as z from 'zod/mini';
import { code } from '../../../common/core/event/schema.ts';
import { viewPage } from '../../../common/cursor.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { pageOf } from '../../../common/http/list.ts';
import { type Call, type Route, route } from '../../../common/http/route.ts';
import { isFailed } from './decide.ts';
import { cautionOf, wantedOf } from './input.ts';
import type { RolloutAct } from './port.ts';
import { siteSteps } from './record.ts';
import {
  previewInput,
  previewView,
  resumeInput,
  rolloutInput,
  rolloutParams,
  rolloutSitesQuery,
  rolloutSiteView,
  rolloutsQuery,
  rolloutView,
  siteUpgradeView,
} from './schema.ts';
import type { Caller, Counted, RolloutService } from './service.ts';
import { siteOf, upgradeViewOf, viewOf } from './view.ts';

const OPEN = { access: ['admin', 'session'], permission: 'releases.manage', tag: 'Releases' } as const;
const PATH = '/api/core/rollouts';
const ONE = `${PATH}/{id}`;

const WHICH =
  'One of `group` (all sites that are in it now), `sites` and `all`. A caller who is bound to a tenant ' +
  'reaches those sites alone that bring nothing of another. First come those of `first`, then by name ' +
  'those that were heard within ten minutes, the others, and at last those whose version is too old to be ' +
  'told. `waves` says how far each wave goes, in sites or as a share of all; the last takes what is left. ' +
  'Sites that run the version or a newer one count as done, and in no wave. ';
const STATES =
  '`paused` with a `reason`: it has paused itself, since more sites of a wave had failed than may, and no ' +
  'site is told anything new. Failed are sites at `taken_back`, `refused`, `stuck` and `silent`. A pause ' +
  'takes back what was told to sites that have not begun to install, and it is told anew when the rollout ' +
  'goes on. ';

/** Rollouts of releases in waves. */
export const rolloutRoutes = (service: RolloutService): Route[] => [
  startRoute(service),
  previewRoute(service),
  listRoute(service),
  oneRoute(service),
  sitesRoute(service),
  pauseRoute(service),
  resumeRoute(service),
  abortRoute(service),
  upgradeRoute(service),
];

const callerOf = (call: Pick<Call, 'actor' | 'ip'>): Caller => ({
  tenantCode: call.actor.tenantCode,
  actor: actorOf(call),
  name: call.actor.name.slice(0, 256),
});

const shown = ({ rollout, counts }: Counted) => viewOf(rollout, counts);

const startRoute = (service: RolloutService): Route =>
  route({
    ...OPEN,
    method: 'POST',
    path: PATH,
    body: rolloutInput,
    summary: 'Upgrade sites to a release, in waves',
    description:
      WHICH +
      'A wave begins when the one before is through and has been so for `settle_minutes`; up to ' +
      '`rest_percent` of it may still be waited for once `rest_hours` have passed since it began. In the ' +
      'first `careful_waves` no site may fail, in a later one `fail_percent` of it. A site that began to ' +
      'install and was not heard for `silent_minutes` has failed. Sites install within `hours` of their ' +
      'own clocks, at any time where both are the same. 409 `sites_held` names sites that are in another ' +
      'rollout that is not over, in `details`.',
    replies: { 201: { description: 'Begun', schema: rolloutView } },
    errors: { 404: 'not_found', 409: 'release_incomplete, sites_held' },
    handle: async (call) => {
      const { hours } = call.body;
      const options = { hours, caution: cautionOf(call.body) };
      return { status: 201, body: shown(await service.start(wantedOf(call.body), options, callerOf(call))) };
    },
  });

const previewRoute = (service: RolloutService): Route =>
  route({
    ...OPEN,
    method: 'POST',
    path: `${PATH}/preview`,
    body: previewInput,
    summary: 'What a rollout would do, without beginning it',
    description:
      WHICH +
      '`names` has the first twenty of each wave; `unable`: too old to be told; `held`: in a rollout that ' +
      'is not over.',
    replies: { 200: { description: 'The waves', schema: previewView } },
    errors: { 404: 'not_found' },
    handle: async (call) => ({ body: await service.preview(wantedOf(call.body), callerOf(call)) }),
  });

const listRoute = (service: RolloutService): Route =>
  route({
    ...OPEN,
    method: 'GET',
    path: PATH,
    query: rolloutsQuery,
    summary: 'The rollouts, the newest first',
    description: STATES + 'Who is bound to a tenant sees those that people of that tenant began.',
    replies: { 200: { description: 'A page of them', schema: pageOf(rolloutView) } },
    handle: async ({ actor, query: { state, cursor, limit } }) => ({
      body: viewPage(await service.list({ bound: actor.tenantCode, state }, cursor, limit), shown),
    }),
  });

const oneRoute = (service: RolloutService): Route =>
  route({
    ...OPEN,
    method: 'GET',
    path: ONE,
    params: rolloutParams,
    summary: 'A rollout',
    description: STATES,
    replies: { 200: { description: 'The rollout', schema: rolloutView } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params: { id } }) => ({ body: shown(await service.get(id, actor.tenantCode)) }),
  });

const sitesRoute = (service: RolloutService): Route =>
  route({
    ...OPEN,
    method: 'GET',
    path: `${ONE}/sites`,
    params: rolloutParams,
    query: rolloutSitesQuery,
    summary: 'The sites of a rollout, in the order in which they are begun',
    description:
      'At `planned` a site is told nothing yet; `waiting`: it has not answered; `unable`: its version is ' +
      'too old to be told; `already`: it ran the version or a newer one; `silent`: it began to install and ' +
      'is not heard; `gone`: it was removed; `left_out`: by a person; `stopping`: it is to stop. The other ' +
      'steps are as the site told them. `failed=true`: those alone that have failed.',
    replies: { 200: { description: 'A page of them', schema: pageOf(rolloutSiteView) } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params: { id }, query }) => {
      const { step, failed, wave, ...rest } = query;
      const all = step === undefined ? siteSteps : [step];
      const steps = failed === 'true' ? all.filter(isFailed) : step === undefined ? undefined : all;
      const filter = { ...rest, steps, wave: wave === undefined ? undefined : wave - 1, cursor: rest.cursor };
      return { body: viewPage(await service.sites(id, actor.tenantCode, filter), siteOf) };
    },
  });

const acting = (
  service: RolloutService,
  { act, ...texts }: { act: RolloutAct['kind'] & ('pause' | 'abort'); summary: string; description: string },
): Route =>
  route({
    ...OPEN,
    ...texts,
    method: 'POST',
    path: `${ONE}/${act}`,
    params: rolloutParams,
    replies: { 200: { description: 'The rollout', schema: rolloutView } },
    errors: { 404: 'not_found', 409: 'rollout_over' },
    handle: async (call) => ({
      body: shown(await service.act(call.params.id, { kind: act }, callerOf(call))),
    }),
  });

const pauseRoute = (service: RolloutService): Route =>
  acting(service, {
    act: 'pause',
    summary: 'Pause a rollout',
    description:
      'No site is told anything new, and what has not begun to install is taken back. What is being ' +
      'installed goes through or back. Asked again, it is answered the same.',
  });

const abortRoute = (service: RolloutService): Route =>
  acting(service, {
    act: 'abort',
    summary: 'End a rollout, whatever is still to be done',
    description:
      'Sites that were told and have not begun to install are told to stop; those that were not told are ' +
      'left out. What is being installed goes through or back. It cannot be gone on with.',
  });

const resumeRoute = (service: RolloutService): Route =>
  route({
    ...OPEN,
    method: 'POST',
    path: `${ONE}/resume`,
    params: rolloutParams,
    body: resumeInput,
    bodyOptional: true,
    summary: 'Let a rollout go on that is paused',
    description:
      '`failed` says what becomes of the sites that have failed: `as_they_are`: they count no longer; ' +
      '`leave_out`: the same, and they are free for another rollout; `again`: they are told anew, and ' +
      'count if they fail again. Of one that runs nothing changes.',
    replies: { 200: { description: 'The rollout', schema: rolloutView } },
    errors: { 404: 'not_found', 409: 'rollout_over' },
    handle: async (call) => ({
      body: shown(
        await service.act(call.params.id, { kind: 'resume', failed: call.body.failed }, callerOf(call)),
      ),
    }),
  });

const upgradeRoute = (service: RolloutService): Route =>
  route({
    ...OPEN,
    method: 'GET',
    path: '/api/core/sites/{instance}/upgrade',
    params: z.strictObject({ instance: code(128) }),
    summary: 'Which version is wanted at a site, and how far it is with it',
    replies: { 200: { description: 'The upgrade', schema: siteUpgradeView } },
    errors: { 404: 'not_found' },
    handle: async ({ actor, params: { instance } }) => ({
      body: upgradeViewOf(instance, await service.upgradeOf(instance, actor.tenantCode)),
    }),
  });
