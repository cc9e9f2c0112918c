import * as z from 'zod/mini';
import { PULL_SCOPES } from '../../http/access.ts';
import type { Actor } from '../../http/actor.ts';
import { holding, pageWithin, spacedAnswer, UNBUFFERED } from '../../http/body/held.ts';
import type { WaitingCalls } from '../../http/body/waiting-calls.ts';
import { tenantFor } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { idParam, limitParam, waitParam } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime, formatTimeOrNull } from '../../time.ts';
import { judgedView } from '../event/render.ts';
import { code, severities, tenantCode } from '../event/schema.ts';
import type { EventService } from '../event/service.ts';
import { failureFor } from '../feedback/failure.ts';
import type { FeedbackPort } from '../feedback/port.ts';
import { type CameraMessage, feedbackKinds, feedbackStates } from '../feedback/record.ts';
import type { AwaitedEntries, FeedEntry, FeedPage, VerdictFeed } from './feed.ts';
import type { VerdictPort } from './port.ts';
import type { CorrectionRecord, VerdictRecord } from './record.ts';
import { verdictValues } from './schema.ts';

const tag = 'Verdicts';
const access = ['admin', 'session', 'consumer'] as const;
const permission = 'events.view';
const text = z.nullable(z.string());
const optionalText = z.optional(z.string());

const dispositionView = z
  .object({
    type: optionalText,
    severity: z.optional(z.enum(severities)),
    channel: optionalText,
    deadline: optionalText,
    message: optionalText,
    taskNo: optionalText,
    summary: optionalText,
  })
  .register(described, { id: 'GivenDisposition' });
const given = {
  verdict: z.enum(verdictValues),
  by: z.string(),
  byKind: z.enum(['human', 'machine']),
  at: z.string(),
  note: text,
  /** The event that one was merged into, by its identity. */
  mergedIntoKey: text,
  mergedIntoInstance: text,
};
const decided = { judged: z.nullable(judgedView), disposition: z.nullable(dispositionView) };
const mergedInto = z.nullable(z.int());
const messageView = z
  .object({
    kind: z.enum(feedbackKinds),
    state: z.enum(feedbackStates),
    error: text,
    at: z.string(),
    deliveredAt: text,
  })
  .register(described, { id: 'CameraMessage' });
const eventVerdict = z
  .object({
    eventId: z.int(),
    first: z.nullable(
      z.object({ ...given, mergedInto, ...decided }).register(described, { id: 'GivenVerdict' }),
    ),
    corrections: z.array(
      z.object({ id: z.string(), ...given, mergedInto }).register(described, { id: 'GivenCorrection' }),
    ),
    /** What the camera was told of the event. */
    feedback: z.array(messageView),
  })
  .register(described, { id: 'EventVerdict' });
const changeView = z
  .object({
    changeNo: z.int(),
    eventId: z.int(),
    tenantCode: z.string(),
    idempotencyKey: z.string(),
    kind: z.enum(['verdict', 'correction']),
    /** Of a correction. */
    id: text,
    ...given,
    ...decided,
  })
  .register(described, { id: 'VerdictChange' });

const sinceQuery = z.strictObject({
  cursor: z.coerce.number().check(z.int(), z.minimum(0)).register(described, {
    description: '`nextCursor` of the answer before, 0 at the beginning',
    example: 0,
  }),
  limit: limitParam(200, 1000),
  tenant_code: z.optional(tenantCode),
  epoch: z.optional(code(64)),
  wait: waitParam,
});

export interface VerdictReadOptions {
  events: Pick<EventService, 'get'>;
  verdicts: Pick<VerdictPort, 'get' | 'corrections'>;
  feedback: Pick<FeedbackPort, 'ofEvent'>;
  feed: VerdictFeed;
  /** Those that wait for entries of the feed. */
  waiting: WaitingCalls<AwaitedEntries>;
  epoch: () => string;
}

const MOST_MESSAGES = 1_000;

/** What was written back, as it was written: of one event, and as it comes. */
export function verdictReadRoutes(options: VerdictReadOptions): Route[] {
  const { events, verdicts, feedback, feed, waiting, epoch } = options;
  return [
    route({
      method: 'GET',
      path: '/api/core/events/{id}/verdict',
      tag,
      access,
      permission,
      scopes: ['events.read'],
      params: idParam,
      summary: 'What was judged of an event: the first verdict with all that came with it, and corrections',
      description:
        '`first` is null while nobody has judged. The last of `corrections` is what holds now. `feedback` ' +
        'has the newest messages to the camera that raised the event, oldest first, and what came of each: ' +
        '`delivered`, `pending` (it is tried again; `error` says why the last try failed), or `expired` ' +
        '(given up after 7 days). At headquarters they are what the site last told of its camera; while a ' +
        'decision of headquarters has not reached the site there is none.',
      replies: { 200: { description: 'The verdict and its corrections', schema: eventVerdict } },
      errors: { 404: 'not_found' },
      handle: async ({ actor, params }) => {
        const { id } = await events.get(params.id, actor.tenantCode);
        const first = await verdicts.get(id);
        const corrections = await verdicts.corrections(id);
        const messages = await feedback.ofEvent(id, MOST_MESSAGES);
        return {
          body: {
            eventId: id,
            first: first && viewFirst(first),
            corrections: corrections.map(viewCorrection),
            feedback: messages.map((message) => viewMessage(message, actor)),
          },
        };
      },
    }),
    route({
      method: 'GET',
      path: '/api/core/verdicts/since',
      tag,
      access,
      permission,
      scopes: PULL_SCOPES,
      query: sinceQuery,
      summary: 'Verdicts and corrections after a cursor, in the order in which they were written here',
      description:
        'For whoever is past an event and wants to hear of its verdict. `cursor` is `nextCursor` of the ' +
        'answer before, and 0 at the beginning; the caller keeps it, nothing is acknowledged. ' +
        '`nextCursor` counts entries that the caller is not shown, so go on from it also when `items` is' +
        ' empty. Those on test events come too; entries go with their events when retention deletes ' +
        'these. `at` is when the verdict was given, which at headquarters may be earlier than that of ' +
        'the entry before. With `epoch` of an answer, a store that was restored is noticed. ' +
        'With `wait` the answer comes as soon as there is an entry, as of events.',
      replies: {
        200: {
          description: 'The entries',
          schema: z.object({
            items: z.array(changeView),
            nextCursor: z.int(),
            hasMore: z.boolean(),
            epoch: z.string(),
          }),
        },
      },
      errors: {
        400: 'validation_failed, cursor_ahead',
        409: 'cursor_epoch_changed',
        429: 'too_many_waits',
        503: 'overloaded',
      },
      holds: true,
      handle: async ({ actor, query, held }) => {
        const { tenant_code: wanted, wait = 0, ...asked } = query;
        const tenant = tenantFor(actor, wanted);
        const viewOf = (page: FeedPage) => ({ ...page, items: page.items.map(viewChange), epoch: epoch() });
        const first = await feed.since(asked, tenant);
        if (wait === 0 || first.items.length > 0 || first.hasMore) return { body: viewOf(first) };
        const { call, end } = holding(waiting, actor.name, held);
        const look = (after: number) => call.inTurn(() => feed.since({ ...asked, cursor: after }, tenant));
        const later = pageWithin(
          { first, look, ms: wait * 1000 },
          waiting.of(() => tenant),
          call,
        )
          .then((page) => JSON.stringify(viewOf(page)))
          .finally(end);
        return { body: spacedAnswer(later), headers: UNBUFFERED };
      },
    }),
  ];
}

function viewGiven(record: VerdictRecord | CorrectionRecord) {
  const { verdict, by, byKind, note, mergedInto, mergedIntoKey, mergedIntoInstance } = record;
  const at = formatTime(record.at);
  return { verdict, by, byKind, at, note, mergedInto, mergedIntoKey, mergedIntoInstance };
}

const viewFirst = (record: VerdictRecord) => ({
  ...viewGiven(record),
  judged: record.judged,
  disposition: record.disposition,
});

const viewCorrection = (record: CorrectionRecord) => ({ id: record.id, ...viewGiven(record) });

const viewMessage = ({ kind, state, lastError, createdAt, deliveredAt }: CameraMessage, actor: Actor) => ({
  kind,
  state,
  error: failureFor(actor, lastError),
  at: formatTime(createdAt),
  deliveredAt: formatTimeOrNull(deliveredAt),
});

/** The body was written by this program, or checked when it came. */
function viewChange({ changeNo, eventId, tenantCode: tenant, kind, body }: FeedEntry): object {
  return {
    changeNo,
    eventId,
    tenantCode: tenant,
    idempotencyKey: body.event_key,
    kind,
    id: kind === 'correction' ? (body.id ?? null) : null,
    verdict: body.verdict,
    by: body.by,
    byKind: body.by_kind,
    at: formatTime(body.at),
    note: body.note ?? null,
    mergedIntoKey: body.merged_into_key ?? null,
    mergedIntoInstance: body.merged_into_instance ?? null,
    judged: body.judged ?? null,
    disposition: body.disposition ?? null,
  };
}
