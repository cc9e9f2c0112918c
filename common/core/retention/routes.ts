import * as z from 'zod/mini';
import { actorOf } from '../../http/caller.ts';
import { described } from '../../http/described.ts';
import { type Route, route } from '../../http/route.ts';
import type { Metric } from '../../metrics.ts';
import { formatTime, formatTimeOrNull } from '../../time.ts';
import { code } from '../event/schema.ts';
import {
  type Counts,
  deletedKinds,
  type Guard,
  type GuardedKind,
  guardedKinds,
  holdReasons,
  type RetentionRun,
} from './record.ts';
import type { RetentionService, RetentionStatus } from './service.ts';

const counts = z.record(z.string(), z.int());
const eventRange = z.nullable(z.object({ from: z.int(), to: z.int() }));
const mark = z.nullable(z.object({ id: z.int(), receivedAt: z.string() }));
const guardView = z
  .object({
    kind: z.enum(guardedKinds),
    reason: z.enum(['everything', 'more_than_half']),
    since: z.string(),
    expired: z.int(),
    total: z.int(),
    upto: z.union([z.int(), z.string()]),
  })
  .register(described, { id: 'RetentionGuard' });
const retentionView = z
  .object({
    limits: z.object({
      eventsDays: z.nullable(z.int()),
      auditDays: z.nullable(z.int()),
      alarmsDays: z.nullable(z.int()),
    }),
    oldest: mark,
    newest: mark,
    expired: z.int(),
    held: z.array(
      z.object({
        reason: z.enum(holdReasons),
        from: z.int(),
        events: z.int(),
      }),
    ),
    guards: z.array(guardView),
    lastRoundAt: z.nullable(z.string()),
    lastRun: z.nullable(
      z.object({ startedAt: z.string(), finishedAt: z.string(), events: eventRange, deleted: counts }),
    ),
    deleted: counts,
    deletedUpto: z.int(),
    lost: z.array(z.object({ consumer: z.string(), events: z.int() })),
  })
  .register(described, { id: 'Retention' });

const DESCRIPTION =
  'Days after which things are deleted, null for never; the kept events at both ends, and how many are ' +
  'past the limit; what holds some of them back (each reason with the first event that it holds); ' +
  'deletions that the guard refused; the last round, and the last that deleted something; what was deleted ' +
  'since ever, by kind; events that were deleted before a consumer had confirmed them.';

const confirmInput = z
  .strictObject({
    kind: z._default(z.enum(guardedKinds), 'events'),
    by: code(128),
    note: z.optional(z.string().check(z.maxLength(2000))),
  })
  .register(described, { id: 'RetentionConfirmation' });

/** What is kept, what was deleted, and what stands in the way. */
export function retentionRoutes(service: RetentionService): Route[] {
  return [
    route({
      method: 'GET',
      path: '/api/core/retention',
      tag: 'Operation',
      access: ['admin', 'session'],
      permission: 'operation.view',
      summary: 'How long things are kept, what was deleted, and what is held back and why',
      replies: { 200: { description: DESCRIPTION, schema: retentionView } },
      handle: async () => ({ body: viewOf(await service.status()) }),
    }),
    route({
      method: 'POST',
      path: '/api/core/retention/confirm',
      tag: 'Operation',
      access: ['admin', 'session'],
      permission: 'retention.confirm',
      body: confirmInput,
      summary:
        'Let a deletion go that the guard refused because more than half would be deleted at once; it ' +
        'begins now',
      replies: { 200: { description: 'What may be deleted', schema: z.object({ confirmed: guardView }) } },
      errors: { 409: 'nothing_to_confirm' },
      handle: async (call) => {
        const { kind, by, note = null } = call.body;
        const guard = await service.confirm(kind, { actor: `${by} as ${actorOf(call)}`, note });
        return { body: { confirmed: viewOfGuard(kind, guard) } };
      },
    }),
  ];
}

function viewOf({ limits, state, survey, expired, held }: RetentionStatus): object {
  const markOf = (found: { id: number; receivedAt: number } | null | undefined) =>
    found ? { ...found, receivedAt: formatTime(found.receivedAt) } : null;
  return {
    limits,
    oldest: markOf(survey?.oldest),
    newest: markOf(survey?.newest),
    expired,
    held,
    guards: guardedKinds.flatMap((kind) =>
      state.guards[kind] ? [viewOfGuard(kind, state.guards[kind])] : [],
    ),
    lastRoundAt: formatTimeOrNull(state.lastRoundAt),
    lastRun: state.lastRun && viewOfRun(state.lastRun),
    deleted: everyKind(state.counts),
    deletedUpto: state.deletedUpto,
    lost: Object.entries(state.lost).map(([consumer, { events }]) => ({ consumer, events })),
  };
}

const viewOfRun = (run: RetentionRun & { finishedAt: number }): object => ({
  startedAt: formatTime(run.startedAt),
  finishedAt: formatTime(run.finishedAt),
  events: run.events,
  deleted: run.counts,
});

function viewOfGuard(
  kind: GuardedKind,
  { reason, since, expired, total, position }: Guard,
): z.infer<typeof guardView> {
  return {
    kind,
    reason,
    since: formatTime(since),
    expired,
    total,
    upto: kind === 'events' ? position : formatTime(position),
  };
}

const everyKind = (found: Counts): Record<string, number> =>
  Object.fromEntries(deletedKinds.map((kind) => [kind, found[kind] ?? 0]));

/** What was deleted, what consumers lost by it, and what the guards hold back, for `/metrics`. */
export function retentionMetrics(service: RetentionService): Metric[] {
  const state = async (): Promise<RetentionStatus['state']> => (await service.status()).state;
  return [
    {
      name: 'fieldline_retention_deleted_total',
      help: 'Deleted by retention since the store was made',
      type: 'counter',
      read: async () =>
        Object.entries(everyKind((await state()).counts)).map(([kind, value]) => ({
          labels: { kind },
          value,
        })),
    },
    {
      name: 'fieldline_retention_lost_total',
      help: 'Events that were deleted before a consumer had confirmed them',
      type: 'counter',
      read: async () => Object.values((await state()).lost).reduce((all, { events }) => all + events, 0),
    },
    {
      name: 'fieldline_retention_held',
      help: 'Events past the limit that are held back',
      type: 'gauge',
      read: () => service.heldCount(),
    },
    {
      name: 'fieldline_retention_guards',
      help: 'Deletions that the guard refused',
      type: 'gauge',
      read: async () => Object.keys((await state()).guards).length,
    },
  ];
}
