// Lines of the table: rules, and the agent's view of them.
import { expectStatus, jsonOf } from '../../support/request.ts';
import { at, type Line } from './line.ts';
import { TENANT, type World } from './world.ts';

const RULES_PATH = '/api/core/objects/rules';
const rule = (name: string): object => ({
  tenant_code: TENANT,
  kind: 'response',
  name,
  by: 'li',
  body: {
    priority: 10,
    match: { event_types: ['vehicle.*'], hours: [20, 6] },
    action: { kind: 'notify', channels: ['inbox'] },
  },
});
const registered = async (w: World): Promise<string> => {
  const body = rule(w.fresh('rule'));
  return jsonOf<{ name: string }>(expectStatus(await w.call('POST', RULES_PATH, body), 201)).name;
};
const about = (name: string): string => `tenant_code=${TENANT}&kind=response&name=${name}`;

export const RULES: Record<string, Line> = {
  'POST /api/core/objects/rules': {
    good: (w) => ({ body: rule(w.fresh('rule')) }),
    more: {
      '400 validation_failed': () => ({
        body: {
          tenant_code: TENANT,
          kind: 'threshold',
          name: 'threshold.agent',
          body: { judge_min_conf: 2 },
        },
      }),
      '200': (w) => ({ ...at(`${RULES_PATH}?dry_run=1`), body: rule(w.fresh('rule')) }),
    },
    unseen: { 409: 'needs a writer that holds the lock' },
  },
  'POST /api/mind/rules': {
    good: (w) => ({ body: rule(w.fresh('rule')) }),
    more: { '200': (w) => ({ ...at('/api/mind/rules?dry_run=1'), body: rule(w.fresh('rule')) }) },
    unseen: { 409: 'needs a writer that holds the lock' },
  },
  'GET /api/core/objects/rules': {
    good: async (w) => {
      await registered(w);
      return at(`${RULES_PATH}?tenant_code=${TENANT}&kind=response&limit=1`);
    },
    more: {
      '304': async (w) => ({
        headers: { 'if-none-match': String((await w.call('GET', RULES_PATH)).headers.etag) },
      }),
    },
  },
  'DELETE /api/core/objects/rules': {
    good: async (w) => at(`${RULES_PATH}?${about(await registered(w))}`),
    more: { '404 not_found': () => at(`${RULES_PATH}?${about('nobody')}`) },
  },
  'GET /api/core/objects/rules/history': {
    good: async (w) => at(`${RULES_PATH}/history?${about(await registered(w))}`),
    more: { '404 not_found': () => at(`${RULES_PATH}/history?${about('nobody')}`) },
  },
  'GET /api/core/objects/rules/difference': {
    good: async (w) => at(`${RULES_PATH}/difference?${about(await registered(w))}&from=1&to=1`),
    more: {
      '404 not_found': () => at(`${RULES_PATH}/difference?${about('nobody')}&from=1&to=1`),
      '400 validation_failed': async (w) =>
        at(`${RULES_PATH}/difference?${about(await registered(w))}&from=1&to=7`),
    },
  },
  'GET /api/agent/rules': { good: () => at(`/api/agent/rules?tenant_code=${TENANT}`) },
  'POST /api/agent/rules/reload': {
    good: () => ({}),
    unseen: { 503: 'needs a site whose headquarters is away' },
  },
  'GET /api/agent/status': { good: () => ({}) },
  'POST /api/agent/rules/rehearse': {
    good: async (w) => {
      await w.event();
      return { body: { rules: [rule(w.fresh('rule'))], since: '2020-01-01T00:00:00Z' } };
    },
    more: {
      '400 validation_failed': () => ({
        body: { since: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' },
      }),
    },
  },
  'GET /api/agent/rules/event-types': {
    good: () => at(`/api/agent/rules/event-types?tenant_code=${TENANT}`),
  },
  'GET /api/agent/rules/thresholds': { good: () => at(`/api/agent/rules/thresholds?tenant_code=${TENANT}`) },
  'POST /api/agent/rules/explain': {
    good: () => ({ body: { tenant_code: TENANT, event: { type: 'vehicle.intrusion', severity: 'high' } } }),
    more: {
      '404 not_found': () => ({ body: { event_id: 999_999 } }),
      '200': async (w) => ({ body: { event_id: await w.event() } }),
    },
  },
};
