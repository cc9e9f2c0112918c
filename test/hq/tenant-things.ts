// Bodies of things of a tenant, each with the tenant's name in it, and what a stranger is to get of them.
import type { Answer } from '../support/request.ts';

export interface Expected {
  /** What the stranger asks for. */
  target?: () => string;
  body?: () => unknown;
  status: number;
  /** The same request for a thing that nobody has: its answer must not differ. */
  missing?: { target?: () => string; body?: () => unknown };
  check?: (answer: Answer) => Promise<void> | void;
}

export const CUSTOMER_PERMISSIONS = [
  'events.view',
  'events.judge',
  'subscriptions.view',
  'subscriptions.acknowledge',
  'subscriptions.manage',
  'audit.view',
  'stats.view',
  'rules.view',
  'rules.manage',
  'notifications.view',
  'duty.view',
  'duty.manage',
  'tasks.manage',
  'incidents.manage',
  'knowledge.view',
  'policy.view',
  'integration.view',
  'integration.manage',
  'sites.configure',
  'sites.look_in',
  'releases.manage',
];

/** Everybody's own, whatever else they may do. */
export const OWN_ROUTES = [
  '/api/core/session',
  '/api/core/sessions',
  '/api/core/sessions/{id}',
  '/api/core/session/password',
  '/api/core/session/logout',
  '/api/core/session/provider/logout',
  '/api/core/session/second_factor',
  ...['authenticator', 'confirm', 'recovery_codes', 'remove'].map(
    (name) => `/api/core/session/second_factor/${name}`,
  ),
  '/api/core/session/passkeys',
  '/api/core/session/passkeys/begin',
  '/api/core/session/passkeys/{id}',
  '/api/core/session/passkeys/{id}/remove',
  '/api/core/duty/me',
  '/api/core/duty/devices',
  '/api/core/duty/devices/{id}',
  '/api/core/duty/devices/{id}/test',
  // What types are called: for everybody who reads one, of the own tenant alone.
  '/api/agent/rules/event-types',
];

export const events = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    idempotency_key: `${prefix}-${index}`,
    type: `${prefix}.intrusion`,
    title: prefix,
  }));
export const verdict = () => ({ verdict: 'confirmed', by: 'me' });
export const correction = () => ({ verdict: 'confirmed', by: 'me', note: 'really' });
export const knowledge = (tenant: string) => ({
  tenant_code: tenant,
  src_system: 'agent',
  src_pk: tenant,
  title: tenant,
  kind: 'checklist',
  body: { sections: { a: { text: tenant, editable: 'human' } } },
});
export const task = (tenant: string) => ({
  tenant_code: tenant,
  type: 'disposal',
  title: tenant,
  severity: 'low',
});
export const group = (tenant: string, event: number | undefined) => ({
  tenant_code: tenant,
  source_key: `${tenant}-key`,
  layer: 'L1',
  site_ref: `${tenant}-site`,
  title: tenant,
  event_ids: [event],
});
export const rule = (tenant: string) => ({
  tenant_code: tenant,
  kind: 'response',
  name: `${tenant}-rule`,
  body: { match: { site_refs: [`${tenant}-site`] } },
});
export const batch = (tenant: string, event: number | undefined) => ({
  tenant_code: tenant,
  event_id: event,
  to: 'taken_over',
  by: 'me',
});

const ofBravo = (what: string): Expected => ({
  target: () =>
    `/api/core/stats/${what}?tenant_code=bravo&since=2026-01-01T00:00:00Z&until=2026-02-01T00:00:00Z`,
  status: 403,
});

/** What a stranger gets of the statistics, with a session as with a key. */
export const STATISTICS: Record<string, Expected> = {
  'GET /api/core/stats/hours': ofBravo('hours'),
  'GET /api/core/stats/cameras': ofBravo('cameras'),
  'GET /api/core/stats/times': ofBravo('times'),
};

const ofSite = { target: () => '/api/core/sites/elsewhere/settings', status: 404 };

/** A site that brings another tenant's events, and groups without one of the own, are not there. */
export const settingsTable = {
  'GET /api/core/sites/{instance}/settings': ofSite,
  'PATCH /api/core/sites/{instance}/settings': {
    ...ofSite,
    body: () => ({ values: { CORE_BACKUP_ALARM_DAYS: 3 } }),
  },
  'GET /api/core/site-groups/settings': {
    target: () => '/api/core/site-groups/settings?group=Elsewhere',
    status: 404,
  },
  'PATCH /api/core/site-groups/settings': { status: 404, body: () => ({ group: 'Elsewhere', values: {} }) },
};
