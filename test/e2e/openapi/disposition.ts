// Lines of the table: tasks, incident groups and counts.
import { until } from '../../support/request.ts';
import { at, type Line, type Make, MISSING, other } from './line.ts';
import { TENANT, type World } from './world.ts';

/** Shown on a real site in test/site/uplink/orders.test.ts. */
const ORDERED = { 202: 'a task that a site keeps, whose version takes orders' };

const task =
  (rest: string, body: object, make: (w: World) => Promise<number> = (w) => w.task()): Make =>
  async (w) =>
    at(`/api/core/objects/tasks/${await make(w)}${rest}`, { tenant_code: TENANT, by: 'li', ...body });
export const TASKS: Record<string, Line> = {
  'POST /api/core/objects/tasks': {
    good: async (w) => ({
      body: {
        tenant_code: TENANT,
        type: 'rectification',
        event_id: await w.event(),
        title: 'mend',
        severity: 'low',
        assignee_org: 'crew',
        due_at: '2026-03-01T08:00:00Z',
        body: { a: 1 },
      },
    }),
    more: {
      '400 validation_failed': () => ({
        body: {
          tenant_code: TENANT,
          type: 'review',
          title: 'x',
          severity: 'low',
          body: { history: [], steps: [] },
        },
      }),
    },
    unseen: ORDERED,
  },
  'GET /api/core/objects/tasks': { good: () => at('/api/core/objects/tasks?overdue=false&limit=2') },
  'GET /api/core/objects/tasks/{id}': {
    good: async (w) => at(`/api/core/objects/tasks/${await w.task()}?tenant_code=${TENANT}`),
  },
  'POST /api/core/objects/tasks/batch_transition': {
    good: async (w) => {
      const eventId = await w.event({ feedback_url: 'http://127.0.0.1:9/x' });
      for (const type of ['disposal', 'postmortem_request']) await w.task({ event_id: eventId, type });
      return {
        body: { tenant_code: TENANT, event_id: eventId, to: 'taken_over', by: 'li', result_code: 'other' },
      };
    },
    more: {
      '403 tenant_mismatch': async (w) => ({
        body: { ...other, event_id: await w.event(), to: 'cancelled', by: 'li' },
      }),
      '404 not_found': () => ({
        body: { tenant_code: TENANT, event_id: MISSING, to: 'cancelled', by: 'li' },
      }),
    },
  },
  'POST /api/core/objects/tasks/{id}/transition': {
    good: task('/transition', { to: 'taken_over' }, async (w) =>
      w.task({ event_id: await w.event({ feedback_url: 'http://127.0.0.1:9/x' }) }),
    ),
    more: {
      '200': task('/transition', { to: 'cancelled', result_code: 'other', note: 'x' }),
      '409 transition_refused': task('/transition', { to: 'closed' }),
      '400 validation_failed': task('/transition', { to: 'completed', result_code: 'vanished' }),
      '403 tenant_mismatch': task('/transition', { to: 'cancelled', ...other }),
    },
    unseen: ORDERED,
  },
  'POST /api/core/objects/tasks/{id}/steps': {
    good: task('/steps', { kind: 'arrive', text: 'there', at: '2026-03-01T08:00:00' }),
    more: {
      '400 validation_failed': task('/steps', { kind: 'arrive', text: 'there', at: '2999-01-01T00:00:00Z' }),
      '409 too_many_steps': task('/steps', { kind: 'note', text: 'one too many' }, async (w) => {
        const id = await w.task();
        const step = { tenant_code: TENANT, by: 'li', kind: 'note', text: 'x' };
        // Of so many at once some find the task held by others three times.
        const added = async (): Promise<boolean> =>
          (await w.call('POST', `/api/core/objects/tasks/${id}/steps`, step)).status === 201;
        await Promise.all(Array.from({ length: 200 }, () => until('the step is added', added)));
        return id;
      }),
    },
    unseen: ORDERED,
  },
  'POST /api/core/objects/tasks/{id}/body': {
    good: task('/body', { body: { a: { b: 1 } } }),
    more: {
      '400 validation_failed': task('/body', { body: { edge_notes: [] } }),
      '403 tenant_mismatch': task('/body', { body: {}, ...other }),
    },
    unseen: { ...ORDERED, 409: 'a task that a site keeps, whose version takes no orders' },
  },
  'POST /api/core/objects/tasks/{id}/edge_note': {
    good: task('/edge_note', { text: 'hurry' }),
    more: {
      '400 non_disposal': task('/edge_note', { text: 'hurry' }, (w) =>
        w.task({ type: 'postmortem_request' }),
      ),
    },
    unseen: { ...ORDERED, 409: 'takes as many notes as a task can hold' },
  },
};

const incident =
  (rest: string, body: object, members = 1): Make =>
  async (w) =>
    at(`/api/core/incidents/${(await w.incident(members)).id}${rest}`, { by: 'li', note: 'seen', ...body });
const closed =
  (rest: string, body: (w: World) => Promise<object> = () => Promise.resolve({})): Make =>
  async (w) =>
    at(`/api/core/incidents/${(await w.merged()).gone}${rest}`, { by: 'li', ...(await body(w)) });
const BY_ORDER = { 202: 'a group that a site keeps; test/site/uplink/group-orders.test.ts has it' };
export const INCIDENTS: Record<string, Line> = {
  'POST /api/core/incidents/upsert': {
    good: async (w) => ({
      body: w.group([await w.event()], {
        point_ref: 'p1',
        title: 'trucks',
        facts: { member_count: 7, severity: 'low' },
      }),
    }),
    more: {
      '200': async (w) => ({ body: w.group((await w.incident()).events) }),
      '400 validation_failed': (w) => ({ body: w.group([MISSING]) }),
    },
  },
  'GET /api/core/incidents': { good: () => at('/api/core/incidents?limit=2&include_test=true&event_id=1') },
  'GET /api/core/incidents/{id}': {
    good: async (w) => {
      const { id, events } = await w.incident(2);
      await w.made('/api/core/incidents/upsert', w.group(events, { layer: 'L3' }));
      return at(`/api/core/incidents/${id}?limit=1`);
    },
  },
  'POST /api/core/incidents/{id}/confirm': {
    good: incident('/confirm', {}),
    unseen: BY_ORDER,
    more: {
      '409 incident_closed': closed('/confirm'),
      '409 group_changed': async (w) => {
        const { id } = await w.incident();
        return at(`/api/core/incidents/${id}/confirm`, { by: 'li', seen: { [id]: 7 } });
      },
    },
  },
  'POST /api/core/incidents/{id}/split': {
    good: async (w) => {
      const { id, events } = await w.incident(2);
      return at(`/api/core/incidents/${id}/split`, { by: 'li', event_ids: [events[0]] });
    },
    unseen: BY_ORDER,
    more: {
      '400 validation_failed': incident('/split', { event_ids: [MISSING] }),
      '409 incident_closed': closed('/split', async (w) => ({ event_ids: [await w.event()] })),
    },
  },
  'POST /api/core/incidents/{id}/merge': {
    good: async (w) => incident('/merge', { incident_ids: [(await w.incident()).id] })(w),
    unseen: BY_ORDER,
    more: {
      '409 incident_closed': closed('/merge', async (w) => ({ incident_ids: [(await w.incident()).id] })),
    },
  },
  'POST /api/core/incidents/{id}/unmerge': {
    good: closed('/unmerge'),
    unseen: BY_ORDER,
    more: { '409 not_merged': incident('/unmerge', {}) },
  },
};

const windowOf = (what: string): string =>
  `/api/core/stats/${what}?tenant_code=${TENANT}&since=2026-02-01T00:00:00Z&until=2026-04-01T00:00:00Z`;

export const STATISTICS: Record<string, Line> = {
  'GET /api/core/stats/window': {
    good: () => at(windowOf('window')),
    more: { '404 not_found': () => at(`${windowOf('window')}&site_group=Nowhere`) },
  },
  'GET /api/core/stats/hours': {
    only: 'hub',
    good: () => at(windowOf('hours')),
    more: { '404 not_found': () => at(`${windowOf('hours')}&site_group=Nowhere`) },
  },
  'GET /api/core/stats/cameras': {
    only: 'hub',
    good: () => at(windowOf('cameras')),
    more: { '404 not_found': () => at(`${windowOf('cameras')}&site_group=Nowhere`) },
  },
  'GET /api/core/stats/times': {
    only: 'hub',
    good: () => at(windowOf('times')),
    more: { '404 not_found': () => at(`${windowOf('times')}&site_group=Nowhere`) },
  },
  'GET /api/core/events/{id}/timeline': {
    good: async (w) => at(`/api/core/events/${await w.event()}/timeline?tenant_code=${TENANT}`),
  },
};
