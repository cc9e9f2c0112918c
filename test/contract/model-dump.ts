// Everything that the model would show, in the form of `dump`.
import { CONSUMERS, KEY_IDS, MAX_EVENT, PURPOSES } from './commands.ts';
import { ALARM_FILTERS, byKey, feedbackKey, FILTERS, inOrder, opened } from './dump.ts';
import type { Model } from './model.ts';
import { range } from './samples.ts';

export function dumpModel(model: Model): Record<string, unknown> {
  const ids = range(MAX_EVENT + 1, (index) => index + 1);
  const orNull = <T>(value: T | undefined): T | null => value ?? null;
  const pending = model.feedback.filter((row) => row.state === 'pending');
  const highWaterMark = model.events.length;
  const feedback = byKey(model.feedback, feedbackKey).map(opened);
  return {
    bounds: { oldest: 1, highWaterMark },
    page: model.events,
    events: ids.map((id) => orNull(model.events.find((one) => one.id === id))),
    lists: FILTERS.map((filter) =>
      model.events
        .toReversed()
        .filter(
          (event) =>
            (filter.tenantCode === null || filter.tenantCode === event.tenantCode) &&
            (filter.type === undefined || filter.type === event.type) &&
            (filter.verdict === undefined || filter.verdict === (event.verdict ?? 'none')) &&
            (filter.includeTest || !event.isTest),
        )
        .map(({ id }) => id),
    ),
    byKeys: model.events.map(({ id }) => id),
    verdicts: ids.map((id) => orNull(model.verdicts.find((one) => one.eventId === id))),
    corrections: ids.map((id) => model.corrections.filter((one) => one.eventId === id)),
    changes: model.changes.map(opened),
    changeHead: model.changes.length,
    subscriptions: byKey(model.subscriptions, ({ consumer }) => consumer),
    consumers: CONSUMERS.map((consumer) =>
      orNull(model.subscriptions.find((one) => one.consumer === consumer)),
    ),
    keys: KEY_IDS.map((id) => orNull(model.keys.find((one) => one.keyId === id))),
    liveKeys: PURPOSES.map((purpose) =>
      model.keys
        .filter((key) => key.purpose === purpose && key.removedAt === null)
        .map(({ keyId }) => keyId)
        .sort(),
    ),
    feedback,
    feedbackAgain: feedback,
    counts: {
      pending: pending.length,
      expired: model.feedback.filter((row) => row.state === 'expired').length,
      oldestPendingAt: pending.length === 0 ? null : Math.min(...pending.map((row) => row.createdAt)),
    },
    audit: inOrder(model.audit),
    alarms: ALARM_FILTERS.map((filter) =>
      byKey(
        model.alarms.filter(
          (one) =>
            (filter.tenantCode === null || filter.tenantCode === one.tenantCode) &&
            (filter.includeCleared || one.clearedAt === null),
        ),
        (one) => one.key + one.instance,
      ),
    ),
  };
}
