// What the stores should hold, written as simply as it can be: lists in memory, no transactions, no SQL, and
// none of the functions that the stores use to decide.
import { isDeepStrictEqual } from 'node:util';
import type { AlarmRecord } from '../../common/core/alarm/port.ts';
import type { AuditEntry } from '../../common/core/audit/port.ts';
import type { EventRecord } from '../../common/core/event/record.ts';
import type { FeedbackKind, FeedbackRecord } from '../../common/core/feedback/record.ts';
import type { KeyRecord } from '../../common/core/key/port.ts';
import type { SubscriptionRecord } from '../../common/core/subscription/port.ts';
import { reasonOf } from '../../common/core/verdict/decide.ts';
import type {
  CorrectionRecord,
  MergeTarget,
  VerdictChange,
  VerdictRecord,
  WriteCorrection,
  WriteVerdict,
} from '../../common/core/verdict/record.ts';
import type { Message } from '../../common/message.ts';
import type { Command } from './commands.ts';
import { byKey, feedbackKey, opened } from './dump.ts';

type Judged = VerdictRecord | CorrectionRecord;
type Feedback = Omit<FeedbackRecord, 'id'>;

export class Model {
  events: EventRecord[] = [];
  verdicts: VerdictRecord[] = [];
  corrections: CorrectionRecord[] = [];
  changes: VerdictChange[] = [];
  subscriptions: SubscriptionRecord[] = [];
  keys: KeyRecord[] = [];
  feedback: Feedback[] = [];
  audit: Omit<AuditEntry, 'id'>[] = [];
  alarms: AlarmRecord[] = [];

  perform(now: number, command: Exclude<Command, { op: 'clock' | 'restart' }>): unknown {
    switch (command.op) {
      case 'ingest':
        return command.batch.map((event) => this.#ingest(event, now));
      case 'verdict':
        return this.#verdict(command.command, now);
      case 'verdicts':
        return command.commands.map((one) => structuredClone(this.#verdict(one, now)));
      case 'correct':
        return this.#correct(command.command, now);
      case 'register':
        return this.#register(command, now);
      case 'ack':
        return this.#ack(command, now);
      case 'addKey':
        return this.#addKey({ ...command.key, createdAt: now });
      case 'rotateKey':
        return this.#changeKey(command.keyId, 'key.rotated', now, (key) => ({
          ...key,
          secretRef: command.secretRef,
          previousRef: key.secretRef,
          previousUntil: command.previousUntil,
        }));
      case 'removeKey':
        return this.#changeKey(command.keyId, 'key.removed', now, (key) => ({ ...key, removedAt: now }));
      case 'raise':
        return this.#raise(command, now);
      case 'clear':
        return this.#clear(command, now);
      case 'claim':
        return this.#claim(now, command.leaseMs);
      case 'delivered':
        return this.#settle(command.row, (row) => ({
          ...row,
          state: 'delivered',
          deliveredAt: now,
          attempts: row.attempts + 1,
          lastError: null,
        }));
      case 'failed':
        return this.#settle(command.row, (row) => ({
          ...row,
          attempts: row.attempts + 1,
          lastError: 'no route',
          ...(command.delayMs === null ? { state: 'expired' } : { nextAt: now + command.delayMs }),
        }));
    }
  }

  #ingest({ origin, ...event }: Extract<Command, { op: 'ingest' }>['batch'][number], now: number): unknown {
    const first = this.events.find(
      (one) => one.tenantCode === event.tenantCode && one.idempotencyKey === event.idempotencyKey,
    );
    if (first) {
      const content = (one: typeof event) =>
        JSON.stringify([one.type, one.kind, one.source, one.severity, one.occurredAt, one.isTest, one.doc]);
      const sameContent = content(first) === content(event);
      if (first.instance === (origin?.instance ?? null))
        return { id: first.id, duplicate: true, conflicting: !sameContent };
      const same =
        sameContent && first.originId === origin?.originId && first.originReceivedAt === origin?.receivedAt;
      return {
        id: first.id,
        duplicate: true,
        conflicting: !same,
        elsewhere: { instance: first.instance, sameContent, same },
      };
    }
    const id = this.events.length + 1;
    this.events.push({
      ...event,
      id,
      receivedAt: Math.max(now, ...this.events.map((one) => one.receivedAt)),
      instance: origin?.instance ?? null,
      originId: origin?.originId ?? null,
      originReceivedAt: origin?.receivedAt ?? null,
      verdict: null,
      correctedTo: null,
    });
    return { id, duplicate: false, conflicting: false };
  }

  #verdict(command: WriteVerdict, now: number): unknown {
    const event = this.#event(command.eventId);
    if (event?.instance) return null;
    const at = this.#changeTime(now);
    const prior = this.verdicts.find((one) => one.eventId === command.eventId);
    const refused = this.#refusal(command, event, at);
    if (refused) return refused;
    if (!event) throw new Error('refused above');
    if (prior) {
      const after = { standing: prior.verdict, refused: command.verdict, by: command.by };
      const { verdict, by, byKind, note, mergedInto, judged, disposition } = command;
      const again = isDeepStrictEqual(
        { ...prior, verdict, by, byKind, note, mergedInto, judged, disposition },
        prior,
      );
      if (!again) this.#note('verdict.refused', event, at, after);
      const standing = { code: `verdict_${prior.verdict}`, params: {} };
      this.#refuse(command, event, at, `the site had judged ${prior.verdict} by ${prior.by}`, {
        code: 'decision_judged_before',
        params: { verdict: standing, by: prior.by },
      });
      return { kind: 'unchanged', verdict: prior, event };
    }
    const merge = this.#merge(command, event);
    if (!merge) return this.#badTarget(command, event, at);
    const { actor: _, tenantCode: __, target: ___, ...members } = command;
    const verdict: VerdictRecord = { ...members, ...merge, tenantCode: event.tenantCode, at };
    this.verdicts.push(verdict);
    event.verdict = verdict.verdict;
    const { judged, disposition } = verdict;
    this.#change(
      event,
      'verdict',
      command.decisionId,
      { ...this.#body(event, verdict), judged, disposition, decision_id: command.decisionId },
      at,
    );
    this.#note('verdict.written', event, at, { ...verdict, reason: reasonOf(verdict) });
    return {
      kind: 'written',
      verdict,
      event,
      feedbackId: this.#tell(event, 'verdict', verdict),
      awaitsSite: null,
    };
  }

  #correct(command: WriteCorrection, now: number): unknown {
    const event = this.#event(command.eventId);
    if (event?.instance) return null;
    const at = this.#changeTime(now);
    const refused = this.#refusal(command, event, at);
    if (refused) return refused;
    if (!event) throw new Error('refused above');
    const same = this.corrections.find((one) => one.id === command.id);
    if (same) return { kind: 'replayed', correction: same, event };
    if (event.verdict === null) {
      this.#refuse(command, event, at, 'there is no verdict to correct', {
        code: 'decision_no_verdict',
        params: {},
      });
      return { kind: 'no_verdict' };
    }
    const merge = this.#merge(command, event);
    if (!merge) return this.#badTarget(command, event, at);
    const { actor: _, tenantCode: __, target: ___, decisionId, ...members } = command;
    const correction: CorrectionRecord = { ...members, ...merge, tenantCode: event.tenantCode, at };
    this.corrections.push(correction);
    event.correctedTo = correction.verdict;
    this.#change(
      event,
      'correction',
      decisionId,
      { ...this.#body(event, correction), id: correction.id, decision_id: decisionId },
      at,
    );
    this.#note('verdict.corrected', event, at, correction);
    return {
      kind: 'written',
      correction,
      event,
      feedbackId: this.#tell(event, 'correction', correction),
      awaitsSite: null,
    };
  }

  /** What a verdict and a correction are refused for alike. */
  #refusal(command: WriteVerdict | WriteCorrection, event: EventRecord | undefined, at: number): unknown {
    if (this.changes.some((one) => one.decisionId !== null && one.decisionId === command.decisionId))
      return { kind: 'answered' };
    if (!event) {
      this.#refuse(command, null, at, 'the event is not kept here', {
        code: 'decision_event_gone',
        params: {},
      });
      return { kind: 'no_event' };
    }
    return command.tenantCode !== null && command.tenantCode !== event.tenantCode
      ? { kind: 'tenant_mismatch' }
      : null;
  }

  /** null: into nothing that may be named. */
  #merge(command: WriteVerdict | WriteCorrection, event: EventRecord): MergeTarget | null {
    if (command.verdict !== 'merged')
      return { mergedInto: null, mergedIntoKey: null, mergedIntoInstance: null };
    const kept = this.#event(command.mergedInto ?? 0);
    if (kept) {
      const good = kept !== event && kept.tenantCode === event.tenantCode;
      return good
        ? { mergedInto: kept.id, mergedIntoKey: kept.idempotencyKey, mergedIntoInstance: kept.instance }
        : null;
    }
    const { target } = command;
    if (!target || (target.instance === null && target.key === event.idempotencyKey)) return null;
    return { mergedInto: null, mergedIntoKey: target.key, mergedIntoInstance: target.instance };
  }

  #badTarget(command: WriteVerdict | WriteCorrection, event: EventRecord, at: number): unknown {
    this.#refuse(
      command,
      event,
      at,
      'the event that it was to be merged into is not kept here, or is this one',
      { code: 'decision_no_target', params: {} },
    );
    return { kind: 'bad_target' };
  }

  #refuse(
    command: WriteVerdict | WriteCorrection,
    event: EventRecord | null,
    at: number,
    reason: string,
    told: Message,
  ): void {
    if (command.decisionId === null) return;
    const about = event ?? { id: 0, tenantCode: command.tenantCode ?? '', idempotencyKey: '' };
    this.#change(
      about,
      'decision_refused',
      command.decisionId,
      { event_key: about.idempotencyKey, at, decision_id: command.decisionId, reason, told },
      at,
    );
  }

  #body(event: EventRecord, judged: Judged): object {
    return {
      event_key: event.idempotencyKey,
      at: judged.at,
      verdict: judged.verdict,
      by: judged.by,
      by_kind: judged.byKind,
      note: judged.note,
      merged_into_key: judged.mergedIntoKey,
      ...(judged.mergedIntoKey === null ? {} : { merged_into_instance: judged.mergedIntoInstance }),
    };
  }

  #change(
    about: { id: number; tenantCode: string },
    kind: VerdictChange['kind'],
    decisionId: string | null,
    body: object,
    at: number,
  ): void {
    this.changes.push({
      changeNo: this.changes.length + 1,
      at,
      eventId: about.id,
      tenantCode: about.tenantCode,
      kind,
      decisionId,
      body: JSON.stringify(body),
    });
  }

  #changeTime(now: number): number {
    return Math.max(now, this.changes.at(-1)?.at ?? now);
  }

  #tell(event: EventRecord, kind: FeedbackKind, judged: Judged): boolean {
    const { feedbackUrl, localAlertNo } = JSON.parse(event.doc) as {
      feedbackUrl?: string;
      localAlertNo?: string;
    };
    if (feedbackUrl === undefined) return false;
    const body = {
      localAlertNo,
      eventId: event.id,
      verdict: judged.verdict,
      by: judged.by,
      reason: judged.note,
    };
    this.feedback.push({
      eventId: event.id,
      tenantCode: event.tenantCode,
      kind,
      url: feedbackUrl,
      nodeKey: event.nodeKey,
      body: JSON.stringify(body),
      state: 'pending',
      attempts: 0,
      nextAt: judged.at + 10_000,
      lastError: null,
      createdAt: judged.at,
      deliveredAt: null,
    });
    return true;
  }

  #register({ consumer, filters, start }: Extract<Command, { op: 'register' }>, now: number): unknown {
    const index = this.subscriptions.findIndex((one) => one.consumer === consumer);
    const before = this.subscriptions[index];
    const cursor = Math.min(start ?? Infinity, this.events.length);
    const subscription = {
      ...(before ?? { consumer, cursor, pushCursor: cursor, createdAt: now }),
      ...filters,
      updatedAt: now,
    };
    this.subscriptions.splice(before ? index : 0, before ? 1 : 0, subscription);
    this.audit.push({
      at: now,
      actor: 'admin',
      action: before ? 'subscription.changed' : 'subscription.registered',
      subject: `subscription:${consumer}`,
      tenantCode: filters.tenantCode,
      before: before ?? null,
      after: subscription,
    });
    return { subscription, created: !before };
  }

  #ack({ consumer, cursor }: Extract<Command, { op: 'ack' }>, now: number): unknown {
    const index = this.subscriptions.findIndex((one) => one.consumer === consumer);
    const subscription = this.subscriptions[index];
    if (!subscription) return { kind: 'no_subscription' };
    if (cursor > this.events.length) return { kind: 'ahead', head: this.events.length };
    const moved = cursor > subscription.cursor;
    if (moved) this.subscriptions[index] = { ...subscription, cursor, updatedAt: now };
    return { kind: 'acked', cursor: Math.max(cursor, subscription.cursor), moved };
  }

  #addKey(key: KeyRecord): string | null {
    if (this.keys.some((one) => one.keyId === key.keyId)) return 'key_exists';
    this.keys.push(key);
    this.#noteKey('key.added', key.createdAt, null, key);
    return null;
  }

  #changeKey(keyId: string, action: string, now: number, change: (key: KeyRecord) => KeyRecord): boolean {
    const index = this.keys.findIndex((one) => one.keyId === keyId && one.removedAt === null);
    const key = this.keys[index];
    if (!key) return false;
    const after = change(key);
    this.keys[index] = after;
    this.#noteKey(action, now, key, after);
    return true;
  }

  #raise({ alarm }: Extract<Command, { op: 'raise' }>, now: number): boolean {
    const standing = this.alarms.find(
      (one) => one.key === alarm.key && one.instance === alarm.instance && one.clearedAt === null,
    );
    this.alarms = this.alarms.filter((one) => one.key !== alarm.key || one.instance !== alarm.instance);
    this.alarms.push({
      ...alarm,
      details: alarm.details ?? null,
      raisedAt: standing?.raisedAt ?? now,
      count: standing ? standing.count + 1 : 1,
      lastAt: now,
      clearedAt: null,
      takenBy: standing?.takenBy ?? null,
      takenAt: standing?.takenAt ?? null,
    });
    return !standing;
  }

  #clear({ key, instance }: Extract<Command, { op: 'clear' }>, now: number): boolean {
    const index = this.alarms.findIndex(
      (one) => one.key === key && one.instance === instance && one.clearedAt === null,
    );
    const standing = this.alarms[index];
    if (standing) this.alarms[index] = { ...standing, clearedAt: now };
    return standing !== undefined;
  }

  #claim(now: number, leaseMs: number): unknown {
    // A try more than 20 min ahead was set before the clock stepped back, and is due.
    const due = this.feedback.filter(
      (row) => row.state === 'pending' && (row.nextAt <= now || row.nextAt > now + 20 * 60_000),
    );
    for (const row of due) row.nextAt = now + leaseMs;
    return byKey(due, feedbackKey).map(opened);
  }

  #settle(index: number, change: (row: Feedback) => Feedback): null {
    const row = byKey(this.feedback, feedbackKey)[index % Math.max(this.feedback.length, 1)];
    if (row?.state === 'pending') Object.assign(row, change(row));
    return null;
  }

  #note(action: string, event: EventRecord, at: number, after: unknown): void {
    this.audit.push({
      at,
      actor: 'admin',
      action,
      subject: `event:${event.id}`,
      tenantCode: event.tenantCode,
      before: null,
      after,
    });
  }

  #noteKey(action: string, at: number, before: KeyRecord | null, after: KeyRecord): void {
    const { keyId, tenantCode } = after;
    this.audit.push({
      at,
      actor: 'admin',
      action,
      subject: `key:${keyId}`,
      tenantCode,
      before: before && withoutSecrets(before),
      after: withoutSecrets(after),
    });
  }

  #event(id: number): EventRecord | undefined {
    return this.events.find((one) => one.id === id);
  }
}

const withoutSecrets = ({ secretRef: _live, previousRef: _previous, ...rest }: KeyRecord): object => rest;
