// Releases and rollouts, as somebody of another tenant meets them.
import { expect } from 'vitest';
import { documentOf, packageOf, release } from '../support/release.ts';
import { expectStatus, jsonOf } from '../support/request.ts';
import type { SessionRig } from './session-rig.ts';
import { makeRequest, requestTable } from './tenant-request.ts';
import type { Expected } from './tenant-things.ts';

/** What there is of another tenant's site. */
export interface Fleet {
  request: string;
  rollout: string;
}

export const makeFleet = async (rig: SessionRig, instance: string): Promise<Fleet> => ({
  request: await makeRequest(rig, instance),
  rollout: await makeRollout(rig, instance),
});

export const fleetTable = (of: () => Fleet): Record<string, Expected> => ({
  ...requestTable(() => of().request),
  ...releaseTable(() => of().rollout),
});

/** A rollout of the operators. @returns its id */
async function makeRollout(rig: SessionRig, instance: string): Promise<string> {
  await release(rig, '1.2.0');
  const asked = await rig.admin('POST', '/api/core/rollouts', { version: '1.2.0', sites: [instance] });
  return jsonOf<{ id: string }>(expectStatus(asked, 201)).id;
}

const wanted = (sites: string[]): object => ({ version: '1.2.0', sites });

/** @param of the rollout */
function releaseTable(of: () => string): Record<string, Expected> {
  const none = (rest = ''): Expected => ({
    ...{ target: () => `/api/core/rollouts/${of()}${rest}`, status: 404 },
  });
  const begun = (rest = ''): Expected => ({
    ...{ target: () => `/api/core/rollouts${rest}`, status: 404 },
    body: () => wanted(['bravo-site']),
    missing: { body: () => wanted(['bravo-none']) },
  });
  const one = { target: () => '/api/core/releases/1.2.0' };
  return {
    // They are of the whole installation: everybody rolls out the same.
    'GET /api/core/releases': {
      status: 200,
      check: (answer) => expect(jsonOf(answer)).toMatchObject({ items: [{ version: '1.2.0' }] }),
    },
    'GET /api/core/releases/{version}': { ...one, status: 200 },
    'POST /api/core/releases': { status: 403, body: () => documentOf('1.3.0', packageOf('1.3.0')) },
    'DELETE /api/core/releases/{version}': { ...one, status: 403 },
    'PUT /api/core/releases/{version}/packages/{architecture}': {
      ...{ target: () => '/api/core/releases/1.2.0/packages/amd64', status: 403 },
    },
    'POST /api/core/rollouts': begun(),
    'POST /api/core/rollouts/preview': begun('/preview'),
    'GET /api/core/rollouts': {
      status: 200,
      check: (answer) => expect(jsonOf<{ items: object[] }>(answer).items).toEqual([]),
    },
    'GET /api/core/rollouts/{id}': none(),
    'GET /api/core/rollouts/{id}/sites': none('/sites'),
    'POST /api/core/rollouts/{id}/pause': none('/pause'),
    'POST /api/core/rollouts/{id}/resume': { ...none('/resume'), body: () => ({}) },
    'POST /api/core/rollouts/{id}/abort': none('/abort'),
    'GET /api/core/sites/{instance}/upgrade': {
      target: () => '/api/core/sites/bravo-site/upgrade',
      missing: { target: () => '/api/core/sites/bravo-none/upgrade' },
      status: 404,
    },
  };
}
