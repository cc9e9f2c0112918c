// Lines of the table: plans of sites.
import { plan } from '../../hq/tenant-plan.ts';
import { at, type Line } from './line.ts';
import { TENANT, type World } from './world.ts';

const NOBODY = '00000000-0000-4000-8000-000000000000';
/** A site that nobody else has. */
async function site(w: World): Promise<string> {
  const instance = w.fresh('planned');
  await w.made('/api/core/sites', { instance, tenants: [TENANT] });
  return instance;
}

const made = async (w: World, instance: string, name = w.fresh('plan')): Promise<string> =>
  String((await w.made('/api/core/plans', plan(TENANT, instance, name))).id);

const named = (instance: string) => ({
  ...{ tenant_code: TENANT, instance, camera_ref: 'gate-3', name: 'North gate' },
});
const planOf = async (w: World, rest = ''): Promise<string> =>
  `/api/core/plans/${await made(w, await site(w))}${rest}`;

const change = (name: string): object => ({ name, pins: [] });

export const PLANS: Record<string, Line> = {
  'GET /api/core/camera-names': { only: 'hub', good: () => ({}) },
  'PUT /api/core/camera-names': {
    only: 'hub',
    good: async (w) => ({ body: named(await site(w)) }),
    more: { '404 not_found': () => ({ body: named('nowhere') }) },
    unseen: { 409: 'there would have to be two thousand names' },
  },
  'GET /api/core/plans': {
    only: 'hub',
    good: async (w) => {
      const instance = await site(w);
      await made(w, instance);
      return at(`/api/core/plans?tenant_code=${TENANT}&instance=${instance}`);
    },
  },
  'POST /api/core/plans': {
    only: 'hub',
    good: async (w) => ({ body: plan(TENANT, await site(w), w.fresh('plan')) }),
    more: {
      '400 validation_failed': async (w) => ({
        body: plan(TENANT, await site(w), w.fresh('plan'), { picture: 'PHN2Zz4=' }),
      }),
      '409 plan_exists': async (w) => {
        const [instance, name] = [await site(w), w.fresh('plan')];
        await made(w, instance, name);
        return { body: plan(TENANT, instance, name) };
      },
    },
  },
  'GET /api/core/plans/{id}': {
    only: 'hub',
    good: async (w) => at(await planOf(w)),
    more: { '404 not_found': () => at(`/api/core/plans/${NOBODY}`) },
  },
  'PUT /api/core/plans/{id}': {
    only: 'hub',
    good: async (w) => at(await planOf(w), change(w.fresh('plan'))),
    more: {
      '404 not_found': (w) => at(`/api/core/plans/${NOBODY}`, change(w.fresh('plan'))),
      '409 plan_exists': async (w) => {
        const [instance, name] = [await site(w), w.fresh('plan')];
        await made(w, instance, name);
        return at(`/api/core/plans/${await made(w, instance)}`, change(name));
      },
      '409 plan_changed': async (w) =>
        at(await planOf(w, '?seen_at=2020-01-01T00:00:00Z'), change(w.fresh('plan'))),
    },
  },
  'DELETE /api/core/plans/{id}': {
    only: 'hub',
    good: async (w) => at(await planOf(w)),
    more: { '404 not_found': () => at(`/api/core/plans/${NOBODY}`) },
  },
  'GET /api/core/plans/{id}/picture': {
    only: 'hub',
    good: async (w) => at(await planOf(w, '/picture')),
    more: { '404 not_found': () => at(`/api/core/plans/${NOBODY}/picture`) },
  },
};
