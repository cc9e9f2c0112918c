import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { accountOf, type Actor, may } from '../../http/actor.ts';
import { described } from '../../http/described.ts';
import { notFound } from '../../http/error.ts';
import { saidOf, saying } from '../../http/fault/fault.ts';
import { idParam } from '../../http/list.ts';
import { type Route, route } from '../../http/route.ts';
import { formatTime, formatTimeOrNull } from '../../time.ts';
import { judgedView } from '../event/render.ts';
import { eventKinds, eventSources, severities, tenantCode } from '../event/schema.ts';
import { resultCodes, taskStates, taskTypes } from '../task/schema.ts';
import { verdictValues } from '../verdict/schema.ts';
import {
  type Durations,
  type KnowledgeKind,
  knowledgeKinds,
  type Moments,
  stepKinds,
  type Timeline,
  type WithheldSource,
  withheldSources,
} from './record.ts';
import type { TimelineService } from './service.ts';

const time = z.nullable(z.string());
const text = z.nullable(z.string());
const sentence = { text: z.string(), textZh: z.string() };
const entryView = z
  .object({
    kind: z.enum([...stepKinds, ...knowledgeKinds]),
    by: text,
    code: z.optional(z.string()),
    ...sentence,
    source: z.object({ table: z.string(), key: z.string() }),
    basis: z.optional(z.enum(['machine', 'human'])),
    notice: z.optional(z.object(sentence)),
    reason: z.optional(text),
    laterNote: z.optional(text),
    machineGenerated: z.optional(z.boolean()),
  })
  .register(described, { id: 'TimelineEntry' });
const timelineView = z
  .object({
    event: z.object({
      id: z.int(),
      tenantCode: z.string(),
      type: z.string(),
      kind: z.enum(eventKinds),
      source: z.enum(eventSources),
      severity: z.nullable(z.enum(severities)),
      isTest: z.boolean(),
      title: text,
      occurredAt: time,
      receivedAt: z.string(),
      verdict: z.nullable(z.enum(verdictValues)),
      correctedTo: z.nullable(z.enum(verdictValues)),
      judged: z.nullable(judgedView),
      provenance: z.object({
        instance: z.string(),
        originId: z.int(),
        nodeKey: text,
        siteRef: text,
        cameraRef: text,
        pointRef: text,
      }),
    }),
    steps: z.array(z.extend(entryView, { at: z.string() })),
    undated: z.array(entryView),
    moments: z.object({
      occurredAt: time,
      receivedAt: time,
      verdictAt: time,
      judgedAt: time,
      taskCreatedAt: time,
      takenOverAt: time,
      completedAt: time,
      closedAt: time,
    } satisfies Record<keyof Moments, unknown>),
    durations: z.object({
      received: z.nullable(z.number()),
      verdict: z.nullable(z.number()),
      taskCreated: z.nullable(z.number()),
      takenOver: z.nullable(z.number()),
      completed: z.nullable(z.number()),
      total: z.nullable(z.number()),
    } satisfies Record<keyof Durations, unknown>),
    sla: z.nullable(z.object({ taskId: z.int(), deadline: z.string(), exceeded: z.boolean() })),
    tasks: z.array(
      z.object({
        id: z.int(),
        instance: z.nullable(z.string()),
        type: z.enum(taskTypes),
        state: z.enum(taskStates),
        title: z.string(),
        severity: z.enum(severities),
        createdAt: z.string(),
        dueAt: time,
        overdue: z.boolean(),
        resultCode: z.nullable(z.enum(resultCodes)),
        assigneeOrg: z.nullable(z.string()),
        takenOverAt: time,
        takenOverBy: z.nullable(z.string()),
        completedAt: time,
        closedAt: time,
        cancelledAt: time,
        records: z.int(),
      }),
    ),
    truncated: z.boolean(),
    withheld: z.array(z.enum(withheldSources)),
    asOf: z.string(),
  })
  .register(described, { id: 'Timeline' });

const DESCRIPTION =
  'A step `notified` has a `code` for the way that it went: `notified` (inbox, or nothing to send it ' +
  'through), `notified_by_own_channel`, `notified_by_headquarters`, and at headquarters ' +
  '`notified_for_site`; of people who were called `called`, `call_shown` and `call_opened`, and ' +
  '`call_taken` is a step `taken_over` by whoever took the call. What happened to one event, step by ' +
  'step, each with the row that says so. A ' +
  'verdict or judgement of a model has `basis` machine and a `notice` that nobody reviewed it, and ' +
  'knowledge that a model wrote has `machineGenerated`; none of them may be cited as evidence. Times that ' +
  'are not known stay empty: a judgement that came with the event has no time of its own, so it stands in ' +
  '`undated`, and `judgedAt` is known only when the judgement came with the verdict. `taskCreatedAt` and ' +
  '`takenOverAt` are those of the first task; `completedAt` and `closedAt` those of the last one, once ' +
  'every task that was not cancelled has got there. `durations`, in seconds: `received` from occurrence, ' +
  '`verdict` and `taskCreated` from receipt, `takenOver` from creation, `completed` from takeover, `total` ' +
  'from occurrence to completion; one whose times contradict each other is empty. `sla` is the deadline ' +
  'for taking over of the first task that has one. Postmortem requests are listed in `tasks`, but are no ' +
  'part of `moments`, `durations` and `sla`. `truncated`: more than 200 tasks, or more than 1000 rows of ' +
  'another source, or a site has not said yet whether its camera heard the verdict, so that the ' +
  'retrospective is not complete. Knowledge and notifications are empty where this program keeps none. ' +
  'Knowledge above the clearance of the account that asks is not there. `withheld` names those that a ' +
  'session without notifications.view or knowledge.view is not shown.';

/** Everything that happened to one event, in order (spec 2, "Timeline response"). */
export function timelineRoutes(service: TimelineService): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/core/events/{id}/timeline',
      tag: 'Timeline',
      access: ['admin', 'session', 'consumer'],
      permission: 'events.view',
      scopes: ['timeline.read'],
      params: idParam,
      query: z.strictObject({
        tenant_code: tenantCode,
        exclude_kind: z.optional(z.string().check(upTo(256), z.refine(isKindList, KINDS_ONLY))),
      }),
      summary:
        'The disposition timeline of an event; exclude_kind leaves knowledge of these kinds out, ' +
        'separated by commas',
      description: DESCRIPTION,
      replies: { 200: { description: 'The timeline', schema: timelineView } },
      errors: { 404: 'not_found' },
      handle: async ({ actor, params, query }) => {
        // To a caller bound to one tenant another tenant's event does not exist.
        if (actor.tenantCode !== null && actor.tenantCode !== query.tenant_code)
          throw notFound(`Event ${params.id}`);
        const withheld = withheldFrom(actor);
        return {
          body: viewOf(
            await service.get(params.id, query.tenant_code, {
              exclude: kindsOf(query.exclude_kind ?? ''),
              withheld,
              account: accountOf(actor),
            }),
            withheld,
          ),
        };
      },
    }),
  ];
}

/** Notifications and knowledge are seen with their own permissions only, also here. */
function withheldFrom(actor: Actor): WithheldSource[] {
  return withheldSources.filter((source) => !may(actor, `${source}.view`));
}

const KINDS_ONLY = saying('comma_list', { what: saidOf('what_kinds'), values: knowledgeKinds.join(', ') });

const namesOf = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
const isKind = (name: string): name is KnowledgeKind => (knowledgeKinds as readonly string[]).includes(name);
const isKindList = (list: string): boolean => namesOf(list).every(isKind);
const kindsOf = (list: string): KnowledgeKind[] => namesOf(list).filter(isKind);

function viewOf(
  { event, steps, undated, moments, durations, sla, tasks, truncated, asOf }: Timeline,
  withheld: WithheldSource[],
): z.infer<typeof timelineView> {
  return {
    event: {
      ...event,
      occurredAt: formatTimeOrNull(event.occurredAt),
      receivedAt: formatTime(event.receivedAt),
    },
    steps: steps.map(({ at, ...entry }) => ({ at: formatTime(at), ...entry })),
    undated,
    moments: {
      occurredAt: formatTimeOrNull(moments.occurredAt),
      receivedAt: formatTimeOrNull(moments.receivedAt),
      verdictAt: formatTimeOrNull(moments.verdictAt),
      judgedAt: formatTimeOrNull(moments.judgedAt),
      taskCreatedAt: formatTimeOrNull(moments.taskCreatedAt),
      takenOverAt: formatTimeOrNull(moments.takenOverAt),
      completedAt: formatTimeOrNull(moments.completedAt),
      closedAt: formatTimeOrNull(moments.closedAt),
    },
    durations,
    sla: sla && { ...sla, deadline: formatTime(sla.deadline) },
    tasks: tasks.map((task) => ({
      ...task,
      createdAt: formatTime(task.createdAt),
      dueAt: formatTimeOrNull(task.dueAt),
      takenOverAt: formatTimeOrNull(task.takenOverAt),
      completedAt: formatTimeOrNull(task.completedAt),
      closedAt: formatTimeOrNull(task.closedAt),
      cancelledAt: formatTimeOrNull(task.cancelledAt),
    })),
    truncated,
    withheld,
    asOf: formatTime(asOf),
  };
}
