// Plans of sites of a tenant, and what a stranger gets of them.
import { expect } from 'vitest';
import { expectStatus, jsonOf } from '../support/request.ts';
import type { SessionRig } from './session-rig.ts';
import type { Expected } from './tenant-things.ts';

/** A PNG of one pixel, in base64. */
export const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const plan = (tenant: string, instance: string, name: string, over: object = {}): object => ({
  ...{ tenant_code: tenant, instance, name, picture: DOT },
  pins: [{ camera_ref: 'gate-1', name: 'Gate', x: 0.25, y: 0.5 }],
  ...over,
});

/** @param instance a site of the tenant @returns the id */
export async function makePlan({ admin }: SessionRig, tenant: string, instance: string): Promise<string> {
  const made = await admin('POST', '/api/core/plans', plan(tenant, instance, `${tenant}-plan`));
  return jsonOf<{ id: string }>(expectStatus(made, 201)).id;
}

const NOBODY = '00000000-0000-4000-8000-000000000000';

/** @param of the plan of another tenant */
export function planTable(of: () => string): Record<string, Expected> {
  const byPlan = (rest: string): Expected => ({
    target: () => `/api/core/plans/${of()}${rest}`,
    missing: { target: () => `/api/core/plans/${NOBODY}${rest}` },
    status: 404,
  });
  return {
    'GET /api/core/plans': {
      status: 200,
      check: (answer) =>
        expect(jsonOf(answer)).toMatchObject({ items: [{ tenantCode: 'alpha', name: 'alpha-plan' }] }),
    },
    'GET /api/core/camera-names': {
      status: 200,
      check: (answer) => expect(answer.text).not.toContain('bravo'),
    },
    'PUT /api/core/camera-names': { status: 403 },
    'POST /api/core/plans': { status: 403 },
    'PUT /api/core/plans/{id}': { status: 403 },
    'DELETE /api/core/plans/{id}': { status: 403 },
    'GET /api/core/plans/{id}': byPlan(''),
    'GET /api/core/plans/{id}/picture': byPlan('/picture'),
  };
}
