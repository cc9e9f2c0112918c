// Looking into sites, as somebody of another tenant meets it.
import { expectStatus, jsonOf } from '../support/request.ts';
import type { SessionRig } from './session-rig.ts';
import type { Expected } from './tenant-things.ts';

/** @returns the id */
export async function makeRequest({ admin }: SessionRig, instance: string): Promise<string> {
  const asked = await admin('POST', `/api/core/sites/${instance}/requests`, { what: 'check' });
  return jsonOf<{ id: string }>(expectStatus(asked, 201)).id;
}

/** One site is of another tenant alone, the other of both. @param of the request to the former */
export function requestTable(of: () => string): Record<string, Expected> {
  const none = (site: string, rest = ''): Expected => ({
    ...{ target: () => `/api/core/sites/${site}/requests${rest.replace('ID', of())}`, status: 404 },
  });
  return {
    'POST /api/core/sites/{instance}/requests': { ...none('quarry'), body: () => ({ what: 'check' }) },
    'GET /api/core/sites/{instance}/requests': none('bravo-site'),
    'GET /api/core/sites/{instance}/requests/{id}': none('bravo-site', '/ID'),
    'DELETE /api/core/sites/{instance}/requests/{id}': none('bravo-site', '/ID'),
    'GET /api/core/sites/{instance}/requests/{id}/file': none('bravo-site', '/ID/file'),
  };
}
