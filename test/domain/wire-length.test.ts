// Callers are counted characters, the wire code units: what a site has taken goes up, and no single item of
// it has a whole call refused.
import { expect, test } from 'vitest';
import { parseChangeItem } from '../../common/uplink/change/item.ts';
import { parseEventItem } from '../../common/uplink/event-item.ts';
import { evidenceWant, statesRequest } from '../../common/uplink/evidence.ts';
import { notificationsRequest } from '../../common/uplink/notification.ts';

/** As long as an idempotency key may be; each of its characters takes two code units. */
const LONGEST = '😀'.repeat(128);
const TENANT = 'acme';
const sender = { protocol: 1, version: '0', instance: 'site-1', epoch: 'e' };
const handed = {
  ...{ id: 'n1', tenant_code: TENANT, event_key: LONGEST, kind: 'task', channel: 'chat', rule_name: null },
  ...{ severity: 'high', message: 'm', is_test: false, created_at: 1 },
};
const named = { tenant_code: TENANT, event_key: LONGEST, name: 'a.jpg' };
const judged = { event_key: LONGEST, at: 1, verdict: 'confirmed', by: LONGEST, by_kind: 'human' };

test.each<[string, () => boolean]>([
  [
    'an event',
    () =>
      parseEventItem({
        ...{ origin_id: 1, tenant_code: TENANT, idempotency_key: LONGEST, type: 'a.b', kind: 'alert' },
        ...{ source: 'video', received_at: 1, is_test: false, doc: {} },
      }).ok,
  ],
  [
    'a verdict',
    () => parseChangeItem({ change_no: 1, at: 1, tenant_code: TENANT, kind: 'verdict', body: judged }).ok,
  ],
  [
    'a wanted file',
    () => evidenceWant.safeParse({ ...named, want_id: 'w', kind: 'keep', asked_at: 1 }).success,
  ],
  [
    'an offered file',
    () =>
      statesRequest.safeParse({
        ...sender,
        ...{ mode: 'on_demand', backlog: { files: 0, bytes: 0 }, states: [], offers: [named], gone: [] },
      }).success,
  ],
  [
    'a notification',
    () => notificationsRequest.safeParse({ ...sender, backlog: 1, items: [handed], asked: [] }).success,
  ],
])('%s', (_what, taken) => expect(taken()).toBe(true));
