// The event catalogue: what is pushed to webhooks, for the API description (spec 1, "Events").
import type { SentMessage } from '../../common/http/openapi/describe.ts';
import { EVENT_BODIES, type EventType, eventTypes } from './business-event.ts';
import { WEBHOOK_VECTORS } from './signature-vectors.ts';

const HEADERS = {
  'X-Service-Event': 'The event type, equal to `event` of the body',
  'X-Service-Signature':
    '`sha256=` and the lowercase hex HMAC-SHA256 over the raw body; the key is the signing secret as ' +
    'UTF-8 text. While a rotation lasts, `X-Service-Signature-Previous` is the same under the secret ' +
    'before',
  'User-Agent': '`service-backend/<version>`',
  'webhook-id': 'The event, the same for every attempt and every resend: what repetitions are known by',
  'webhook-timestamp': 'When the attempt was made, Unix seconds',
  'webhook-signature':
    'As Standard Webhooks has it: `v1,` and the base64 HMAC-SHA256 over ' +
    '`<webhook-id>.<webhook-timestamp>.<body>`, one for each live secret, separated by a blank. The ' +
    'key is what follows ' +
    '`whsec_` of the secret, base64-decoded; a secret without that is the key as UTF-8 text',
};

const DELIVERY =
  'Any 2xx within 10 s takes it, however the body of the answer ends; of that 4 KiB are kept. Redirects ' +
  'are not followed. Otherwise it comes again, five attempts in all: at once and after about 30 s, ' +
  '5 min, 30 min and 2 h (±20 %; `Retry-After` may stretch a wait to twice its length). An event may ' +
  'come more than once, and events may come in any order.';

const VECTORS = WEBHOOK_VECTORS.map(
  ({ secret, id, timestamp, body, service, standard }) =>
    `under the secret \`${secret}\` the body \`${body}\` has \`X-Service-Signature: ${service}\` and, ` +
    `with the id \`${id}\` at ${timestamp}, \`webhook-signature: ${standard}\``,
).join('; ');

const ABOUT: Record<EventType, { summary: string; more: string }> = {
  'milestone.changed': {
    summary: 'The status of a milestone changed',
    more:
      '`status` and `previous_status`: 1 not started, 2 in progress, 3 done, 4 warning, 5 delayed. A ' +
      'milestone that is new has not changed yet, and is not told; one whose status was empty for a ' +
      'while, or that was deleted and made anew, has changed from the last status that it had.',
  },
  'hazard.major': {
    summary: 'A major hazard was produced',
    more:
      'Either a business system reported it, and `event_id` is null (so is `occurred_at` where it ' +
      'states none); or a task on an event of severity ' +
      'high or critical was completed as `to_hazard`: then `event_id` is that event, `hazard_id` the ' +
      'id of ' +
      'the task, `level` 3 for high and 4 for critical, and `project_id` the project whose code is the ' +
      "event's `site_ref`, 0 when there is none. So receivers know hazards by `hazard_id` together " +
      'with whether `event_id` is null.',
  },
  'ncr.created': {
    summary: 'A quality nonconformity was produced',
    more: 'A larger `level` is more severe; null: the business system states none.',
  },
  'procurement.delay': {
    summary: 'A late order of critical material drags a milestone',
    more:
      '`status` is the new status of the milestone: 4 warning, 5 delayed. `caused_by_order` is the ' +
      'purchase order.',
  },
  'webhook.test': {
    summary: 'A test that somebody asked for',
    more: `Not part of any subscription. Test vectors: ${VECTORS}.`,
  },
};

export const CATALOGUE: readonly SentMessage[] = eventTypes.map((name) => ({
  name,
  summary: ABOUT[name].summary,
  description: `${ABOUT[name].more}\n\n${DELIVERY}`,
  headers: HEADERS,
  body: EVENT_BODIES[name],
}));
