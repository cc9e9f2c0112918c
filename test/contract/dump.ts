// Carries a command out on a real store, and reads everything that a store shows.
import { type Clock, stampOf } from '../../common/clock.ts';
import type { AuditEntry } from '../../common/core/audit/port.ts';
import type { EventFilter } from '../../common/core/event/port.ts';
import type { FeedbackRecord } from '../../common/core/feedback/record.ts';
import type { Stores } from '../../common/core/stores.ts';
import type { CorrectionOutcome, VerdictOutcome } from '../../common/core/verdict/record.ts';
import { verdictValues } from '../../common/core/verdict/schema.ts';
import { AppError } from '../../common/http/error.ts';
import {
  type Command,
  CONSUMERS,
  EVENT_KEYS,
  KEY_IDS,
  MAX_EVENT,
  PURPOSES,
  TENANTS,
  TYPES,
} from './commands.ts';
import { messagesOn, range } from './samples.ts';

export const FILTERS: EventFilter[] = [
  { tenantCode: null, includeTest: true },
  { tenantCode: 'acme', includeTest: false },
  { tenantCode: 'other', includeTest: true, verdict: 'none' },
  ...TYPES.map((type): EventFilter => ({ tenantCode: null, includeTest: false, type })),
  ...verdictValues.map((verdict): EventFilter => ({ tenantCode: null, includeTest: true, verdict })),
];
export const ALARM_FILTERS = [null, ...TENANTS].flatMap((tenantCode) =>
  [true, false].map((includeCleared) => ({ tenantCode, includeCleared })),
);
const EVENT_IDS = range(MAX_EVENT + 1, (index) => index + 1);

/** Ids are made at random where they are made; rows are told apart by what they say. */
export const feedbackKey = (row: Omit<FeedbackRecord, 'id'>): string => {
  const { verdict, by, reason } = JSON.parse(row.body) as Record<string, unknown>;
  return JSON.stringify([row.eventId, row.kind, verdict, by, reason]);
};
/** The order of members in JSON text is free. */
export const opened = <T extends { body: string }>(row: T) => ({
  ...row,
  body: JSON.parse(row.body) as unknown,
});
export const byKey = <T>(rows: readonly T[], key: (row: T) => string): T[] =>
  rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
export const withoutId = <T extends { id: unknown }>({ id: _, ...rest }: T): Omit<T, 'id'> => rest;

const withoutFeedbackId = (outcome: VerdictOutcome | CorrectionOutcome | null): unknown =>
  outcome && 'feedbackId' in outcome ? { ...outcome, feedbackId: outcome.feedbackId !== null } : outcome;

/** Entries of one millisecond are listed by their random ids. */
export const inOrder = (entries: readonly Omit<AuditEntry, 'id'>[]): Omit<AuditEntry, 'id'>[] =>
  byKey(entries, (entry) =>
    JSON.stringify([
      entry.at,
      entry.action,
      entry.subject,
      Object.entries(entry.after ?? {}).sort(),
      Object.entries(entry.before ?? {}).sort(),
    ]),
  );

export async function perform(
  stores: Stores,
  clock: Clock,
  command: Exclude<Command, { op: 'clock' | 'restart' }>,
): Promise<unknown> {
  const now = clock.now();
  switch (command.op) {
    case 'ingest':
      return stores.events.ingest(command.batch, now);
    case 'verdicts': {
      const instances = await Promise.all(
        command.commands.map(async ({ eventId }) => (await stores.events.get(eventId))?.instance ?? null),
      );
      const outcomes = await Promise.all(
        command.commands.map(async (one, index) =>
          instances[index] === null ? stores.verdicts.write(one, stampOf(clock)) : null,
        ),
      );
      return outcomes.map(withoutFeedbackId);
    }
    case 'verdict':
    case 'correct': {
      // What a verdict on an event of a site means is for headquarters alone.
      if ((await stores.events.get(command.command.eventId))?.instance) return null;
      const outcome =
        command.op === 'verdict'
          ? await stores.verdicts.write(command.command, stampOf(clock))
          : await stores.verdicts.correct(command.command, stampOf(clock));
      return withoutFeedbackId(outcome);
    }
    case 'register': {
      const { highWaterMark } = await stores.events.bounds();
      return stores.subscriptions.register(
        command.consumer,
        command.filters,
        command.start === null ? null : Math.min(command.start, highWaterMark),
        now,
        'admin',
      );
    }
    case 'ack':
      return stores.subscriptions.ack(command.consumer, command.cursor, now);
    case 'addKey':
      return stores.keys.add({ ...command.key, createdAt: now }, 'admin').then(() => null, codeOf);
    case 'rotateKey':
      return stores.keys.rotate(command.keyId, command.secretRef, command.previousUntil, now, 'admin');
    case 'removeKey':
      return stores.keys.remove(command.keyId, now, 'admin');
    case 'raise':
      return stores.alarms.raise(command.alarm, now);
    case 'clear':
      return stores.alarms.clear(command.key, command.instance, now);
    case 'claim':
      return byKey(await stores.feedback.claimDue(now, command.leaseMs, 1000), feedbackKey)
        .map(withoutId)
        .map(opened);
    case 'delivered':
    case 'failed':
      return settle(stores, now, command);
  }
}

async function settle(
  stores: Stores,
  now: number,
  command: Extract<Command, { op: 'delivered' | 'failed' }>,
): Promise<null> {
  const rows = byKey(await feedbackOf(stores), feedbackKey);
  const row = rows[command.row % Math.max(rows.length, 1)];
  if (!row) return null;
  if (command.op === 'delivered') await stores.feedback.delivered(row.id, now);
  else
    await stores.feedback.failed(
      row.id,
      'no route',
      command.delayMs === null ? null : now + command.delayMs,
      now,
    );
  return null;
}

function codeOf(error: unknown): string {
  if (error instanceof AppError) return error.code;
  throw error;
}

const feedbackOf = async (stores: Stores): Promise<FeedbackRecord[]> =>
  (await Promise.all(EVENT_IDS.map((id) => messagesOn(stores, id)))).flat();

/** Every read of every port. */
export async function dump(stores: Stores): Promise<Record<string, unknown>> {
  const keys = TENANTS.flatMap((tenantCode) =>
    EVENT_KEYS.map((idempotencyKey) => ({ tenantCode, idempotencyKey })),
  );
  const feedback = byKey(await feedbackOf(stores), feedbackKey);
  const [again, events, lists, found] = await Promise.all([
    Promise.all(feedback.map(({ id }) => stores.feedback.get(id))),
    Promise.all(EVENT_IDS.map((id) => stores.events.get(id))),
    Promise.all(FILTERS.map((filter) => stores.events.list(filter, null, 1000))),
    stores.events.byKeys(keys),
  ]);
  const audit = await stores.audit.list({ tenantCode: null }, null, 10_000);
  return {
    bounds: await stores.events.bounds(),
    page: await stores.events.page(0, 1000),
    events,
    lists: lists.map((list) => list.map(({ id }) => id)),
    byKeys: [...found.values()].map(({ id }) => id).sort((a, b) => a - b),
    verdicts: await Promise.all(EVENT_IDS.map((id) => stores.verdicts.get(id))),
    corrections: await Promise.all(EVENT_IDS.map((id) => stores.verdicts.corrections(id))),
    changes: (await stores.verdicts.changes(0, 1000)).map(opened),
    changeHead: await stores.verdicts.newestChangeNo(),
    subscriptions: byKey(await stores.subscriptions.list(), ({ consumer }) => consumer),
    consumers: await Promise.all(CONSUMERS.map((consumer) => stores.subscriptions.get(consumer))),
    keys: await Promise.all(KEY_IDS.map((id) => stores.keys.get(id))),
    liveKeys: await Promise.all(
      PURPOSES.map(async (purpose) => (await stores.keys.list(purpose)).map(({ keyId }) => keyId)),
    ),
    feedback: feedback.map(withoutId).map(opened),
    feedbackAgain: again.map((row) => row && opened(withoutId(row))),
    counts: await stores.feedback.counts(),
    audit: inOrder(audit.map(withoutId)),
    alarms: await Promise.all(
      ALARM_FILTERS.map(async (filter) =>
        byKey(await stores.alarms.list(filter, 1000), (one) => one.key + one.instance),
      ),
    ),
  };
}
